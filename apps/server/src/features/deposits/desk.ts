import { money } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import type { Pool } from 'pg';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { rangeOf, timesOf, totalsOf } from '../../platform/http/list.ts';
import { listDeposits } from './desk-queries.ts';

export interface DepositDeskDeps {
  pool: Pool;
}

/** Answers the operators' list of deposits. */
export function depositDeskCalls(declare: OperatorDeclare, deps: DepositDeskDeps): void {
  declare(money.listDeposits, async ({ query }) => {
    const filter = {
      ...timesOf(query),
      channel: query.channel || null,
      bank: query.bank || null,
      memberId: query.member || null,
      stranger: query.stranger ?? null,
      amountMin: query.amountMin ?? null,
      amountMax: query.amountMax ?? null,
      text: query.q?.trim() || null,
    };
    const { rows, sums } = await listDeposits(deps.pool, filter, {
      ...rangeOf(query),
      sort: query.sort ?? '-createdAt',
    });
    return {
      deposits: rows.map((row) => ({
        id: row.id,
        member: { id: String(row.member_id), name: row.member_name },
        channel: row.channel,
        bankCode: row.bank_code,
        bankReference: row.bank_reference,
        amount: fromMinor(row.amount, row.currency),
        currency: row.currency,
        fromStranger: row.from_stranger,
        createdAt: row.created_at.toISOString(),
        reversedAt: row.reversed_at?.toISOString() ?? null,
        approval: row.approval,
      })),
      ...totalsOf(sums),
    };
  });
}
