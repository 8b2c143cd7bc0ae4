import { wallet } from '@krapao/contract/member';
import { fromMinor, type RefusalsOf, toMinor } from '@krapao/contract/shared';
import {
  finishSavedResponse,
  keepRefusal,
  type Ledger,
  NeverBegan,
  type Outcome,
  RespondedBefore,
  readBalance,
  respondOnce,
  type Saved,
  takeKey,
} from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { newId } from '../../platform/ids.ts';
import type { Intent } from '../../platform/intent.ts';
import { type Sockets, walletHint } from '../../platform/live/sockets.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import { hasActiveRun } from '../bonuses/read.ts';
import type { Assessment } from '../risk/read.ts';
import { automaticMaxMinor } from './automatic.ts';
import { holdItem, type UnplayedFinding } from './ledger.ts';
import { findWithdrawal, hasOpenWithdrawal } from './queries.ts';

export interface WithdrawDeps {
  pool: Pool;
  ledger: Ledger;
  clock: Clock;
  settings: Settings;
  /** Sends the member's other screens the content of the call's response. */
  notify: Sockets['notify'];
  /** Moves game balances into the wallet until `neededMinor` has come, or moves nothing when they hold less. */
  sweepToWallet: (
    refuse: Refuse<'TRANSFER_FAIL'>,
    member: Member,
    neededMinor: bigint,
  ) => Promise<{ status: 'SUCCESS' | 'PENDING' | 'FAILED' }[]>;
  /** Finds what of a withdrawal was deposited and not staked. */
  findUnplayed(member: Member, amountMinor: bigint): Promise<UnplayedFinding>;
  /** Scores a withdrawal and finds why an operator must look at it, however small it is. */
  assess(member: Member, amountMinor: bigint, unplayed: Promise<UnplayedFinding>): Promise<Assessment>;
}

/**
 * The amount in minor units when it is within the limits; throws WITHDRAW_MINIMUM or WITHDRAW_MAXIMUM, and
 * UNAUTHORIZED while withdrawals are stopped.
 */
function requireAmount(
  refuse: Refuse<'UNAUTHORIZED' | 'WITHDRAW_MINIMUM' | 'WITHDRAW_MAXIMUM'>,
  deps: WithdrawDeps,
  member: Member,
  amount: unknown,
): bigint {
  if (!deps.settings.get('withdraw.open')) throw refuse('UNAUTHORIZED', undefined, 'stopped');
  const min = deps.settings.get('withdraw.minimum')[member.currency];
  const max = deps.settings.get('withdraw.maximum')[member.currency];
  const amountMinor = toMinor(amount, member.currency);
  if (amountMinor === null || amountMinor < toMinor(min, member.currency)!)
    throw refuse('WITHDRAW_MINIMUM', { min });
  if (amountMinor > toMinor(max, member.currency)!) throw refuse('WITHDRAW_MAXIMUM', { max });
  return amountMinor;
}

/** The response to the member once the money is held. */
const receiptOf = (deps: WithdrawDeps, member: Member, amountMinor: bigint) => {
  const createdAt = deps.clock.now();
  return {
    id: newId('WD', createdAt),
    type: 'withdraw' as const,
    status: 'PENDING' as const,
    amount: fromMinor(amountMinor, member.currency),
    from: 'wallet',
    to: member.bankCode,
    createdAt: createdAt.toISOString(),
    message: 'OK',
  };
};
type Receipt = ReturnType<typeof receiptOf>;

/** Holds the money and writes the withdrawal, its statement row and its job in one transaction. */
async function request(
  refuse: Refuse<'MONEY_NOT_ENOUGH' | 'BONUS_REMAINING'>,
  deps: WithdrawDeps,
  member: Member,
  amountMinor: bigint,
  receipt: Receipt,
  intent: Intent | null,
): Promise<bigint> {
  const outcome = await assessAndHold(deps, member, amountMinor, receipt, intent);
  const isEnded = outcome.state === 'refused' && outcome.body.message === 'INTENT_ENDED';
  if (outcome.state === 'answered' || isEnded) throw new RespondedBefore();
  if (outcome.state === 'insufficient') throw refuse('MONEY_NOT_ENOUGH');
  if (outcome.state === 'refused') throw refuse(outcome.body.message as 'BONUS_REMAINING');
  if (outcome.state !== 'posted') throw new Error(`withdrawal hold ended as ${outcome.state}`);
  deps.notify([walletHint(member, outcome)]);
  return outcome.balanceMinor;
}

/** Posts the hold with what decides whether it is paid without a review. */
function hold(
  deps: WithdrawDeps,
  member: Member,
  amountMinor: bigint,
  {
    receipt,
    intent,
    ...found
  }: { receipt: Receipt; intent: Intent | null; assessment: Assessment; unplayed: UnplayedFinding },
): Promise<Outcome> {
  const minor = (amount: number): bigint => toMinor(amount, member.currency) ?? 0n;
  const { settings } = deps;
  const item = holdItem({
    id: receipt.id,
    memberId: member.id,
    walletAccount: member.walletAccount,
    holdAccount: member.holdAccount,
    bankAccountId: member.bankAccountId,
    bankCode: member.bankCode,
    amountMinor,
    onlyOne: settings.get('withdraw.oneOpen'),
    ...found,
    automaticMaxMinor: automaticMaxMinor(settings, member.currency),
    automaticDayMaxMinor: minor(settings.get('withdraw.automaticDayMax')[member.currency]),
    saved: intent ? { ...intent, state: 'DONE', response: receipt } : undefined,
  });
  return deps.ledger.post(item);
}

/** How often a withdrawal is assessed whose wallet changes meanwhile. */
const TRIES = 10;

/**
 * Assesses the withdrawal and posts its hold; again when the wallet has changed in between. One whose wallet changed each
 * time waits for an operator, because how much of it was bet is not known.
 */
async function assessAndHold(
  deps: WithdrawDeps,
  member: Member,
  amountMinor: bigint,
  receipt: Receipt,
  intent: Intent | null,
): Promise<Outcome> {
  for (let time = 1; ; time++) {
    const found = deps.findUnplayed(member, amountMinor);
    const finding =
      time < TRIES
        ? found
        : found.then((last) => ({ ...last, unplayed: last.unplayed ?? 0n, walletVersion: null }));
    const [unplayed, assessment] = await Promise.all([finding, deps.assess(member, amountMinor, finding)]);
    const outcome = await hold(deps, member, amountMinor, { receipt, intent, assessment, unplayed });
    if (outcome.state !== 'refused' || outcome.body.message !== 'STALE') return outcome;
  }
}

const replyOf = (member: Member, receipt: Receipt, walletMinor: bigint) => ({
  ...receipt,
  wallet: { amount: fromMinor(walletMinor, member.currency) },
});

async function fromWallet(
  refuse: Refuse<'MONEY_NOT_ENOUGH' | 'BONUS_REMAINING'>,
  deps: WithdrawDeps,
  member: Member,
  amountMinor: bigint,
  intent: Intent | null,
) {
  const receipt = receiptOf(deps, member, amountMinor);
  return replyOf(member, receipt, await request(refuse, deps, member, amountMinor, receipt, intent));
}

/**
 * Moves game balances into the wallet until it holds enough. Throws MONEY_NOT_ENOUGH or PROVIDER_UNAVAILABLE before
 * anything moves when the games that answer hold less, and when the money does not arrive although they hold it; what
 * arrived stays in the wallet.
 */
async function bringEnough(
  refuse: Refuse<'MONEY_NOT_ENOUGH' | 'PROVIDER_UNAVAILABLE' | 'TRANSFER_FAIL'>,
  deps: WithdrawDeps,
  member: Member,
  amountMinor: bigint,
): Promise<void> {
  const { balanceMinor } = await readBalance(deps.pool, member.walletAccount);
  if (balanceMinor >= amountMinor) return;
  const legs = await deps.sweepToWallet(refuse, member, amountMinor - balanceMinor);
  const after = await readBalance(deps.pool, member.walletAccount);
  if (after.balanceMinor >= amountMinor) return;
  throw refuse(legs.some((leg) => leg.status !== 'SUCCESS') ? 'PROVIDER_UNAVAILABLE' : 'MONEY_NOT_ENOUGH');
}

/** Every refusal is decided before any game is touched; then games come home as far as the wallet falls short. */
async function fromEverywhere(
  refuse: Refuse<RefusalsOf<typeof wallet.withdrawAll>>,
  deps: WithdrawDeps,
  member: Member,
  amountMinor: bigint,
  intent: Intent | null,
) {
  const { balanceMinor } = await readBalance(deps.pool, member.walletAccount);
  if (balanceMinor >= amountMinor) return fromWallet(refuse, deps, member, amountMinor, intent);
  if (await hasActiveRun(deps.pool, member.id)) throw refuse('BONUS_REMAINING');
  if (deps.settings.get('withdraw.oneOpen') && (await hasOpenWithdrawal(deps.pool, member.id)))
    throw new Refusal('REQUEST_LIMIT');
  const receipt = receiptOf(deps, member, amountMinor);
  return keepRefusal(deps.pool, intent, async () => {
    await takeKey(deps.ledger, intent, receipt);
    await bringEnough(refuse, deps, member, amountMinor);
    const walletAfterMinor = await request(refuse, deps, member, amountMinor, receipt, null);
    if (intent) await finishSavedResponse(deps.pool, intent, { response: receipt, walletAfterMinor });
    return replyOf(member, receipt, walletAfterMinor);
  });
}

/** The first answer again; of a call that never ended, whether its withdrawal was made. */
async function replay(deps: WithdrawDeps, member: Member, saved: Saved) {
  const receipt = saved.response as Receipt;
  if (saved.state === 'RUNNING' && !(await findWithdrawal(deps.pool, receipt.id)))
    throw new NeverBegan([receipt.id]);
  const walletMinor =
    saved.walletAfterMinor ?? (await readBalance(deps.pool, member.walletAccount)).balanceMinor;
  return replyOf(member, receipt, walletMinor);
}

/** Runs first, and the refusal is not stored as the response: the same intent is sent again once the PIN is proven. */
function requirePin(refuse: Refuse<'UNAUTHORIZED'>, member: Member): void {
  if (member.owesPin) throw refuse('UNAUTHORIZED', { pin: true });
}

/** Answers both withdrawals: from the wallet only, and after moving game balances into it. */
export function withdrawCalls(declare: Declare, deps: WithdrawDeps): void {
  declare(wallet.withdrawFromWallet, async ({ member, body, intent, refuse }) => {
    requirePin(refuse, member);
    return respondOnce(deps, intent, { build: (saved) => replay(deps, member, saved) }, async () =>
      fromWallet(refuse, deps, member, requireAmount(refuse, deps, member, body.amount), intent),
    );
  });
  declare(wallet.withdrawAll, async ({ member, body, intent, refuse }) => {
    requirePin(refuse, member);
    return respondOnce(
      deps,
      intent,
      { checkFirst: true, build: (saved) => replay(deps, member, saved) },
      async () =>
        fromEverywhere(refuse, deps, member, requireAmount(refuse, deps, member, body.amount), intent),
    );
  });
}
