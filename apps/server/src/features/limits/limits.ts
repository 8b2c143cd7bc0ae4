import { DAY_MS } from '@krapao/contract/durations';
import { limits } from '@krapao/contract/member';
import { type Currency, fromMinor, toMinor } from '@krapao/contract/shared';
import type { Declare } from '../../platform/http/declare.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { inTransaction } from '../../platform/transaction.ts';
import type { LimitPolicyDeps } from './policy.ts';
import {
  type ExclusionLength,
  findExclusion,
  insertExclusion,
  type LimitKind,
  type LimitPeriod,
  type LimitRow,
  listLimits,
  lockLimits,
  readUse,
  saveLimit,
} from './queries.ts';

const RAISE_MS = DAY_MS;
const REMINDER_MINUTES = { min: 15, max: 1_440 };
const ALL: readonly (readonly [LimitKind, LimitPeriod])[] = [
  ['deposit', 'day'],
  ['deposit', 'week'],
  ['deposit', 'month'],
  ['loss', 'day'],
  ['loss', 'week'],
  ['loss', 'month'],
  ['reminder', 'session'],
];
const INTERVALS: Record<ExclusionLength, string | null> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '6m': '6 months',
  '1y': '1 year',
  forever: null,
};

const empty = (kind: LimitKind, period: LimitPeriod): LimitRow => ({
  kind,
  period,
  amount: null,
  next_amount: null,
  next_from: null,
});

/** A stored limit as the wire writes it: money in the member's currency, a reminder in minutes. */
function wireOf(kind: LimitKind, stored: bigint | null, currency: Currency): number | null {
  if (stored === null) return null;
  return kind === 'reminder' ? Number(stored) : fromMinor(stored, currency);
}

async function viewOf({ pool, clock }: LimitPolicyDeps, member: Member) {
  const now = clock.now();
  const [rows, uses, exclusion] = await Promise.all([
    listLimits(pool, member.id, now),
    readUse(pool, member.id, now),
    findExclusion(pool, member.id, now),
  ]);
  return {
    limits: ALL.map(([kind, period]) => {
      const row = rows.find((one) => one.kind === kind && one.period === period) ?? empty(kind, period);
      const use = uses.find((one) => one.period === period);
      const used = kind === 'deposit' ? use?.deposited : use?.lost;
      return {
        kind,
        period,
        amount: wireOf(kind, row.amount, member.currency),
        used: used === undefined ? null : fromMinor(used > 0n ? used : 0n, member.currency),
        next: row.next_from && {
          amount: wireOf(kind, row.next_amount, member.currency),
          from: row.next_from.toISOString(),
        },
      };
    }),
    break: exclusion
      ? {
          length: exclusion.length,
          startedAt: exclusion.started_at.toISOString(),
          until: exclusion.until?.toISOString() ?? null,
        }
      : null,
  };
}

/** What was typed, as it is stored; throws INVALID_REQUEST for no money, and for a reminder out of its bounds. */
function storedOf(kind: LimitKind, amount: unknown, currency: Currency): bigint {
  if (kind !== 'reminder') {
    const minor = toMinor(amount, currency);
    if (minor === null) throw new Refusal('INVALID_REQUEST', undefined, 'no amount');
    return minor;
  }
  const { min, max } = REMINDER_MINUTES;
  if (!Number.isInteger(amount) || (amount as number) < min || (amount as number) > max)
    throw new Refusal('INVALID_REQUEST', undefined, 'no reminder');
  return BigInt(amount as number);
}

/** The limit after a intent: lower at once, higher or none after a day; a intent that waits already keeps its time. */
export function afterIntent(row: LimitRow, intent: bigint | null, now: Date): LimitRow {
  const isLooser = row.amount !== null && (intent === null || intent > row.amount);
  if (!isLooser) return { ...row, amount: intent, next_amount: null, next_from: null };
  if (row.next_from && row.next_amount === intent) return row;
  return { ...row, next_amount: intent, next_from: new Date(now.getTime() + RAISE_MS) };
}

async function change(
  deps: LimitPolicyDeps,
  member: Member,
  { kind, period, intent }: { kind: LimitKind; period: LimitPeriod; intent: bigint | null },
): Promise<void> {
  if (!ALL.some(([one, other]) => one === kind && other === period))
    throw new Refusal('INVALID_REQUEST', undefined, 'no such limit');
  const now = deps.clock.now();
  await inTransaction(deps.pool, async (tx) => {
    await lockLimits(tx, member.id);
    const rows = await listLimits(tx, member.id, now);
    const row = rows.find((one) => one.kind === kind && one.period === period);
    if (!row && intent === null) return;
    await saveLimit(tx, member.id, afterIntent(row ?? empty(kind, period), intent, now), now);
  });
}

/** Declares the calls of a member's own limits, time-outs and self-exclusion. */
export function limitCalls(declare: Declare, deps: LimitPolicyDeps): void {
  declare(limits.readLimits, ({ member }) => viewOf(deps, member));
  declare(limits.setLimit, async ({ member, body: { kind, period, amount } }) => {
    await change(deps, member, { kind, period, intent: storedOf(kind, amount, member.currency) });
    return viewOf(deps, member);
  });
  declare(limits.removeLimit, async ({ member, params }) => {
    await change(deps, member, { ...params, intent: null });
    return viewOf(deps, member);
  });
  declare(limits.startExclusion, async ({ member, body: { length } }) => {
    await inTransaction(deps.pool, async (tx) => {
      await lockLimits(tx, member.id);
      await insertExclusion(tx, member.id, { length, interval: INTERVALS[length] }, deps.clock.now());
    });
    return viewOf(deps, member);
  });
}
