import type { createSystemAccounts, Ledger } from '../../ledger/index.ts';
import {
  BANK_CURRENCY,
  type PartnerResponse,
  type PayoutBank,
  type PayoutNews,
} from '../../outside/index.ts';
import type { OpenAlert } from '../../platform/alerts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import { forEachRow } from '../../platform/for-each.ts';
import { addJob, addSweptJob, type JobSet } from '../../platform/jobs.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import { endWatch, takeWatched } from '../../platform/watch.ts';
import { findPendingOf } from '../approvals/read.ts';
import { createFence } from './fence.ts';
import {
  PAYOUT_DECISIONS,
  type PayoutDecision,
  type PayoutMoment,
  payoutResponse,
  statusMoment,
} from './payout-decision.ts';
import {
  alertPayoutUnknown,
  countChecked,
  findPayout,
  findWithdrawal,
  listOpenPayouts,
  noteFirstRefused,
  noteOrder,
  noteQuestion,
  takeAbsent,
  takeFirst,
  takeQueued,
  type WithdrawalRow,
} from './queries.ts';
import { settleWithdrawal } from './settle.ts';

export interface PayoutDeps {
  pool: Pool;
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
  config: Pick<Config, 'DATABASE_STANDBY'>;
  /** The bank that pays out. */
  payoutBank: PayoutBank;
  /** Opens an alert for operators, one for each subject, that something is open for too long. */
  alert: OpenAlert;
}

const TAKE_MAX = 20;
const CHECK_FIRST_MS = 1_000;
const CHECK_MAX_MS = 600_000;
/** The maximum number of queries about a manual settlement, for about a week. */
const BOOKED_CHECKS_MAX = 1_000;
/** A worker that crashed between taking and recording leaves SENT; its call is certainly over then. */
const ORPHAN_SECONDS = 20;
/** An order is at most so many calls of the bank: a token and the order, and both again when the token was not known. */
const ORDER_CALLS = 4;

/** The age at which the call of an order is certainly over. */
const orderOverSeconds = ({ settings }: Pick<PayoutDeps, 'settings'>): number =>
  Math.max(ORPHAN_SECONDS, ORDER_CALLS * settings.get('bank.timeoutSeconds'));

/** Most banks pay within seconds, and a member watches: the first questions stand close together. */
const checkDelayMs = (queries: number): number =>
  Math.min(CHECK_FIRST_MS * 1.5 ** Math.min(queries, 20), CHECK_MAX_MS);

const contradict = (deps: PayoutDeps, id: string, detail: string) =>
  deps.alert('payout-contradicts', `withdrawal:${id}`, detail);

/** Books that the bank has paid. Alerts operators when it is booked otherwise, or may be. */
async function settlePaid(deps: PayoutDeps, row: WithdrawalRow): Promise<void> {
  await settleWithdrawal(
    deps,
    row,
    { paidBy: deps.payoutBank.code },
    { actor: 'system', payoutState: 'PAID' },
    null,
  );
  const ended = await findWithdrawal(deps.pool, row.id);
  if (ended?.status === 'FAILED')
    await contradict(deps, row.id, "given back to the wallet before, paid by the bank's word now");
  else if (ended?.proof)
    await contradict(deps, row.id, 'booked as paid manually, now reported as paid by the bank');
  else if (await findPendingOf(deps.pool, `withdrawal:${row.id}`, 'withdrawal.paid'))
    await contradict(
      deps,
      row.id,
      'an operator requests to book it as paid manually, the bank now reports it as paid',
    );
}

const checkLater = (deps: PayoutDeps, id: string, queries: number) =>
  addJob(deps.pool, 'withdrawals.ask', { id }, { key: `withdrawals.ask:${id}`, inMs: checkDelayMs(queries) });

const reasonOf = (response: PartnerResponse<PayoutNews>): string =>
  response.outcome === 'ok'
    ? (response.value.reason ?? 'refused by the bank')
    : `refused by the bank: ${response.outcome === 'rejected' ? response.code : ''}`;

const UNREPORTED = 'the bank has not reported whether it paid';

/** Plans the next status request, and alerts operators when the outcome has been unknown for too long. */
async function waitOn(deps: PayoutDeps, id: string): Promise<void> {
  const payout = await findPayout(deps.pool, id);
  if (payout && payout.age_seconds > deps.settings.get('unknown.alertMinutes') * 60)
    await deps.alert('payout-unknown', `withdrawal:${id}`, UNREPORTED, (now) =>
      alertPayoutUnknown(deps.pool, id, UNREPORTED, now),
    );
  await checkLater(deps, id, payout?.asked ?? 0);
}

/** Carries out the decisions that end a payout; false when nothing has ended. */
async function endBy(
  deps: PayoutDeps,
  row: WithdrawalRow,
  decision: PayoutDecision,
  reason: string,
): Promise<boolean> {
  if (decision === 'pay') await settlePaid(deps, row);
  else if (decision !== 'release') return false;
  else {
    const by = { actor: 'system', payoutState: 'REJECTED' } as const;
    return (await settleWithdrawal(deps, row, 'released', by, reason)).state === 'posted';
  }
  return true;
}

/**
 * Sends the order to the bank and books what its answer proves at this moment, or plans a status request. `takenAt` is
 * when a repeat was taken for sending, null for the first order. A first order that is refused releases the money only
 * once this is recorded, so that no repeat is sent.
 */
async function sendOrder(deps: PayoutDeps, row: WithdrawalRow, takenAt: string | null): Promise<void> {
  const response = await order(deps, row);
  const kind = payoutResponse(response, row.amount);
  // What an order's reply calls rejected is a refusal too, until the status confirms it.
  const isRefused = kind === 'refused' || kind === 'duplicate' || kind === 'rejected';
  const refusedCode = !isRefused ? null : response.outcome === 'rejected' ? response.code : 'REJECTED';
  let moment: PayoutMoment = takenAt === null ? 'first order' : 'repeated order';
  const isRelease = refusedCode !== null && PAYOUT_DECISIONS[moment][kind] === 'release';
  if (isRelease && !(await noteFirstRefused(deps.pool, row.id, refusedCode))) moment = 'late first order';
  if (await endBy(deps, row, PAYOUT_DECISIONS[moment][kind], reasonOf(response))) return;
  const state = kind === 'accepted' ? 'ACCEPTED' : 'UNKNOWN';
  await noteOrder(deps.pool, row.id, { takenAt, state, refusedCode });
  await waitOn(deps, row.id);
}

const order = (deps: PayoutDeps, row: WithdrawalRow) =>
  deps.payoutBank.payout({
    reference: row.id,
    amountMinor: row.amount,
    bankCode: row.bank_code,
    accountName: row.account_name,
    accountNo: deps.secrets.decrypt('bank-account', row.account_no_sealed),
  });

async function payQueued(deps: PayoutDeps): Promise<void> {
  for (;;) {
    const { ids, more } = await takeQueued(deps.pool, deps.clock.now(), TAKE_MAX, BANK_CURRENCY);
    await Promise.all(
      ids.map(async (id) => {
        const row = await findWithdrawal(deps.pool, id);
        if (row && (await takeFirst(deps.pool, id))) await sendOrder(deps, row, null);
      }),
    );
    if (!more) return;
  }
}

/**
 * Queries the bank about manual settlements of ordered payouts until it states that it pays nothing:
 * an order that arrives late pays the member a second time, which operators must know.
 */
async function checkBooked(deps: PayoutDeps, row: WithdrawalRow): Promise<void> {
  const payout = await findPayout(deps.pool, row.id);
  if (row.status !== 'SUCCESS' || row.proof === null || !payout || payout.asked >= BOOKED_CHECKS_MAX) return;
  const response = await deps.payoutBank.payoutState(row.id);
  if (response.outcome === 'ok' && response.value.state === 'PAID')
    return contradict(deps, row.id, 'booked as paid manually, now reported as paid by the bank');
  if (response.outcome === 'ok' && response.value.state === 'REJECTED') return;
  const absent = response.outcome === 'rejected' && response.code === 'ABSENT';
  if (absent && payout.order_age_seconds >= deps.settings.get('unknown.absentGraceSeconds')) return;
  await countChecked(deps.pool, row.id);
  await checkLater(deps, row.id, payout.asked);
}

/**
 * Queries the bank for the status of a payout under our reference and books what it proves. When the bank has never seen
 * the reference, even after the grace, the order is sent again under the same reference, under which the bank pays
 * once; not while a request to book it as paid manually is pending.
 */
async function checkStatus(deps: PayoutDeps, id: string): Promise<void> {
  const row = await findWithdrawal(deps.pool, id);
  if (row?.status !== 'PROCESSING') return row && checkBooked(deps, row);
  // Read before the query: the bank's response does not cover an order sent in the meantime.
  const payout = await findPayout(deps.pool, id);
  const graceSeconds = deps.settings.get('unknown.absentGraceSeconds');
  const callSeconds = payout?.state === 'SENT' ? orderOverSeconds(deps) : 0;
  const isGraceOver = payout !== undefined && payout.order_age_seconds >= graceSeconds + callSeconds;
  const response = await deps.payoutBank.payoutState(id);
  const kind = payoutResponse(response, row.amount);
  const decision = PAYOUT_DECISIONS[statusMoment(isGraceOver, payout?.refused_code ?? null)][kind];
  const takenAt =
    decision === 'order' ? await takeAbsent(deps.pool, id, graceSeconds, orderOverSeconds(deps)) : null;
  if (takenAt !== null) return sendOrder(deps, row, takenAt);
  if (await endBy(deps, row, decision, payout?.refused_code ?? reasonOf(response))) return;
  await noteQuestion(deps.pool, id, kind === 'accepted' ? 'ACCEPTED' : 'UNKNOWN', orderOverSeconds(deps));
  await waitOn(deps, id);
}

/** Queries payouts whose money was given back; one that the bank pays nevertheless alerts operators. */
async function checkReleased(deps: PayoutDeps): Promise<void> {
  const watched = await takeWatched(deps.pool, 'payout', deps.settings.get('unknown.watchDays'));
  await forEachRow(watched, async (id) => {
    const row = await findWithdrawal(deps.pool, id);
    if (!row) return;
    const kind = payoutResponse(await deps.payoutBank.payoutState(id), row.amount);
    if (PAYOUT_DECISIONS['status after release'][kind] !== 'alert') return;
    await contradict(deps, id, `given back to the wallet before, ${kind} by the bank's word now`);
    if (kind === 'paid') await endWatch(deps.pool, 'payout', id);
  });
}

/** Jobs that pay queued withdrawals and learn the outcome of payouts. */
export function payoutJobs(deps: PayoutDeps): JobSet {
  const checkFence = createFence(deps);
  return {
    partner: 'payouts',
    tasks: {
      'withdrawals.pay': () => payQueued(deps),
      'withdrawals.ask': (payload) => checkStatus(deps, (payload as { id: string }).id),
      'withdrawals.sweep': async () => {
        await checkFence();
        for (const id of await listOpenPayouts(deps.pool, orderOverSeconds(deps)))
          await addSweptJob(deps.pool, 'withdrawals.ask', { id }, `withdrawals.ask:${id}`);
        await payQueued(deps);
      },
      'withdrawals.watch': () => checkReleased(deps),
    },
    everyMinute: ['withdrawals.sweep', 'withdrawals.watch'],
  };
}
