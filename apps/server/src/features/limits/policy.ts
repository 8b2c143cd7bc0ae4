import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Pool } from '../../platform/database/db.ts';
import type { Refusal, Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  findExclusion,
  insertOffer,
  listLimits,
  lockLimits,
  readLimitPolicy,
  readUse,
  type UseRow,
} from './queries.ts';

/** Codes with which a member's own limits refuse. */
export type LimitCode = 'SELF_EXCLUDED' | 'LIMIT_REACHED';

/** The one place that decides whether a member may be offered to pay in, or may play. */
export interface LimitPolicyDeps {
  pool: Pool;
  clock: Clock;
}

type Holder = { id: bigint; currency: Currency };

/** Throws SELF_EXCLUDED during a time-out or self-exclusion, with its end or null; returns whether the member has limits. */
async function isLimited(
  refuse: Refuse<'SELF_EXCLUDED'>,
  deps: LimitPolicyDeps,
  member: Holder,
): Promise<boolean> {
  const policy = await readLimitPolicy(deps.pool, member.id, deps.clock.now());
  if (!policy.is_excluded) return policy.is_limited;
  const exclusion = await findExclusion(deps.pool, member.id, deps.clock.now());
  throw refuse('SELF_EXCLUDED', { until: exclusion?.until?.toISOString() ?? null });
}

const spent = (use: UseRow, kind: 'deposit' | 'loss'): bigint =>
  kind === 'deposit' ? use.deposited + use.offered : use.lost;

/** LIMIT_REACHED with the limit, and what it leaves in the member's currency. */
function refusalOf(
  refuse: Refuse<'LIMIT_REACHED'>,
  { currency }: Holder,
  limit: { kind: string; period: string },
  left: bigint,
): Refusal {
  const room = fromMinor(left > 0n ? left : 0n, currency);
  return refuse('LIMIT_REACHED', { ...limit, left: room, currency });
}

/**
 * Throws LIMIT_REACHED when a limit of these kinds is used up, or when the amount does not fit into a deposit limit any
 * more. Without an amount one that still has a minor unit left passes. Returns what the deposit limits leave in minor
 * units, null without one.
 */
async function requireLimitLeft(
  refuse: Refuse<'LIMIT_REACHED'>,
  db: Db,
  member: Holder,
  now: Date,
  want: { kinds: readonly string[]; amountMinor: bigint },
): Promise<bigint | null> {
  let smallest: bigint | null = null;
  const [limits, uses] = [await listLimits(db, member.id, now), await readUse(db, member.id, now)];
  for (const { kind, period, amount } of limits) {
    const use = uses.find((one) => one.period === period);
    if (amount === null || kind === 'reminder' || !use || !want.kinds.includes(kind)) continue;
    const more = kind === 'deposit' ? want.amountMinor : 1n;
    const left = amount - spent(use, kind);
    if (more > left) throw refusalOf(refuse, member, { kind, period }, left);
    if (kind === 'deposit' && (smallest === null || left < smallest)) smallest = left;
  }
  return smallest;
}

/**
 * Throws SELF_EXCLUDED or LIMIT_REACHED when the member may not be shown a way to pay in. `amountMinor` is what must
 * still fit into the deposit limits: 0 while an offer is open that may have used them up. Returns what they leave in
 * minor units, null without one.
 */
export async function requireMayDeposit(
  refuse: Refuse<LimitCode>,
  deps: LimitPolicyDeps,
  member: Holder,
  amountMinor = 1n,
): Promise<bigint | null> {
  if (!(await isLimited(refuse, deps, member))) return null;
  const kinds = ['deposit', 'loss'];
  return requireLimitLeft(refuse, deps.pool, member, deps.clock.now(), { kinds, amountMinor });
}

/**
 * Throws SELF_EXCLUDED or LIMIT_REACHED when the member may not begin to play or bring money into a game.
 * @param readLosses reads what was lost since the last reading; called only for a member with a loss limit
 */
export async function requireMayPlay(
  refuse: Refuse<LimitCode>,
  deps: LimitPolicyDeps,
  member: Holder,
  readLosses?: () => Promise<unknown>,
): Promise<void> {
  if (!(await isLimited(refuse, deps, member))) return;
  const isLossLimit = ({ kind, amount }: { kind: string; amount: bigint | null }) =>
    kind === 'loss' && amount !== null;
  if (readLosses && (await listLimits(deps.pool, member.id, deps.clock.now())).some(isLossLimit))
    await readLosses();
  await requireLimitLeft(refuse, deps.pool, member, deps.clock.now(), { kinds: ['loss'], amountMinor: 0n });
}

/**
 * Counts an offer to pay this amount, before it is made: it counts against the member's deposit limits until it has
 * become a deposit under the same id or is over, also when it was taken back, since it can still be paid. Concurrent
 * offers are serialised. Throws SELF_EXCLUDED or LIMIT_REACHED.
 */
export async function reserveOffer(
  refuse: Refuse<LimitCode>,
  deps: LimitPolicyDeps,
  member: Holder,
  offer: { id: string; amountMinor: bigint; expiresAt: Date },
): Promise<void> {
  if (!(await isLimited(refuse, deps, member))) return;
  await inTransaction(deps.pool, async (tx) => {
    await lockLimits(tx, member.id);
    const want = { kinds: ['deposit', 'loss'], amountMinor: offer.amountMinor };
    await requireLimitLeft(refuse, tx, member, deps.clock.now(), want);
    await insertOffer(tx, { ...offer, memberId: member.id });
  });
}
