import { slipAccountNo } from '@krapao/contract/account-numbers';
import { statement } from '@krapao/contract/member';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { Config } from '../../platform/config.ts';
import type { Pool, Reads } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { languageOf } from '../../platform/http/language.ts';
import { hasPrefix } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { filteredPage, rowFilterOf } from './filter.ts';
import { countStatement, findReceipt, listStatement, type ReceiptRow, type StatementRow } from './queries.ts';

export interface StatementDeps {
  pool: Pool;
  reads: Reads;
  config: Config;
  secrets: Secrets;
}

/** What a deposit without a bank transaction is, by its id; undefined for an operator's entry. */
function originOf({ id, type, source }: StatementRow): 'report' | 'return' | undefined {
  if (type !== 'deposit' || source !== 'manual') return undefined;
  return hasPrefix(id, 'DP') ? 'report' : hasPrefix(id, 'RT') ? 'return' : undefined;
}

function itemOf(row: StatementRow, currency: Currency) {
  const origin = originOf(row);
  return {
    id: row.id,
    statementType: row.type,
    status: row.status,
    from: row.source,
    to: row.target,
    amount: fromMinor(row.amount, currency),
    createdAt: row.created_at.toISOString(),
    ...(origin && { origin }),
    ...(row.reference_kind ? { [row.reference_kind]: { description: row.description ?? '' } } : {}),
  };
}

/** The account outside: what a withdrawal was paid to, or a deposit from. */
function accountOf(secrets: Secrets, row: ReceiptRow) {
  if (row.account_bank !== null && row.account_no_sealed !== null) {
    const number = secrets.decrypt('bank-account', row.account_no_sealed);
    return {
      bankCode: row.account_bank,
      name: row.account_name,
      number: slipAccountNo(number, row.account_bank),
    };
  }
  return row.payer_bank ? { bankCode: row.payer_bank, name: null, number: row.payer_mask || null } : null;
}

const receiptOf = (secrets: Secrets, row: ReceiptRow, currency: Currency) => ({
  ...itemOf(row, currency),
  receipt: {
    channel: row.channel,
    account: accountOf(secrets, row),
    ...(row.rejected_because ? { reason: row.rejected_because } : {}),
    balanceAfter: row.balance_after === null ? null : fromMinor(row.balance_after, currency),
  },
});

/** Answers the statement, newest first, and the receipt of one row. */
export function statementCall(declare: Declare, { pool, reads, config, secrets }: StatementDeps): void {
  declare(statement.listStatements, async ({ member, body, request }) => {
    const reader = { id: member.id, language: languageOf(request, config.variant) };
    if (body.id !== undefined) {
      const row = await findReceipt(reads, reader, body.id);
      return { statements: row ? [receiptOf(secrets, row, member.currency)] : [], total: row ? 1 : 0 };
    }
    const filter = rowFilterOf(body);
    if (filter) {
      const { rows, total } = await filteredPage({ pool, reads }, reader, filter, body);
      return { statements: rows.map((row) => itemOf(row, member.currency)), total };
    }
    const total = await countStatement(reads, member.id);
    const rows = await listStatement(reads, reader, {
      newest: total,
      page: BigInt(body.page),
      limit: BigInt(body.limit),
    });
    return { statements: rows.map((row) => itemOf(row, member.currency)), total: Number(total) };
  });
}
