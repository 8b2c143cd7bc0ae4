import type { createSystemAccounts, Ledger } from '../../../ledger/index.ts';
import type { GiftState, GiftWallet, PartnerResponse } from '../../../outside/index.ts';
import type { OpenAlert } from '../../../platform/alerts.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Pool } from '../../../platform/database/db.ts';
import { forEachRow } from '../../../platform/for-each.ts';
import { addJob, addSweptJob, type JobSet } from '../../../platform/jobs.ts';
import type { Settings } from '../../../platform/settings.ts';
import { endWatch, takeWatched } from '../../../platform/watch.ts';
import { GIFT_DECISIONS, type GiftDecision, giftResponse } from './decision.ts';
import { type GiftEnd, giftEndItem } from './ledger.ts';
import {
  alertGiftUnknown,
  findGift,
  type GiftRow,
  isGiftUsed,
  listOpenGifts,
  noteFirstRefused,
  noteGiftUnknown,
  reserveFirstTry,
  reserveGiftTry,
} from './queries.ts';

export interface GiftDeps {
  pool: Pool;
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  clock: Clock;
  settings: Settings;
  /** The wallet vouchers are taken into; null when none is connected. */
  gift: GiftWallet | null;
  alert: OpenAlert;
}

const CHECK_FIRST_MS = 2_000;
const CHECK_MAX_MS = 600_000;
/** A call that ended its process left SENT behind; after this its HTTP call is over for certain. */
const ORPHAN_SECONDS = 15;

const checkDelayMs = (queries: number): number =>
  Math.min(CHECK_FIRST_MS * 2 ** Math.min(queries, 12), CHECK_MAX_MS);

export type GiftSettled =
  | { state: 'DONE'; amountMinor: bigint; walletAfterMinor: bigint | null; version: bigint | null }
  | { state: 'FAILED' }
  | { state: 'OPEN' };

/**
 * Books the end of an attempt exactly once, by any caller: what our wallet received goes to the member's.
 * A later call returns the end that was booked.
 */
export async function endGift(
  deps: Pick<GiftDeps, 'pool' | 'ledger' | 'systemAccount'>,
  row: GiftRow,
  end: GiftEnd,
): Promise<GiftSettled> {
  const isDone = 'amountMinor' in end;
  const outcome = await deps.ledger.post(
    giftEndItem(row, end, await deps.systemAccount('gift', 'BAHT'), null),
  );
  if (outcome.state === 'posted' && isDone) {
    const { balanceMinor, version } = outcome;
    return { state: 'DONE', amountMinor: end.amountMinor, walletAfterMinor: balanceMinor, version };
  }
  if (outcome.state === 'posted') return { state: 'FAILED' };
  const ended = await presentEnd(deps.pool, row.id);
  if (ended.state === 'OPEN') throw new Error(`gift ${row.id} ended as ${outcome.state}`);
  return ended;
}

/** Returns how an attempt has ended, if it has. */
async function presentEnd(pool: Pool, id: string): Promise<GiftSettled> {
  const row = await findGift(pool, id);
  if (row?.state === 'DONE')
    return { state: 'DONE', amountMinor: row.amount!, walletAfterMinor: null, version: null };
  return { state: row?.state === 'FAILED' ? 'FAILED' : 'OPEN' };
}

/** Leaves an attempt open and schedules its next check. */
async function leaveOpen(deps: GiftDeps, row: GiftRow): Promise<GiftSettled> {
  await noteGiftUnknown(deps.pool, row.id);
  await addJob(
    deps.pool,
    'gifts.resolve',
    { id: row.id },
    { key: `gifts.resolve:${row.id}`, inMs: checkDelayMs(row.asked) },
  );
  return { state: 'OPEN' };
}

/** Books what a decision ends; null when the attempt stays open. */
function endBy(
  deps: GiftDeps,
  row: GiftRow,
  decision: GiftDecision,
  response: PartnerResponse<GiftState>,
): Promise<GiftSettled> | null {
  if (response.outcome !== 'ok') return null;
  const { value } = response;
  if (decision === 'book' && value.state === 'OURS')
    return endGift(deps, row, { amountMinor: value.amountMinor });
  if (decision === 'fail' && value.state === 'CLOSED') return endGift(deps, row, { reason: value.reason });
  return null;
}

/** Books the outcome that the service's response proves; otherwise the attempt stays open. */
async function settleRedemption(
  deps: GiftDeps,
  row: GiftRow,
  response: PartnerResponse<GiftState>,
  moment: 'first redemption' | 'late first redemption' | 'repeated redemption',
): Promise<GiftSettled> {
  const decision = GIFT_DECISIONS[moment][giftResponse(response)];
  return (await endBy(deps, row, decision, response)) ?? leaveOpen(deps, row);
}

/**
 * Redeems the voucher of a new attempt, and books the outcome that the response proves. An attempt that was redeemed or
 * settled meanwhile is not redeemed again here. A refusal ends it only once this is recorded, so that no repeat is sent.
 */
export async function redeemFirst(deps: GiftDeps, id: string): Promise<GiftSettled> {
  const row = await findGift(deps.pool, id);
  if (!row || !deps.gift) throw new Error(`gift ${id} vanished`);
  if (!(await reserveFirstTry(deps.pool, id))) return presentEnd(deps.pool, id);
  const response = await deps.gift.redeem(row.code);
  const closed = response.outcome === 'ok' && response.value.state === 'CLOSED' ? response.value : null;
  const isLate = closed !== null && !(await noteFirstRefused(deps.pool, id, closed.reason));
  return settleRedemption(deps, row, response, isLate ? 'late first redemption' : 'first redemption');
}

const UNREPORTED = 'the gift service has not reported whether we received it';

/** Alerts operators to an attempt whose outcome has been unknown for long. */
async function alertUnreported(deps: GiftDeps, { id, age_seconds }: GiftRow): Promise<void> {
  if (age_seconds <= deps.settings.get('unknown.alertMinutes') * 60) return;
  await deps.alert('gift-unknown', `gift:${id}`, UNREPORTED, (now) =>
    alertGiftUnknown(deps.pool, id, UNREPORTED, now),
  );
}

/**
 * Resolves an attempt: our ticket proves that we have the money, a complete list of takers without us that
 * we have not. A voucher that is still open is redeemed again once the earlier call must be over: a wallet gets one share
 * only. An outcome that proves neither is queried again, and alerts operators when it lasts, also
 * while no gift service is configured.
 */
async function resolve(deps: GiftDeps, id: string): Promise<void> {
  const found = await findGift(deps.pool, id);
  if (found?.state !== 'SENT' && found?.state !== 'UNKNOWN') return;
  // The member's call may have ended without it: from here on its failure is notified.
  if (found.asked === 0) await noteGiftUnknown(deps.pool, id);
  const row = { ...found, asked: Math.max(found.asked, 1) };
  if (!deps.gift) return alertUnreported(deps, row);
  const response = await deps.gift.look(row.code);
  const isGraceOver = row.tried_seconds >= deps.settings.get('unknown.absentGraceSeconds');
  const moment = isGraceOver ? 'look after the grace' : 'look within the grace';
  const decision = GIFT_DECISIONS[moment][giftResponse(response)];
  if (await endBy(deps, row, decision, response)) return;
  // The first redemption was refused and no other was sent: only the end was not booked.
  if (row.reason !== null) return void (await endGift(deps, row, { reason: row.reason }));
  if (decision === 'redeem' && (await reserveGiftTry(deps.pool, row))) {
    const second = await deps.gift.redeem(row.code);
    const settled = await settleRedemption(deps, row, second, 'repeated redemption');
    if (settled.state !== 'OPEN') return;
  } else await leaveOpen(deps, row);
  await alertUnreported(deps, row);
}

/** Checks vouchers of failed attempts; one that our wallet received after all is reported to operators. */
async function checkFailed(deps: GiftDeps): Promise<void> {
  const { gift } = deps;
  if (!gift) return;
  const watchDays = deps.settings.get('unknown.watchDays');
  await forEachRow(await takeWatched(deps.pool, 'gift_redemption', watchDays), async (id) => {
    const row = await findGift(deps.pool, id);
    // A later attempt for the same voucher may have taken our part.
    if (!row || (await isGiftUsed(deps.pool, row.code))) return;
    const kind = giftResponse(await gift.look(row.code));
    if (GIFT_DECISIONS['look after failure'][kind] !== 'alert' || (await isGiftUsed(deps.pool, row.code)))
      return;
    await deps.alert(
      'gift-contradicts',
      `gift:${id}`,
      'our wallet has the voucher of an attempt that failed',
    );
    await endWatch(deps.pool, 'gift_redemption', id);
  });
}

/** Lists the jobs that resolve attempts without a response. */
export function giftJobs(deps: GiftDeps): JobSet {
  return {
    partner: 'gifts',
    tasks: {
      'gifts.resolve': (payload) => resolve(deps, (payload as { id: string }).id),
      'gifts.sweep': async () => {
        for (const id of await listOpenGifts(deps.pool, ORPHAN_SECONDS))
          await addSweptJob(deps.pool, 'gifts.resolve', { id }, `gifts.resolve:${id}`);
      },
      'gifts.watch': () => checkFailed(deps),
    },
    everyMinute: ['gifts.sweep', 'gifts.watch'],
  };
}
