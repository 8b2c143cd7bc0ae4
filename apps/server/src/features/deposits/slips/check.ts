import { MINUTE_MS } from '@krapao/contract/durations';
import { SLIP_CURRENCY, type SlipChecker, type SlipFacts } from '../../../outside/index.ts';
import { forEachRow } from '../../../platform/for-each.ts';
import type { JobSet } from '../../../platform/jobs.ts';
import type { Settings } from '../../../platform/settings.ts';
import { storedMask } from '../matching/masks.ts';
import { type MatchDeps, type Settled, settle, type Transfer } from '../matching/match.ts';
import {
  findBankCode,
  findBankTransactionByReference,
  findMemberAccount,
  isSlipAmbiguous,
  listOwnAccounts,
} from '../matching/queries.ts';
import { type Judgement, judge } from './judge.ts';
import { checkSlipLater, decideSlip, findSlip, keepFacts, type SlipRow, takeDueSlips } from './queries.ts';

export interface SlipCheckDeps extends MatchDeps {
  settings: Settings;
  slips: SlipChecker;
}

/** Longer than one check takes; after this time a slip whose check crashed is checked again. */
export const TAKEN_MS = 60_000;
const CHECK_AGAIN_MS = 20_000;

const later = (deps: SlipCheckDeps, ms: number): Date => new Date(deps.clock.now().getTime() + ms);

async function fail(deps: SlipCheckDeps, slip: SlipRow, note: string): Promise<void> {
  await decideSlip(deps.pool, slip.id, { status: 'FAILED', note, now: deps.clock.now() });
}

async function review(deps: SlipCheckDeps, slip: SlipRow, doubts: readonly string[]): Promise<void> {
  await decideSlip(deps.pool, slip.id, { status: 'REVIEW', note: null, doubts, now: deps.clock.now() });
}

/** Without a certain response: checks again for a while, then sends the slip to an operator. */
async function checkAgain(deps: SlipCheckDeps, slip: SlipRow, note: string): Promise<void> {
  const waitedMs = deps.clock.now().getTime() - slip.created_at.getTime();
  if (waitedMs > deps.settings.get('unknown.alertMinutes') * MINUTE_MS)
    await review(deps, slip, [`inquiry: ${note}`]);
  else await checkSlipLater(deps.pool, slip.id, later(deps, CHECK_AGAIN_MS));
}

/** The bank does not know the transfer yet; past the window it never will. */
async function checkLater(deps: SlipCheckDeps, slip: SlipRow, afterMs: number): Promise<void> {
  const waitedMs = deps.clock.now().getTime() - slip.created_at.getTime();
  if (waitedMs > deps.settings.get('slip.windowMinutes') * MINUTE_MS) await fail(deps, slip, 'INVALID_SLIP');
  else await checkSlipLater(deps.pool, slip.id, later(deps, afterMs));
}

type Sure = Extract<Judgement, { doubts: string[] }>;

const transferOf = (facts: SlipFacts, account: NonNullable<Sure['account']>): Transfer => ({
  source: 'SLIP',
  bankCode: account.bank_code,
  accountNo: account.account_no,
  currency: account.currency,
  bankReference: facts.transRef,
  amountMinor: facts.amountMinor,
  payerBank: facts.sender.bank,
  payerAccount: facts.sender.account,
  payerName: facts.sender.name,
  reference1: facts.reference1,
  paidAt: facts.paidAt,
});

/**
 * Credits the slip, or ends it as a duplicate; its row changes with the money. While its transfer is an ambiguous match
 * it stays in review.
 */
async function book(
  deps: SlipCheckDeps,
  slip: SlipRow,
  member: { member_id: bigint; wallet_account: bigint },
  transfer: Transfer,
): Promise<void> {
  const settled: Settled = await settle(deps, transfer, {
    memberId: member.member_id,
    walletAccount: member.wallet_account,
    channel: 'SLIP',
    qrId: null,
    slipId: slip.id,
    fromOtherAccount: false,
  });
  if (settled.booked !== 'known' && settled.booked !== 'refused') return;
  if (await isSlipAmbiguous(deps.pool, transfer)) return review(deps, slip, []);
  // Another slip of this transfer was first; if it was this one, its row is already decided.
  await fail(deps, slip, 'DUPLICATE_REFERENCE');
}

async function weigh(deps: SlipCheckDeps, slip: SlipRow, facts: SlipFacts): Promise<void> {
  const member = await findMemberAccount(deps.pool, slip.member_id);
  const judgement = judge(facts, {
    transRef: slip.printed_ref ?? slip.trans_ref ?? '',
    uploadedAt: slip.created_at,
    windowMinutes: deps.settings.get('slip.windowMinutes'),
    closedHours: deps.settings.get('slip.closedHours'),
    ownAccounts: await listOwnAccounts(deps.pool),
    member,
    memberAccountNo: deps.secrets.decrypt('bank-account', member.account_no_sealed),
    senderBank: await findBankCode(deps.pool, facts.sender.bank),
  });
  const payer = JSON.stringify({
    account: facts.sender.account,
    name: facts.sender.name,
    receiverName: facts.receiver.name,
  });
  const account = 'account' in judgement ? judgement.account : null;
  await keepFacts(deps.pool, slip.id, {
    transRef: facts.transRef,
    bankCode: account?.bank_code ?? null,
    accountNo: account?.account_no ?? null,
    currency: account?.currency ?? SLIP_CURRENCY,
    amountMinor: facts.amountMinor,
    payerMask: storedMask(facts.sender.account),
    payerSealed: deps.secrets.encrypt('payer', payer),
    paidAt: facts.paidAt,
  });
  if ('reason' in judgement) return fail(deps, slip, judgement.reason);
  if (judgement.isLate) {
    const transaction =
      account && (await findBankTransactionByReference(deps.pool, account.bank_code, facts.transRef));
    return fail(deps, slip, transaction?.state === 'CREDITED' ? 'DUPLICATE_REFERENCE' : 'SLIP_EXPIRED');
  }
  if (judgement.doubts.length > 0 || !account) return review(deps, slip, judgement.doubts);
  return book(deps, slip, member, transferOf(facts, account));
}

/**
 * Checks a slip with the bank and decides it: credited, refused, or for an operator. A transfer that the bank does
 * not know yet is checked again. A repeat is safe: a decided slip does not change.
 */
export async function checkSlip(deps: SlipCheckDeps, id: string): Promise<void> {
  const slip = await findSlip(deps.pool, id);
  if (slip.status !== 'PENDING' || slip.code === null) return;
  const response = await deps.slips.check(slip.code);
  if (response.outcome === 'ok') await weigh(deps, slip, response.value);
  else if (response.outcome === 'rejected') await fail(deps, slip, response.reason);
  else if (response.outcome === 'later') await checkLater(deps, slip, response.afterMs);
  else await checkAgain(deps, slip, response.note);
}

/** Lists the jobs that check pending slips. */
export function slipJobs(deps: SlipCheckDeps): JobSet {
  return {
    partner: 'slips',
    tasks: {
      'slips.ask': async () => {
        const due = await takeDueSlips(deps.pool, deps.clock.now(), later(deps, TAKEN_MS));
        await forEachRow(due, (id) => checkSlip(deps, id));
      },
    },
    everyMinute: ['slips.ask'],
  };
}
