import type { Pool } from 'pg';
import type { createHouseAccounts, Ledger } from '../../ledger/index.ts';
import { BANK_CURRENCY, type Bank, type PartnerAnswer, type PayoutNews } from '../../outside/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { addJob, type JobSet } from '../../platform/jobs.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import {
  findPayout,
  findWithdrawal,
  listOpenPayouts,
  notePayout,
  takeQueued,
  type WithdrawalRow,
} from './queries.ts';

export interface PayoutDeps {
  pool: Pool;
  ledger: Ledger;
  house: ReturnType<typeof createHouseAccounts>;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
  /** The bank that pays out. */
  bank: Bank;
  /** Tells operators, once a thing, that something is open for too long. */
  alert(kind: string, thing: string, detail: string): Promise<void>;
}

const TAKE_MAX = 20;
const ASK_FIRST_MS = 1_000;
const ASK_MAX_MS = 600_000;
/** A worker that died between taking and noting leaves SENT behind; after this its call is over for certain. */
const ORPHAN_SECONDS = 20;

/** Most banks pay within seconds, and a member watches: the first questions stand close together. */
const askDelayMs = (asked: number): number => Math.min(ASK_FIRST_MS * 1.5 ** Math.min(asked, 20), ASK_MAX_MS);

/**
 * Books the end of a withdrawal exactly once: paid money leaves the hold for the bank, refused money goes back to the
 * wallet in the same instant. A later call changes nothing and answers false.
 */
export async function endWithdrawal(
  deps: Pick<PayoutDeps, 'ledger' | 'house'>,
  row: WithdrawalRow,
  end: { paidBy?: string; reason?: string; actor: string; payoutState: 'PAID' | 'REJECTED' | null },
): Promise<boolean> {
  const paid = end.paidBy !== undefined;
  const to = paid ? await deps.house(`bank:${end.paidBy}`, row.currency) : row.wallet_account;
  const outcome = await deps.ledger.post({
    reference: `withdrawal:${row.id}:end`,
    kind: paid ? 'withdrawal_paid' : 'withdrawal_released',
    memberId: row.member_id,
    hold: { op: paid ? 'post' : 'release', key: `withdrawal:${row.id}` },
    legs: [{ from: row.hold_account, to, amountMinor: row.amount }],
    companion: {
      name: 'withdrawal_end',
      values: [
        row.id,
        row.member_id,
        row.amount,
        paid ? 'SUCCESS' : 'FAILED',
        end.reason ?? null,
        end.actor,
        end.payoutState,
      ],
    },
  });
  return outcome.state === 'posted';
}

/** An answer about another amount proves nothing about this payout. */
const about = (row: WithdrawalRow, answer: PartnerAnswer<PayoutNews>): PartnerAnswer<PayoutNews> =>
  answer.outcome === 'ok' && answer.value.amountMinor !== row.amount
    ? { outcome: 'unknown', note: 'answer about another amount' }
    : answer;

/** Books what the bank has said to an order or about it, or sees to it that the bank is asked again. */
async function settle(deps: PayoutDeps, row: WithdrawalRow, said: PartnerAnswer<PayoutNews>): Promise<void> {
  const answer = about(row, said);
  if (answer.outcome === 'ok' && answer.value.state === 'PAID') {
    await endWithdrawal(deps, row, { paidBy: deps.bank.code, actor: 'system', payoutState: 'PAID' });
    return;
  }
  const refused =
    (answer.outcome === 'ok' && answer.value.state === 'REJECTED') ||
    (answer.outcome === 'rejected' && answer.code !== 'ABSENT');
  if (refused) {
    const reason =
      answer.outcome === 'ok'
        ? (answer.value.reason ?? 'refused by the bank')
        : `refused by the bank: ${answer.outcome === 'rejected' ? answer.code : ''}`;
    await endWithdrawal(deps, row, { reason, actor: 'system', payoutState: 'REJECTED' });
    return;
  }
  const payout = await findPayout(deps.pool, row.id);
  await notePayout(deps.pool, row.id, answer.outcome === 'ok' ? 'ACCEPTED' : 'UNKNOWN');
  if (payout && payout.age_seconds > deps.settings.get('unknown.alertMinutes') * 60) {
    await deps.alert('payout-unknown', `withdrawal:${row.id}`, 'the bank has not said whether it paid');
  }
  await addJob(
    deps.pool,
    'withdrawals.ask',
    { id: row.id },
    { key: `withdrawals.ask:${row.id}`, inMs: askDelayMs(payout?.asked ?? 0) },
  );
}

const order = (deps: PayoutDeps, row: WithdrawalRow) =>
  deps.bank.payout({
    reference: row.id,
    amountMinor: row.amount,
    bankCode: row.bank_code,
    accountName: row.account_name,
    accountNo: deps.secrets.decrypt('bank-account', row.account_no_sealed),
  });

async function payQueued(deps: PayoutDeps): Promise<void> {
  for (;;) {
    const ids = await takeQueued(deps.pool, deps.clock.now(), TAKE_MAX, BANK_CURRENCY);
    await Promise.all(
      ids.map(async (id) => {
        const row = await findWithdrawal(deps.pool, id);
        if (row) await settle(deps, row, await order(deps, row));
      }),
    );
    if (ids.length < TAKE_MAX) return;
  }
}

/**
 * Learns the outcome of a payout by our reference. When the bank has never seen it, even after a grace, it is sent
 * again under the same reference, under which the bank pays once.
 */
async function ask(deps: PayoutDeps, id: string): Promise<void> {
  const row = await findWithdrawal(deps.pool, id);
  if (row?.status !== 'PROCESSING') return;
  const payout = await findPayout(deps.pool, id);
  const answer = await deps.bank.payoutState(id);
  const absent = answer.outcome === 'rejected' && answer.code === 'ABSENT';
  const graceOver = (payout?.age_seconds ?? 0) >= deps.settings.get('unknown.absentGraceSeconds');
  if (absent && graceOver) return settle(deps, row, await order(deps, row));
  // A refused question is no refused payout.
  return settle(
    deps,
    row,
    answer.outcome === 'rejected' ? { outcome: 'unknown', note: answer.code } : answer,
  );
}

/** Jobs that pay queued withdrawals and learn the outcome of payouts. */
export function payoutJobs(deps: PayoutDeps): JobSet {
  return {
    tasks: {
      'withdrawals.pay': () => payQueued(deps),
      'withdrawals.ask': (payload) => ask(deps, (payload as { id: string }).id),
      'withdrawals.sweep': async () => {
        for (const id of await listOpenPayouts(deps.pool, ORPHAN_SECONDS)) {
          await deps.pool.query(
            "select graphile_worker.add_job('withdrawals.ask', json_build_object('id', $1::text), job_key := 'withdrawals.ask:' || $1, job_key_mode := 'preserve_run_at')",
            [id],
          );
        }
        await payQueued(deps);
      },
    },
    everyMinute: ['withdrawals.sweep'],
  };
}
