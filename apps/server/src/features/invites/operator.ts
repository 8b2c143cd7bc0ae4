import { invites as contract, exports } from '@krapao/contract/operator';
import { fromMinor, INVITE_STATES } from '@krapao/contract/shared';
import { chosenOf } from '../../platform/http/choices.ts';
import { summedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { memberIdOf } from '../../platform/http/list.ts';
import {
  exportInvitesOf,
  INVITE_KEYS,
  type InviteFilter,
  type ListedInvite,
  listInvitesOfAll,
} from './operator-queries.ts';

const filterOf = (query: { inviter?: string; state?: string }): InviteFilter => ({
  inviterId: memberIdOf(query.inviter),
  states: chosenOf(query.state, INVITE_STATES),
});

function view(row: ListedInvite) {
  const money = (minor: bigint | null) => (minor === null ? null : fromMinor(minor, row.currency));
  return {
    id: row.credit_id === null ? `m${row.id}` : String(row.credit_id),
    inviter: { id: String(row.inviter_id), name: row.inviter_name },
    member: { id: String(row.id), name: row.name },
    joinedAt: row.created_at.toISOString(),
    state: row.state ?? ('JOINED' as const),
    currency: row.currency,
    reason: row.reason,
    deposit: row.deposit_id,
    deposited: money(row.deposited),
    amount: money(row.amount),
    staked: money(row.staked),
    needed: money(row.needed),
    run: row.run_id,
    receivedAt: row.received_at?.toISOString() ?? null,
    reversedAt: row.reversed_at?.toISOString() ?? null,
  };
}

/** Answers the list of invited members and what they have earned. */
export function inviteOperatorCalls(declare: OperatorDeclare, deps: ExportDeps): void {
  declare(contract.listInvites, async ({ query }) => {
    const { rows, page } = await summedPage(
      query,
      { keys: INVITE_KEYS, standard: '-member' },
      (slice, counted) => listInvitesOfAll(deps.reads, filterOf(query), slice, counted),
    );
    return { invites: rows.map(view), ...page };
  });
  declare(exports.exportInvites, ({ params, query, actor, reply }) =>
    sendExport(
      deps,
      { actor, reply, name: 'invites', ...params, filters: query },
      exportInvitesOf(filterOf(query)),
    ),
  );
}
