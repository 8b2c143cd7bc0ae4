import { DAY_MS } from '@krapao/contract/durations';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { Pool } from '../../platform/database/db.ts';
import { type FlagRow, readFlags } from './flag-queries.ts';

const REFUSED_SLIPS = 3;

interface Flag {
  kind: 'EXCLUDED' | 'NEW_ACCOUNT' | 'SLIPS_REFUSED' | 'UNPLAYED' | 'PAID_TWICE' | 'SHARED_BROWSER';
  count: number | null;
  amount: number | null;
  at: string | null;
}

const flag = (kind: Flag['kind'], at: Date | null, more: Partial<Flag> = {}): Flag => ({
  kind,
  count: null,
  amount: null,
  at: at?.toISOString() ?? null,
  ...more,
});

function flagsOf(row: FlagRow, exclusion: { until: Date | null } | undefined, currency: Currency): Flag[] {
  return [
    ...(exclusion ? [flag('EXCLUDED', exclusion.until)] : []),
    ...(row.cool_until ? [flag('NEW_ACCOUNT', row.cool_until)] : []),
    ...(row.refused_slips >= REFUSED_SLIPS
      ? [flag('SLIPS_REFUSED', row.last_refused, { count: row.refused_slips })]
      : []),
    ...(row.unplayed_amount === null
      ? []
      : [flag('UNPLAYED', row.unplayed_at, { amount: fromMinor(row.unplayed_amount, currency) })]),
    ...(row.contradicted_at ? [flag('PAID_TWICE', row.contradicted_at)] : []),
    ...(row.sharing > 0 ? [flag('SHARED_BROWSER', row.last_shared, { count: row.sharing })] : []),
  ];
}

/** What of a member deserves a look, reckoned from what is kept anyway; empty for who gives no cause. */
export async function listFlags(
  pool: Pool,
  member: { id: bigint; currency: Currency },
  exclusion: { until: Date | null } | undefined,
  now: Date,
): Promise<Flag[]> {
  const back = (days: number) => new Date(now.getTime() - days * DAY_MS);
  return flagsOf(
    await readFlags(pool, member.id, { now, week: back(7), month: back(30) }),
    exclusion,
    member.currency,
  );
}

/** Flags that send a withdrawal to review; an exclusion and a cooling-off period have rules of their own. */
const RISKS: readonly Flag['kind'][] = ['SLIPS_REFUSED', 'UNPLAYED', 'PAID_TWICE', 'SHARED_BROWSER'];

/** Whether a member's last days give cause to look at a withdrawal before it is paid. */
export async function isRisky(
  pool: Pool,
  member: { id: bigint; currency: Currency },
  now: Date,
): Promise<boolean> {
  const flags = await listFlags(pool, member, undefined, now);
  return flags.some(({ kind }) => RISKS.includes(kind));
}
