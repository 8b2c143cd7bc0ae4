import { invites } from '@krapao/contract/member';
import { fromMinor, type InviteShareState, type RefusalsOf, toMinor } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';
import type { Declare } from '../../platform/http/declare.ts';
import type { Limits } from '../../platform/limits.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { type BonusDeps, grantRun, type Holder, hasActiveRun } from '../bonuses/read.ts';
import { requireMayEnter } from '../games/read.ts';
import { readPlayNow } from './play.ts';
import { countInvites, type InviteRow, listInvites, readUnpaid } from './queries.ts';

const STATUS = {
  ACCRUED: 'WAITING',
  READY: 'READY',
  RECEIVED: 'RECEIVED',
  BARRED: 'NONE',
  REVERSED: 'JOINED',
} as const satisfies Record<InviteShareState, string>;

const earns = ({ state }: InviteRow): boolean =>
  state === 'ACCRUED' || state === 'READY' || state === 'RECEIVED';

/** What a statement calls the money. */
const LABEL = 'โบนัสชวนเพื่อน';

export interface InviteDeps extends BonusDeps {
  limits: Limits;
}

const READS = { max: 10, ms: 60_000 };

/** Whether this member may trigger another read of the providers: each read calls many. */
const mayRead = (deps: InviteDeps, memberId: bigint): Promise<boolean> =>
  deps.limits.fits({ key: `invite-ask:${memberId}`, ...READS }, deps.clock.now());

/** The credits that can be received now, and their sum. Throws what keeps them from it, in the order of the contract. */
async function requireReady(
  refuse: Refuse<RefusalsOf<typeof invites.receiveInviteBonus>>,
  deps: InviteDeps,
  member: Holder,
): Promise<{ ready: bigint; credits: bigint[] }> {
  if (!deps.settings.get('invite.active')) throw refuse('INVITE_INACTIVE');
  const before = await readUnpaid(deps.pool, member.id);
  if (before.unpaid > 0n && (await mayRead(deps, member.id))) await readPlayNow(deps, member.id);
  const { unpaid, ready, credits } = await readUnpaid(deps.pool, member.id);
  if (unpaid === 0n) throw refuse('NO_INVITE_BONUS');
  if (ready === 0n) throw refuse('NO_INVITEE_PLAY_INFO');
  if (await hasActiveRun(deps.pool, member.id)) throw refuse('BONUS_REMAINING');
  const minimum = deps.settings.get('invite.minimum')[member.currency];
  if (ready < (toMinor(minimum, member.currency) ?? 0n))
    throw refuse('INVITE_COLLECT', { minimum, amount: fromMinor(ready, member.currency) });
  await requireMayEnter(refuse, deps, member);
  return { ready, credits };
}

/** Pays what can be received and starts its run, once for any number of concurrent calls. */
async function receive(
  refuse: Refuse<RefusalsOf<typeof invites.receiveInviteBonus>>,
  deps: InviteDeps,
  member: Holder,
): Promise<{ granted: bigint; runId: string }> {
  const { settings } = deps;
  return grantRun(refuse, deps, member, async () => {
    const { ready, credits } = await requireReady(refuse, deps, member);
    return {
      kind: 'invite',
      label: LABEL,
      terms: {
        success_percent: settings.get('invite.successPercent'),
        fail_percent: settings.get('invite.failPercent'),
        turnover_percent: 0,
        games: null,
        withdraw_max: null,
        days: settings.get('invite.days'),
      },
      from: await deps.systemAccount('invite_cost', member.currency),
      entryKind: 'bonus_invite',
      refusals: { BONUS_ALREADY_ACTIVE: 'BONUS_REMAINING', BONUS_REMAINING: 'BONUS_REMAINING' },
      grant: async () => ({ granted: ready }),
      attached: (run) => ({ name: 'invite_grant', row: { run, credits } }),
    };
  });
}

/** Whether the database certainly rolled back: data exceptions, violated constraints and errors raised by routines. */
const isRolledBack = (error: unknown): boolean =>
  /^(22|23|P0)/.test((error as { code?: string } | null)?.code ?? '');

/**
 * Throws why nothing was paid. An earlier call of the same intent may have received everything. An error after which the
 * outcome is unknown is thrown as it is.
 */
async function fail(
  refuse: Refuse<'INVITE_BONUS_FAIL' | 'NO_INVITE_BONUS'>,
  deps: InviteDeps,
  member: Holder,
  log: FastifyRequest['log'],
  error: unknown,
): Promise<never> {
  if (!(error instanceof Refusal)) {
    if (!isRolledBack(error)) throw error;
    log.error({ err: error }, 'invite bonus not booked');
    throw refuse('INVITE_BONUS_FAIL');
  }
  if (error.code === 'BONUS_REMAINING' && (await readUnpaid(deps.pool, member.id)).unpaid === 0n)
    throw refuse('NO_INVITE_BONUS');
  throw error;
}

/** Lists the members that a member has invited, and pays the invite shares. */
export function inviteCalls(declare: Declare, deps: InviteDeps): void {
  declare(invites.listInvites, async ({ member, body: { page, limit } }) => {
    const { settings } = deps;
    const [rows, total, unpaid] = await Promise.all([
      listInvites(deps.pool, member.id, { limit, offset: (page - 1) * limit }),
      countInvites(deps.pool, member.id),
      readUnpaid(deps.pool, member.id),
    ]);
    const invites = rows.map((row) => ({
      from: { name: row.name },
      amount: earns(row) ? fromMinor(row.amount ?? 0n, member.currency) : 0,
      createdAt: row.created_at.toISOString(),
      status: row.state ? STATUS[row.state] : ('JOINED' as const),
    }));
    const terms = {
      isOpen: settings.get('invite.active'),
      percent: settings.get('invite.percent'),
      most: settings.get('invite.most')[member.currency],
      betTimes: settings.get('invite.betTimes'),
    };
    return { invites, total, ready: fromMinor(unpaid.ready, member.currency), terms };
  });
  declare(invites.receiveInviteBonus, async ({ member, request, refuse }) => {
    const { granted, runId } = await receive(refuse, deps, member).catch((error) =>
      fail(refuse, deps, member, request.log, error),
    );
    return {
      message: 'INVITE_BONUS_SUCCESS' as const,
      amount: fromMinor(granted, member.currency),
      statementId: runId,
    };
  });
}
