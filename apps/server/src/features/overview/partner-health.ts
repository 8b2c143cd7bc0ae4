import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { type PartnerName, today } from '@krapao/contract/operator';
import { type PartnerCall, partnerCalls } from '../../outside/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { JobSet } from '../../platform/jobs.ts';
import { maskedAccountNo } from '../../platform/masks.ts';
import type { OverviewDeps } from './overview.ts';
import { alertBelow } from './partner-credit.ts';
import {
  addMinute,
  deleteMinutes,
  listCredits,
  listFeeds,
  listPartners,
  type MinuteCounts,
} from './partner-queries.ts';

/** The setting with each partner's address. */
const ADDRESSES = {
  bank: 'BANK_A_URL',
  feed: 'BANK_B_URL',
  ww: 'WW_URL',
  zapman: 'ZAPMAN_URL',
  gift: 'GIFT_URL',
  slip: 'SLIP_URL',
  sms: 'SMS_URL',
  push: 'PUSH_URL',
  'game-f': 'GAME_F_URL',
  'game-j': 'GAME_J_URL',
} as const satisfies Record<PartnerName, keyof Config>;

const FLUSH_MS = 10_000;
const KEPT_HOURS = 24;

/** Returns whose address a URL begins with; the longest address wins. */
function partnerOf(config: Config): (url: string) => PartnerName | null {
  const known = (Object.entries(ADDRESSES) as [PartnerName, keyof Config][])
    .map(([name, key]) => ({ name, address: String(config[key]).replace(/\/$/, '') }))
    .filter(({ address }) => address !== '')
    .toSorted((a, b) => b.address.length - a.address.length);
  return (url) =>
    known.find(
      ({ address }) => url === address || url.startsWith(`${address}/`) || url.startsWith(`${address}?`),
    )?.name ?? null;
}

interface HealthDeps {
  config: Config;
  clock: Clock;
  pool: Pool;
}

/**
 * Counts this process's calls to partners by the minute and adds them to the database every ten seconds. Counts of a
 * failed write are added to the next one; a crash loses them, which only affects information.
 */
export function countPartnerCalls({ config, clock, pool }: HealthDeps, onError: (error: unknown) => void) {
  const nameOf = partnerOf(config);
  const counts = new Map<string, MinuteCounts>();
  const add = (key: string, more: MinuteCounts) => {
    const row = counts.get(key) ?? { calls: 0, failed: 0, totalMs: 0, maxMs: 0 };
    counts.set(key, {
      calls: row.calls + more.calls,
      failed: row.failed + more.failed,
      totalMs: row.totalMs + more.totalMs,
      maxMs: Math.max(row.maxMs, more.maxMs),
    });
  };
  const count = (message: unknown) => {
    const { url, tookMs, isFine } = message as PartnerCall;
    const name = nameOf(url);
    if (!name) return;
    const minute = Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
    // Whole per call: an average of them is not above the slowest.
    const ms = Math.round(tookMs);
    add(`${name} ${minute}`, { calls: 1, failed: isFine ? 0 : 1, totalMs: ms, maxMs: ms });
  };
  const flush = async () => {
    for (const [key, row] of [...counts]) {
      counts.delete(key);
      const [name, minute] = key.split(' ') as [PartnerName, string];
      await addMinute(pool, name, new Date(Number(minute)), row).catch((error: unknown) => {
        add(key, row);
        throw error;
      });
    }
  };
  const flushSafely = () => flush().catch(onError);
  partnerCalls.subscribe(count);
  const timer = setInterval(flushSafely, FLUSH_MS);
  timer.unref();
  return {
    flush,
    /** Stops counting and writes what was counted. */
    async stop(): Promise<void> {
      clearInterval(timer);
      partnerCalls.unsubscribe(count);
      await flushSafely();
    },
  };
}

/** Forgets counts that are older than a day. */
export const partnerJobs = ({ pool, clock }: Omit<HealthDeps, 'config'>): JobSet => ({
  tasks: {
    'partners.forget': () => deleteMinutes(pool, new Date(clock.now().getTime() - KEPT_HOURS * HOUR_MS)),
  },
  everyMinute: [],
  everyHour: ['partners.forget'],
});

/** Answers how partners do. */
export function partnerCall(declare: OperatorDeclare, { pool, clock, settings }: OverviewDeps): void {
  declare(today.readPartners, async () => {
    const now = clock.now().getTime();
    const [partners, feeds, credits] = await Promise.all([
      listPartners(pool, new Date(now - HOUR_MS)),
      listFeeds(pool),
      listCredits(pool),
    ]);
    const silentMs = settings.get('unknown.alertMinutes') * MINUTE_MS;
    return {
      partners: partners.map((row) => ({
        partner: row.partner as PartnerName,
        calls: row.calls,
        failed: row.failed,
        averageMs: row.average_ms,
        slowestMs: row.max_ms,
        lastFailedAt: row.last_failed?.toISOString() ?? null,
      })),
      credits: credits.map(({ partner, agent, credit, read_at }) => ({
        partner: partner as PartnerName,
        agent,
        credit: Number(credit),
        isLow: Number(credit) < alertBelow(settings, partner),
        readAt: read_at.toISOString(),
      })),
      feeds: feeds.map((row) => ({
        bankCode: row.bank_code,
        accountNo: maskedAccountNo(row.account_no),
        answeredAt: row.heard_at.toISOString(),
        isSilent: now - row.heard_at.getTime() > silentMs,
      })),
    };
  });
}
