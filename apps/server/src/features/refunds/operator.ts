import { refunds as contract, exports } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import { summedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { exportRefundsOf, type ListedRefund, listRefundsOfAll, REFUND_KEYS } from './operator-queries.ts';

/** A text that is not a number is no member's id. */
const memberOf = ({ member }: { member?: string }): string | null =>
  member === undefined ? null : /^\d{1,18}$/.test(member) ? member : '0';

function view(row: ListedRefund) {
  const money = (minor: bigint) => fromMinor(minor, row.currency);
  return {
    id: `${row.member_id}-${row.number}`,
    member: { id: String(row.member_id), name: row.member_name },
    from: row.from_at.toISOString(),
    to: row.to_at.toISOString(),
    currency: row.currency,
    opening: money(row.opening),
    deposits: money(row.deposits),
    withdrawals: money(row.withdrawals),
    balance: money(row.balance),
    loss: money(row.loss),
    percent: row.percent,
    amount: money(row.amount),
  };
}

/** Answers the list of refunds. */
export function refundOperatorCalls(declare: OperatorDeclare, deps: ExportDeps): void {
  declare(contract.listRefunds, async ({ query }) => {
    const { rows, page } = await summedPage(query, { keys: REFUND_KEYS, standard: '-at' }, (slice, counted) =>
      listRefundsOfAll(deps.reads, memberOf(query), slice, counted),
    );
    return { refunds: rows.map(view), ...page };
  });
  declare(exports.exportRefunds, ({ params, query, actor, reply }) =>
    sendExport(
      deps,
      { actor, reply, name: 'refunds', ...params, filters: query },
      exportRefundsOf(memberOf(query)),
    ),
  );
}
