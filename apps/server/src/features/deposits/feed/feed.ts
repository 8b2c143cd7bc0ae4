import { MINUTE_MS } from '@krapao/contract/durations';
import type { BankFeed, FeedLine } from '../../../outside/index.ts';
import type { OpenAlert } from '../../../platform/alerts.ts';
import { entityRef } from '../../../platform/entity-ref.ts';
import { forEachRow } from '../../../platform/for-each.ts';
import type { JobSet } from '../../../platform/jobs.ts';
import type { Settings } from '../../../platform/settings.ts';
import type { MatchDeps, Transfer } from '../matching/match.ts';
import { type EvidenceRow, listDisplaced } from '../matching/queries.ts';
import { receiveTransfer } from '../matching/receive.ts';
import { alertSilent, type FeedRow, moveCursor, releaseFeed, startFeeds, takeFeeds } from './queries.ts';

export interface FeedDeps extends MatchDeps {
  settings: Settings;
  alert: OpenAlert;
}

/** Another reader takes over after a crash; two concurrent readers book nothing twice. */
const TAKEN_MS = 20_000;
const PAGES_MAX = 20;

const transferOf = (feed: FeedRow, line: FeedLine): Transfer => ({
  source: 'FEED',
  bankCode: feed.bank_code,
  accountNo: feed.account_no,
  currency: feed.currency,
  bankReference: line.bankReference,
  amountMinor: line.amountMinor,
  payerBank: line.payerBank,
  payerAccount: line.payerMask,
  payerName: line.payerName,
  reference1: line.reference1,
  paidAt: line.paidAt,
});

/** Reads one feed on to its end. The cursor follows only after all before it is booked, so nothing is skipped. */
async function readFeed(deps: FeedDeps, bank: BankFeed, feed: FeedRow): Promise<void> {
  const account = { bankCode: feed.bank_code, accountNo: feed.account_no, currency: feed.currency };
  let at = feed;
  for (let page = 0; page < PAGES_MAX; page++) {
    const response = await bank.read(account, { cursor: at.cursor, since: at.started_at });
    if (response.outcome !== 'ok') {
      const why = response.outcome === 'rejected' ? response.code : response.note;
      const now = deps.clock.now();
      const silentSince = new Date(now.getTime() - deps.settings.get('unknown.alertMinutes') * MINUTE_MS);
      const detail = `${feed.bank_code} ${feed.account_no}: ${why}`;
      await deps.alert('feed-silent', entityRef('deposit-account', feed.deposit_account_id), detail, () =>
        alertSilent(deps.pool, feed, { detail, silentSince, now }),
      );
      return;
    }
    for (const line of response.value.lines) await receiveTransfer(deps, transferOf(feed, line));
    const moved = { cursor: response.value.next, receivedAt: deps.clock.now() };
    await moveCursor(deps.pool, at, moved);
    at = { ...at, cursor: moved.cursor };
    if (!response.value.more) return;
  }
}

/** Reads every watched account on from where it was left; accounts another instance reads now are left to it. */
export async function readFeeds(deps: FeedDeps, bank: BankFeed): Promise<void> {
  await startFeeds(deps.pool, deps.clock.now());
  const feeds = await takeFeeds(deps.pool, TAKEN_MS);
  const read = (feed: FeedRow) => readFeed(deps, bank, feed).finally(() => releaseFeed(deps.pool, feed));
  await forEachRow(feeds, read, feeds.length);
}

/** Stored evidence. */
function storedTransfer(deps: MatchDeps, row: EvidenceRow): Transfer {
  const payer: { account: string; name: string } = JSON.parse(
    deps.secrets.decrypt('payer', row.payer_sealed),
  );
  return {
    source: row.source,
    bankCode: row.bank_code,
    accountNo: row.account_no,
    currency: row.currency,
    bankReference: row.bank_reference,
    amountMinor: row.amount,
    payerBank: row.payer_bank,
    payerAccount: payer.account,
    payerName: payer.name,
    reference1: row.reference1,
    paidAt: row.paid_at,
  };
}

/** Decides again what had been taken for another transfer until that one arrived with its reference. */
async function decideDisplaced(deps: MatchDeps): Promise<void> {
  await forEachRow(await listDisplaced(deps.pool), (row) => receiveTransfer(deps, storedTransfer(deps, row)));
}

/** Jobs of the feed deposit. The feeds are read every few seconds besides, see `watchFeeds`. */
export function feedJobs(deps: FeedDeps, bank: BankFeed): JobSet {
  return {
    partner: 'feeds',
    tasks: {
      'feeds.read': async () => {
        await readFeeds(deps, bank);
        await decideDisplaced(deps);
      },
    },
    everyMinute: ['feeds.read'],
  };
}

/** Reads the feeds every `feed.seconds` until stopped; stop waits for a reading under way. */
export function watchFeeds(
  deps: FeedDeps,
  bank: BankFeed,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> = Promise.resolve();
  const turn = () => {
    reading = readFeeds(deps, bank)
      .then(() => decideDisplaced(deps))
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(turn, deps.settings.get('feed.seconds') * 1000);
      });
  };
  timer = setTimeout(turn, 0);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await reading;
    },
  };
}
