import { desk } from '@krapao/contract/operator';
import type { Pool } from 'pg';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { rangeOf, timesOf } from '../../platform/http/list.ts';
import { listAudit } from './queries.ts';

/** Answers the audit trail; nobody, at any role, has a call that changes it. */
export function auditCall(declare: OperatorDeclare, deps: { pool: Pool }): void {
  declare(desk.listAudit, async ({ query }) => {
    const filter = {
      actor: query.actor || null,
      action: query.action || null,
      thing: query.thing || null,
      address: query.address || null,
      ...timesOf(query),
    };
    const { rows, total } = await listAudit(deps.pool, filter, {
      ...rangeOf(query),
      sort: query.sort ?? '-at',
    });
    return {
      rows: rows.map((row) => ({ ...row, id: String(row.id), at: row.at.toISOString() })),
      total,
    };
  });
}
