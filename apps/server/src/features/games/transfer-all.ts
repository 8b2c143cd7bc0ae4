import { wallet } from '@krapao/contract/member';
import { fromMinor } from '@krapao/contract/shared';
import { AnsweredBefore, answerOnce, finishSavedAnswer, readBalance } from '../../ledger/index.ts';
import type { Declare, Intent } from '../../platform/http/declare.ts';
import { newId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { creditsCovering, roundToProvider, valueDown } from './credits.ts';
import { type GameDeps, type Move, moveIn, moveOut } from './move.ts';
import { findSlot, listAccounts } from './queries.ts';
import { refreshAll } from './refresh.ts';
import { findPlace, keepRefusal, type ReceiptBody, replayReceipt } from './transfer.ts';

export interface BroughtHome {
  from: string;
  amountMinor: bigint;
  status: 'SUCCESS' | 'PENDING' | 'FAILED';
}

type Holder = Pick<Member, 'id' | 'currency' | 'walletAccount' | 'holdAccount'>;

/**
 * Brings game money into the wallet, from the fullest game down, until `neededMinor` has come (all there is without
 * it). A game that cannot be read is named with status FAILED and amount 0; a game with nothing is left out.
 */
export async function bringHome(
  deps: GameDeps,
  member: Holder,
  options: { neededMinor?: bigint; except?: string } = {},
): Promise<BroughtHome[]> {
  const readings = await refreshAll(deps, member);
  const wanted = readings.filter((reading) => reading.account.slot_code !== options.except);
  wanted.sort((a, b) =>
    Number(b.account.credits * b.account.rate_micro - a.account.credits * a.account.rate_micro),
  );
  const legs: BroughtHome[] = [];
  let missing = options.neededMinor;
  for (const { account, ok } of wanted) {
    if (missing !== undefined && missing <= 0n) break;
    const slot = await findSlot(deps.pool, account.slot_code);
    if (!ok || !slot) {
      legs.push({ from: account.slot_code, amountMinor: 0n, status: 'FAILED' });
      continue;
    }
    const { creditDecimals } = deps.providerOf(slot).capabilities;
    const all = roundToProvider(account.credits, creditDecimals);
    const enough =
      missing === undefined
        ? all
        : creditsCovering(missing, account.rate_micro, member.currency, creditDecimals);
    const credits = enough < all ? enough : all;
    if (valueDown(credits, account.rate_micro, member.currency) <= 0n) continue;
    const moved = await moveOut(deps, { member, slot, account }, credits);
    legs.push({ from: slot.code, amountMinor: moved.amountMinor, status: moved.status });
    if (moved.status === 'SUCCESS' && missing !== undefined) missing -= moved.amountMinor;
  }
  return legs;
}

interface AllReceipt extends ReceiptBody {
  legs: { from: string; amount: number; status: BroughtHome['status'] }[];
}

/** Opens the key's row before anything moves, so that a repeat waits instead of moving a second time. */
async function takeIntent(deps: GameDeps, member: Member, intent: Intent | null, to: string): Promise<void> {
  if (!intent) return;
  const now = deps.clock.now();
  const answer: AllReceipt = {
    id: '',
    type: 'transfer',
    status: 'PENDING',
    amount: 0,
    from: 'all',
    to,
    createdAt: now.toISOString(),
    message: 'OK',
    legs: [],
  };
  const outcome = await deps.ledger.post({
    reference: `intent:${intent.memberId}:${intent.call}:${intent.key}`,
    kind: 'intent',
    memberId: member.id,
    legs: [],
    saved: { ...intent, state: 'RUNNING', answer },
  });
  if (outcome.state === 'answered') throw new AnsweredBefore();
}

async function intoGame(
  deps: GameDeps,
  member: Member,
  to: NonNullable<Awaited<ReturnType<typeof findPlace>>>,
): Promise<Move | null> {
  const { balanceMinor } = await readBalance(deps.pool, member.walletAccount);
  try {
    return balanceMinor > 0n ? await moveIn(deps, { member, ...to }, balanceMinor) : null;
  } catch (error) {
    // Less than one credit's worth stays in the wallet; that is no failure of the whole.
    if (error instanceof Refusal && error.code === 'TRANSFER_MINIMUM') return null;
    throw error;
  }
}

async function transferAll(deps: GameDeps, member: Member, to: string, intent: Intent | null) {
  const target = await findPlace(deps, member, to);
  const hasSomething =
    (await readBalance(deps.pool, member.walletAccount)).balanceMinor > 0n ||
    (await listAccounts(deps.pool, member.id)).length > 0;
  if (!hasSomething) throw new Refusal('MONEY_NOT_ENOUGH');
  await takeIntent(deps, member, intent, to);
  const legs = await bringHome(deps, member, target ? { except: to } : {});
  const into = target ? await intoGame(deps, member, target) : null;
  if (into) legs.push({ from: 'wallet', amountMinor: into.amountMinor, status: into.status });
  const moved = legs.filter((leg) => leg.status !== 'FAILED');
  if (moved.length === 0) {
    if (legs.some((leg) => leg.amountMinor > 0n)) throw new Refusal('TRANSFER_FAIL');
    throw new Refusal(legs.length > 0 ? 'PROVIDER_UNAVAILABLE' : 'MONEY_NOT_ENOUGH');
  }
  if (into?.status === 'FAILED') throw new Refusal('TRANSFER_FAIL');
  const now = deps.clock.now();
  const arrivedMinor = into ? into.amountMinor : moved.reduce((sum, leg) => sum + leg.amountMinor, 0n);
  const walletAfterMinor = (await readBalance(deps.pool, member.walletAccount)).balanceMinor;
  const receipt: AllReceipt = {
    id: into?.id ?? newId('TF', now),
    type: 'transfer',
    status: moved.some((leg) => leg.status === 'PENDING') ? 'PENDING' : 'SUCCESS',
    amount: fromMinor(arrivedMinor, member.currency),
    from: 'all',
    to,
    createdAt: now.toISOString(),
    message: 'SUCCESS',
    legs: legs.map((leg) => ({
      from: leg.from,
      amount: fromMinor(leg.amountMinor, member.currency),
      status: leg.status,
    })),
  };
  if (intent) await finishSavedAnswer(deps.pool, intent, { answer: receipt, walletAfterMinor });
  return { ...receipt, wallet: { amount: fromMinor(walletAfterMinor, member.currency) } };
}

/** Answers emptying every other account into one. */
export function transferAllCall(declare: Declare, deps: GameDeps): void {
  declare(wallet.transferAll, ({ member, body, intent }) =>
    answerOnce(
      deps,
      intent,
      { checkFirst: true, build: (saved) => replayReceipt<AllReceipt>(deps, member, saved) },
      () => keepRefusal(deps, intent, () => transferAll(deps, member, body.to, intent)),
    ),
  );
}
