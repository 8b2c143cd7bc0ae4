import { DAY_MS } from '@krapao/contract/durations';
import { members, type PAIR_KINDS } from '@krapao/contract/operator';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { listInviteTree, listSharedPairs } from './invite-tree-queries.ts';
import { getMemberOrThrow, type MemberOperatorDeps } from './members.ts';

/** As far back as the risk score looks for rings. */
const SHARED_DAYS = 30;

/** Serves the members around one who are joined by invitations, with what they share. */
export function inviteTreeCalls(declare: OperatorDeclare, deps: MemberOperatorDeps): void {
  declare(members.readInviteTree, async ({ params, refuse }) => {
    const { id } = await getMemberOrThrow(refuse, deps, params.id);
    const rows = await listInviteTree(deps.pool, id);
    const since = new Date(deps.clock.now().getTime() - SHARED_DAYS * DAY_MS);
    const ids = rows.map((row) => row.id);
    const pairs = await listSharedPairs(deps.pool, ids, since);
    const shown = new Set(ids);
    return {
      members: rows.map((row) => ({
        member: { id: String(row.id), name: row.name },
        status: row.status,
        inviter: row.inviter_id !== null && shown.has(row.inviter_id) ? String(row.inviter_id) : null,
        invited: row.invited ?? 0,
      })),
      shared: pairs.map((pair) => ({
        kind: pair.kind as (typeof PAIR_KINDS)[number],
        first: String(pair.first_id),
        second: String(pair.second_id),
      })),
    };
  });
}
