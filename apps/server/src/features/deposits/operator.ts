import { exports, money } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import type { Pool } from '../../platform/database/db.ts';
import { choicesOf } from '../../platform/http/choices.ts';
import { boundedTotals, countedOf, type PagingName, pageOf, sliceOf } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { memberIdOf, timesOf } from '../../platform/http/list.ts';
import { type SearchDeps, searchOf } from '../../platform/member-search.ts';
import { DEPOSIT_KEYS, type DepositFilter, exportDeposits, listDeposits } from './operator-queries.ts';

export interface DepositOperatorDeps {
  pool: Pool;
}

type ListQuery = Omit<Static<typeof money.listDeposits.query>, PagingName>;

const filterOf = (deps: SearchDeps, query: ListQuery): DepositFilter => ({
  ...timesOf(query),
  channel: choicesOf(query.channel),
  bank: choicesOf(query.bank),
  memberId: memberIdOf(query.member),
  otherAccount: query.otherAccount ?? null,
  amountMin: query.amountMin ?? null,
  amountMax: query.amountMax ?? null,
  ...searchOf(deps, query.q),
});

/** Declares the operators' list of deposits. */
export function depositOperatorCalls(
  declare: OperatorDeclare,
  deps: DepositOperatorDeps & ExportDeps & SearchDeps,
): void {
  declare(exports.exportDeposits, async ({ params, query, actor, reply }) => {
    const source = exportDeposits(filterOf(deps, query), query.sort ?? '-createdAt');
    return sendExport(deps, { actor, reply, name: 'deposits', ...params, filters: query }, source);
  });
  declare(money.listDeposits, async ({ query }) => {
    const filter = filterOf(deps, query);
    const counted = countedOf(query);
    const slice = sliceOf(query, DEPOSIT_KEYS, '-createdAt');
    const { rows: found, sums } = await listDeposits(deps.reads, filter, slice, counted);
    const { rows, turns } = pageOf(found, slice);
    return {
      deposits: rows.map((row) => ({
        id: row.id,
        member: { id: String(row.member_id), name: row.member_name },
        channel: row.channel,
        bankCode: row.bank_code,
        bankReference: row.bank_reference,
        amount: fromMinor(row.amount, row.currency),
        currency: row.currency,
        fromOtherAccount: row.from_other_account,
        createdAt: row.created_at.toISOString(),
        reversedAt: row.reversed_at?.toISOString() ?? null,
        approval: row.approval,
        run: row.run,
      })),
      ...boundedTotals(sums, counted),
      ...turns,
    };
  });
}
