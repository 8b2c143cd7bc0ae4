import { statement } from '@krapao/contract/member';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { Pool } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { filteredPage, rowFilterOf } from './filter.ts';
import { countStatement, findRow, listStatement, type StatementRow } from './queries.ts';

function itemOf(row: StatementRow, currency: Currency) {
  return {
    id: row.id,
    statementType: row.type,
    status: row.status,
    from: row.source,
    to: row.target,
    amount: fromMinor(row.amount, currency),
    createdAt: row.created_at.toISOString(),
    ...(row.reference_kind ? { [row.reference_kind]: { description: row.reference_text ?? '' } } : {}),
  };
}

/** Answers the statement, newest first. */
export function statementCall(declare: Declare, deps: { pool: Pool }): void {
  declare(statement.listStatements, async ({ member, body }) => {
    if (body.id !== undefined) {
      const row = await findRow(deps.pool, member.id, body.id);
      return { statements: row ? [itemOf(row, member.currency)] : [], total: row ? 1 : 0 };
    }
    const filter = rowFilterOf(body);
    if (filter) {
      const { rows, total } = await filteredPage(deps.pool, member.id, filter, body);
      return { statements: rows.map((row) => itemOf(row, member.currency)), total };
    }
    const total = await countStatement(deps.pool, member.id);
    const rows = await listStatement(deps.pool, member.id, {
      newest: total,
      page: BigInt(body.page),
      limit: BigInt(body.limit),
    });
    return { statements: rows.map((row) => itemOf(row, member.currency)), total: Number(total) };
  });
}
