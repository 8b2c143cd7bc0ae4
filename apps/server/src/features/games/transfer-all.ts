import { wallet } from '@krapao/contract/member';
import { fromMinor } from '@krapao/contract/shared';
import { answerOnce, finishSavedAnswer, keepRefusal, readBalance, takeKey } from '../../ledger/index.ts';
import type { Declare, Intent } from '../../platform/http/declare.ts';
import { newId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { creditsCovering, creditsFor, roundToProvider, valueDown } from './credits.ts';
import { type GameDeps, type Move, moveIn, moveOut } from './move.ts';
import { findSlot, listAccounts } from './queries.ts';
import { type Reading, refreshAll } from './refresh.ts';
import { findPlace, type ReceiptBody, replayReceipt } from './transfer.ts';

export interface BroughtHome {
  from: string;
  amountMinor: bigint;
  status: 'SUCCESS' | 'PENDING' | 'FAILED';
}

type Holder = Pick<Member, 'id' | 'currency' | 'walletAccount' | 'holdAccount'>;

/** How many credits of a game can be taken: those just read, or after a reading that was overtaken those still booked. */
async function takeable(deps: GameDeps, member: Holder, { account, ok }: Reading): Promise<bigint> {
  if (ok) return account.credits;
  const { balanceMinor } = await readBalance(deps.pool, account.mirror_account);
  const booked = creditsFor(balanceMinor, account.rate_micro, member.currency, 2);
  return booked < account.credits ? booked : account.credits;
}

/** Takes what is there, or what is missing, out of one game; null when there is nothing to take. */
async function bringOne(
  deps: GameDeps,
  member: Holder,
  reading: Reading,
  missing: bigint | undefined,
): Promise<BroughtHome | null> {
  const { account } = reading;
  const slot = await findSlot(deps.pool, account.slot_code);
  if (reading.silent || !slot) return { from: account.slot_code, amountMinor: 0n, status: 'FAILED' };
  const { creditDecimals } = deps.providerOf(slot).capabilities;
  const all = roundToProvider(await takeable(deps, member, reading), creditDecimals);
  const enough =
    missing === undefined
      ? all
      : creditsCovering(missing, account.rate_micro, member.currency, creditDecimals);
  const credits = enough < all ? enough : all;
  if (valueDown(credits, account.rate_micro, member.currency) <= 0n) return null;
  try {
    const moved = await moveOut(deps, { member, slot, account }, credits);
    return { from: slot.code, amountMinor: moved.amountMinor, status: moved.status };
  } catch (error) {
    // Another call of the member has taken it in the meantime.
    if (error instanceof Refusal && error.code === 'MONEY_NOT_ENOUGH') return null;
    throw error;
  }
}

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
  for (const reading of wanted) {
    if (missing !== undefined && missing <= 0n) break;
    const leg = await bringOne(deps, member, reading, missing);
    if (leg) legs.push(leg);
    if (leg?.status === 'SUCCESS' && missing !== undefined) missing -= leg.amountMinor;
  }
  return legs;
}

interface AllReceipt extends ReceiptBody {
  legs: { from: string; amount: number; status: BroughtHome['status'] }[];
}

/** What a repeat has to go by should the call never end. */
const unfinished = (to: string, now: Date): AllReceipt => ({
  id: '',
  type: 'transfer',
  status: 'PENDING',
  amount: 0,
  from: 'all',
  to,
  createdAt: now.toISOString(),
  message: 'OK',
  legs: [],
});

async function intoGame(
  deps: GameDeps,
  member: Member,
  to: NonNullable<Awaited<ReturnType<typeof findPlace>>>,
): Promise<Move | null> {
  const { balanceMinor } = await readBalance(deps.pool, member.walletAccount);
  try {
    return balanceMinor > 0n ? await moveIn(deps, { member, ...to }, balanceMinor) : null;
  } catch (error) {
    // Less than one credit's worth stays in the wallet, and another call may have been faster: no failure of the whole.
    if (error instanceof Refusal && ['TRANSFER_MINIMUM', 'MONEY_NOT_ENOUGH'].includes(error.code))
      return null;
    throw error;
  }
}

async function transferAll(deps: GameDeps, member: Member, to: string, intent: Intent | null) {
  const target = await findPlace(deps, member, to, 'into');
  const hasSomething =
    (await readBalance(deps.pool, member.walletAccount)).balanceMinor > 0n ||
    (await listAccounts(deps.pool, member.id)).length > 0;
  if (!hasSomething) throw new Refusal('MONEY_NOT_ENOUGH');
  await takeKey(deps.ledger, intent, unfinished(to, deps.clock.now()));
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
      () => keepRefusal(deps.pool, intent, () => transferAll(deps, member, body.to, intent)),
    ),
  );
}
