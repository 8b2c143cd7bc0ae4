import { creditsFor, roundToProvider, valueDown } from '@krapao/contract/credits';
import { wallet } from '@krapao/contract/member';
import {
  AMOUNT_MINOR_MAX,
  CURRENCY_DECIMALS,
  type Currency,
  fromMinor,
  type RefusalsOf,
  toMinor,
} from '@krapao/contract/shared';
import {
  finishSavedResponse,
  keepRefusal,
  respondOnce,
  runningResponse,
  takeKey,
} from '../../ledger/index.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { newId } from '../../platform/ids.ts';
import type { Intent } from '../../platform/intent.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import type { LimitCode } from '../limits/read.ts';
import { leastMinor } from './least.ts';
import { type GameDeps, type Move, type MoveOrder, moveIn, moveOut } from './move.ts';
import {
  type AccountRow,
  adoptRate,
  findAccount,
  findSlot,
  isBarred,
  rateOf,
  type SlotRow,
} from './queries.ts';
import { refreshAccount, requireMayEnter } from './refresh.ts';
import { messageOf, type ReceiptBody, type Responded, replayTransfer, type Unfinished } from './replay.ts';

const WALLET = 'wallet';

/** A slot with the member's account in it, as transfers need them. */
export type Opened = { slot: SlotRow; account: AccountRow };

/**
 * The named place: null for the wallet. Throws NO_WALLET for an unknown name or a closed game that should take money,
 * SLOT_NO_ACCOUNT for an unopened game, SELF_EXCLUDED or LIMIT_REACHED for money into one that the member forbade themselves,
 * BONUS_REMAINING for one that the terms of their bonus do not allow, and for every one once its time is over: what is in
 * open bets then comes home, so that the run can end.
 */
export async function findPlace(
  refuse: Refuse<LimitCode | 'SLOT_NO_ACCOUNT' | 'BONUS_REMAINING' | 'NO_WALLET' | 'PROVIDER_UNAVAILABLE'>,
  deps: GameDeps,
  member: Member,
  name: string,
  way: 'into' | 'out',
): Promise<Opened | null> {
  if (name === WALLET) return null;
  const slot = await requireKnown(refuse, deps, name, way);
  const account = await findAccount(deps.pool, member.id, slot.code);
  if (!account) throw refuse('SLOT_NO_ACCOUNT');
  if (way === 'into') {
    await requireMayEnter(refuse, deps, member);
    if (await isBarred(deps.pool, member.id, slot.code, deps.clock.now())) throw refuse('BONUS_REMAINING');
    // A changed rate reaches an empty account before money does.
    const rate = rateOf(slot, member.currency);
    if (account.rate_micro !== rate) {
      await adoptRate(deps.pool, member.id, slot.code, rate);
      return { slot, account: (await findAccount(deps.pool, member.id, slot.code)) ?? account };
    }
  }
  return { slot, account };
}

async function requireKnown(
  refuse: Refuse<'NO_WALLET' | 'PROVIDER_UNAVAILABLE'>,
  deps: GameDeps,
  name: string,
  way: 'into' | 'out',
): Promise<SlotRow> {
  const slot = await findSlot(deps.pool, name);
  if (!slot || (way === 'into' && !slot.is_open)) throw refuse('NO_WALLET');
  if (way === 'into' && (!deps.settings.get('game.open') || slot.is_in_maintenance))
    throw refuse('PROVIDER_UNAVAILABLE', undefined, 'stopped');
  return slot;
}

/** A checked transfer request: source, destination, amount, and the ids of its moves. */
interface Plan {
  member: Member;
  from: Opened | null;
  to: Opened | null;
  amountMinor: bigint;
  outId: string;
  inId: string;
  /** What a repeat has to go by should the call never end. */
  unfinished: Unfinished;
}

/** Throws TRANSFER_MINIMUM with the least amount that can be moved between these places. */
function refuseBelowLeast(
  refuse: Refuse<'TRANSFER_MINIMUM'>,
  deps: GameDeps,
  plan: Pick<Plan, 'from' | 'to'> & { member: Pick<Member, 'currency'> },
): never {
  const { currency } = plan.member;
  throw refuse('TRANSFER_MINIMUM', { min: fromMinor(leastMinor(deps, currency, plan), currency) });
}

/** Whether an amount is all that a member is shown to have in a game, by its last reading. */
const isAll = (account: AccountRow, amountMinor: bigint, currency: Currency): boolean =>
  valueDown(account.credits, account.rate_micro, currency) === amountMinor;

/** The credits that leave a game for an amount: every one of them for all it holds, else as many as it buys. */
function creditsOut(
  deps: GameDeps,
  { slot, account }: Opened,
  amountMinor: bigint,
  currency: Currency,
): bigint {
  const { creditDecimals } = deps.providerOf(slot).capabilities;
  return isAll(account, amountMinor, currency)
    ? roundToProvider(account.credits, creditDecimals)
    : creditsFor(amountMinor, account.rate_micro, currency, creditDecimals);
}

const belowLeast = (amountMinor: bigint, currency: Currency): boolean =>
  amountMinor < 10n ** BigInt(CURRENCY_DECIMALS[currency]);

/** Refuses what either game cannot take in full credits, before anything has moved. */
function requireWorth(
  refuse: Refuse<'TRANSFER_MINIMUM'>,
  deps: GameDeps,
  { member, from, to, amountMinor }: Omit<Plan, 'unfinished'>,
): void {
  let passed = amountMinor;
  for (const place of [from, to]) {
    if (!place) continue;
    const { creditDecimals } = deps.providerOf(place.slot).capabilities;
    const credits =
      place === from
        ? creditsOut(deps, place, passed, member.currency)
        : creditsFor(passed, place.account.rate_micro, member.currency, creditDecimals);
    passed = valueDown(credits, place.account.rate_micro, member.currency);
    const isTooLittle = place === to && place.slot.least_in !== null && credits < place.slot.least_in;
    if (credits <= 0n || (place === from && passed <= 0n) || isTooLittle)
      refuseBelowLeast(refuse, deps, { member, from, to });
  }
}

/**
 * Takes an amount of money out of a game: reads it afresh first, because winnings are not booked yet. A reading
 * overtaken by another move of the member leaves what is booked to go by. Throws PROVIDER_UNAVAILABLE when the game is
 * silent, MONEY_NOT_ENOUGH when it holds less, TRANSFER_MINIMUM when less than the least is not all of it any more.
 */
async function takeOut(
  refuse: Refuse<RefusalsOf<typeof wallet.transfer>>,
  deps: GameDeps,
  order: MoveOrder,
  amountMinor: bigint,
): Promise<Move> {
  const { currency } = order.member;
  const { account, silent } = await refreshAccount(deps, order.member, order.account);
  if (silent) throw refuse('PROVIDER_UNAVAILABLE');
  const credits = creditsOut(deps, { slot: order.slot, account }, amountMinor, currency);
  const place = { slot: order.slot, account };
  const isBelow = belowLeast(amountMinor, currency) && !isAll(account, amountMinor, currency);
  if (credits <= 0n || (isBelow && credits <= account.credits))
    refuseBelowLeast(refuse, deps, { member: order.member, from: place, to: null });
  if (credits > account.credits) throw refuse('MONEY_NOT_ENOUGH');
  return moveOut(refuse, deps, { ...order, account }, credits);
}

function requireDone(refuse: Refuse<'TRANSFER_FAIL'>, result: Move): Move {
  if (result.status === 'FAILED') throw refuse('TRANSFER_FAIL');
  return result;
}

/** The second half of game to game; whatever keeps it from happening, the money is in the wallet by now. */
async function moveOn(
  refuse: Refuse<RefusalsOf<typeof wallet.transfer>>,
  deps: GameDeps,
  plan: Plan,
  to: Opened,
  amountMinor: bigint,
): Promise<Move> {
  try {
    return requireDone(
      refuse,
      await moveIn(refuse, deps, { member: plan.member, ...to, id: plan.inId }, amountMinor),
    );
  } catch (error) {
    if (error instanceof Refusal) throw refuse('TRANSFER_FAIL', undefined, error.code);
    throw error;
  }
}

async function run(
  refuse: Refuse<RefusalsOf<typeof wallet.transfer>>,
  deps: GameDeps,
  plan: Plan,
  intent: Intent | null,
): Promise<Move> {
  const { member, from, to } = plan;
  if (!from) {
    const savedUnder = (intent: Intent) => (id: string, amountMinor: bigint, createdAt: Date) =>
      runningResponse(intent, {
        ...plan.unfinished,
        id,
        amount: fromMinor(amountMinor, member.currency),
        createdAt: createdAt.toISOString(),
      });
    const order = { member, ...to!, id: plan.inId, ...(intent ? { saved: savedUnder(intent) } : {}) };
    return requireDone(refuse, await moveIn(refuse, deps, order, plan.amountMinor));
  }
  await takeKey(deps.ledger, intent, plan.unfinished);
  const out = requireDone(
    refuse,
    await takeOut(refuse, deps, { member, ...from, id: plan.outId }, plan.amountMinor),
  );
  // Unknown whether the first leg is home: the second must not spend money that may not be there.
  return !to || out.status === 'PENDING' ? out : moveOn(refuse, deps, plan, to, out.amountMinor);
}

/**
 * Returns the requested amount. Throws TRANSFER_MINIMUM for less than the least, unless it is all that a game holds and goes to
 * the wallet, and for what is no amount of the currency; MONEY_NOT_ENOUGH for more than an account can hold.
 */
function requireAmount(
  refuse: Refuse<'MONEY_NOT_ENOUGH' | 'TRANSFER_MINIMUM'>,
  deps: GameDeps,
  places: Pick<Plan, 'member' | 'from' | 'to'>,
  amount: unknown,
): bigint {
  const { member, from, to } = places;
  const amountMinor = toMinor(amount, member.currency);
  const most = fromMinor(AMOUNT_MINOR_MAX, member.currency);
  if (amountMinor === null && typeof amount === 'number' && amount > most) throw refuse('MONEY_NOT_ENOUGH');
  if (amountMinor === null) refuseBelowLeast(refuse, deps, places);
  const takesAll = from && !to && isAll(from.account, amountMinor, member.currency);
  if (belowLeast(amountMinor, member.currency) && !takesAll) refuseBelowLeast(refuse, deps, places);
  return amountMinor;
}

async function readIntent(
  refuse: Refuse<RefusalsOf<typeof wallet.transfer>>,
  deps: GameDeps,
  member: Member,
  body: { from: string; to: string; amount: unknown },
): Promise<Plan> {
  if (body.from === body.to) throw refuse('NO_WALLET');
  if (body.from !== WALLET) await requireKnown(refuse, deps, body.from, 'out');
  if (body.to !== WALLET) await requireKnown(refuse, deps, body.to, 'into');
  const from = await findPlace(refuse, deps, member, body.from, 'out');
  const to = await findPlace(refuse, deps, member, body.to, 'into');
  const amountMinor = requireAmount(refuse, deps, { member, from, to }, body.amount);
  const now = deps.clock.now();
  const [outId, inId] = [newId('TF', now), newId('TF', now)];
  const plan = { member, from, to, amountMinor, outId, inId };
  requireWorth(refuse, deps, plan);
  const moves = [...(from ? [outId] : []), ...(to ? [inId] : [])];
  const unfinished: Unfinished = {
    id: moves.at(-1)!,
    type: 'transfer',
    status: 'PENDING',
    amount: fromMinor(amountMinor, member.currency),
    from: body.from,
    to: body.to,
    createdAt: now.toISOString(),
    message: 'OK',
    moves,
  };
  return { ...plan, unfinished };
}

async function transfer(
  refuse: Refuse<RefusalsOf<typeof wallet.transfer>>,
  deps: GameDeps,
  member: Member,
  body: { from: string; to: string; amount: unknown },
  intent: Intent | null,
): Promise<Responded<ReceiptBody>> {
  const plan = await readIntent(refuse, deps, member, body);
  const done = await run(refuse, deps, plan, intent);
  const receipt: ReceiptBody = {
    id: done.id,
    type: 'transfer',
    status: done.status === 'PENDING' ? 'PENDING' : 'SUCCESS',
    amount: fromMinor(done.amountMinor, member.currency),
    from: body.from,
    to: body.to,
    createdAt: done.createdAt.toISOString(),
    message: messageOf(done.status),
  };
  if (intent)
    await finishSavedResponse(deps.pool, intent, {
      response: receipt,
      walletAfterMinor: done.walletAfterMinor,
    });
  return { ...receipt, wallet: { amount: fromMinor(done.walletAfterMinor, member.currency) } };
}

/** Declares the transfer between wallet and games. */
export function transferCall(declare: Declare, deps: GameDeps): void {
  declare(wallet.transfer, ({ member, body, intent, refuse }) =>
    respondOnce(
      deps,
      intent,
      { checkFirst: true, build: (saved) => replayTransfer(refuse, deps, member, intent, saved) },
      () => keepRefusal(deps.pool, intent, () => transfer(refuse, deps, member, body, intent)),
    ),
  );
}
