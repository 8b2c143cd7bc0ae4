import { wallet } from '@krapao/contract/member';
import { CURRENCY_DECIMALS, fromMinor, toMinor } from '@krapao/contract/shared';
import { answerOnce, finishSavedAnswer, keepRefusal, type SavedAnswer, takeKey } from '../../ledger/index.ts';
import type { Declare, Intent } from '../../platform/http/declare.ts';
import { newId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { requireMayPlay } from '../limits/read.ts';
import { creditsFor, valueDown } from './credits.ts';
import { type GameDeps, type Move, type MoveOrder, moveIn, moveOut } from './move.ts';
import { type AccountRow, findAccount, findSlot, isBarred, type SlotRow } from './queries.ts';
import { refreshAccount } from './refresh.ts';
import { type Answered, messageOf, type ReceiptBody, replayTransfer, type Unfinished } from './replay.ts';

const WALLET = 'wallet';

/** A slot with the member's account in it, as transfers need them. */
export type Opened = { slot: SlotRow; account: AccountRow };

/**
 * The named place: null for the wallet. Throws NO_WALLET for an unknown name or a closed game that should take money,
 * SLOT_NO_ACCOUNT for an unopened game, SELF_EXCLUDED or LIMIT_REACHED for money into one that the member forbade himself,
 * BONUS_REMAINING for one that the terms of his bonus do not allow.
 */
export async function findPlace(
  deps: GameDeps,
  member: Member,
  name: string,
  way: 'into' | 'out',
): Promise<Opened | null> {
  if (name === WALLET) return null;
  const slot = await requireKnown(deps, name, way);
  const account = await findAccount(deps.pool, member.id, slot.code);
  if (!account) throw new Refusal('SLOT_NO_ACCOUNT');
  if (way === 'into') {
    await requireMayPlay(deps, member);
    if (await isBarred(deps.pool, member.id, slot.code)) throw new Refusal('BONUS_REMAINING');
  }
  return { slot, account };
}

async function requireKnown(deps: GameDeps, name: string, way: 'into' | 'out'): Promise<SlotRow> {
  const slot = await findSlot(deps.pool, name);
  if (!slot || (way === 'into' && !slot.is_open)) throw new Refusal('NO_WALLET');
  if (way === 'into' && (!deps.settings.get('game.open') || slot.is_in_maintenance))
    throw new Refusal('PROVIDER_UNAVAILABLE', undefined, 'stopped');
  return slot;
}

/** What a member asks for, checked: places, amount, and the ids its moves will have. */
interface Wish {
  member: Member;
  from: Opened | null;
  to: Opened | null;
  amountMinor: bigint;
  outId: string;
  inId: string;
  /** What a repeat has to go by should the call never end. */
  unfinished: Unfinished;
}

/** Refuses less than the game's limit; `min` is the wallet's money for it, rounded up. */
function requireLeast({ slot, account }: Opened, credits: bigint): void {
  if (slot.least_in === null || credits >= slot.least_in) return;
  throw new Refusal('TRANSFER_MINIMUM', {
    min: Math.ceil(Number(slot.least_in * account.rate_micro) / 1_000_000) / 100,
  });
}

/** Refuses what either game cannot take in full credits, before anything has moved. */
function requireWorth(deps: GameDeps, { member, from, to, amountMinor }: Omit<Wish, 'unfinished'>): void {
  let passed = amountMinor;
  for (const place of [from, to]) {
    if (!place) continue;
    const { creditDecimals } = deps.providerOf(place.slot).capabilities;
    const credits = creditsFor(passed, place.account.rate_micro, member.currency, creditDecimals);
    passed = valueDown(credits, place.account.rate_micro, member.currency);
    if (credits <= 0n || (place === from && passed <= 0n)) throw new Refusal('TRANSFER_MINIMUM', { min: 1 });
    if (place === to) requireLeast(place, credits);
  }
}

/**
 * Takes an amount of money out of a game: reads it afresh first, because winnings are not in the mirror yet. A reading
 * overtaken by another move of the member leaves what is booked to go by. Throws PROVIDER_UNAVAILABLE when the game is
 * silent, MONEY_NOT_ENOUGH when it holds less.
 */
async function takeOut(deps: GameDeps, order: MoveOrder, amountMinor: bigint): Promise<Move> {
  const reading = await refreshAccount(deps, order.member, order.account);
  if (reading.silent) throw new Refusal('PROVIDER_UNAVAILABLE');
  const provider = deps.providerOf(order.slot);
  const credits = creditsFor(
    amountMinor,
    reading.account.rate_micro,
    order.member.currency,
    provider.capabilities.creditDecimals,
  );
  if (credits <= 0n) throw new Refusal('TRANSFER_MINIMUM');
  if (credits > reading.account.credits) throw new Refusal('MONEY_NOT_ENOUGH');
  return moveOut(deps, { ...order, account: reading.account }, credits);
}

function requireDone(result: Move): Move {
  if (result.status === 'FAILED') throw new Refusal('TRANSFER_FAIL');
  return result;
}

/** The second half of game to game; whatever keeps it from happening, the money is in the wallet by now. */
async function moveOn(deps: GameDeps, wish: Wish, to: Opened, amountMinor: bigint): Promise<Move> {
  try {
    return requireDone(await moveIn(deps, { member: wish.member, ...to, id: wish.inId }, amountMinor));
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('TRANSFER_FAIL', undefined, error.code);
    throw error;
  }
}

async function run(deps: GameDeps, wish: Wish, intent: Intent | null): Promise<Move> {
  const { member, from, to } = wish;
  if (!from) {
    const saved = (id: string, amountMinor: bigint, createdAt: Date): SavedAnswer => ({
      ...intent!,
      state: 'RUNNING',
      answer: {
        ...wish.unfinished,
        id,
        amount: fromMinor(amountMinor, member.currency),
        createdAt: createdAt.toISOString(),
      },
    });
    const order = { member, ...to!, id: wish.inId, ...(intent ? { saved } : {}) };
    return requireDone(await moveIn(deps, order, wish.amountMinor));
  }
  await takeKey(deps.ledger, intent, wish.unfinished);
  const out = requireDone(await takeOut(deps, { member, ...from, id: wish.outId }, wish.amountMinor));
  // Unknown whether the first leg is home: the second must not spend money that may not be there.
  return !to || out.status === 'PENDING' ? out : moveOn(deps, wish, to, out.amountMinor);
}

async function readWish(
  deps: GameDeps,
  member: Member,
  body: { from: string; to: string; amount: unknown },
): Promise<Wish> {
  if (body.from === body.to) throw new Refusal('NO_WALLET');
  if (body.from !== WALLET) await requireKnown(deps, body.from, 'out');
  if (body.to !== WALLET) await requireKnown(deps, body.to, 'into');
  const amountMinor = toMinor(body.amount, member.currency);
  if (amountMinor === null || amountMinor < 10n ** BigInt(CURRENCY_DECIMALS[member.currency]))
    throw new Refusal('TRANSFER_MINIMUM', { min: 1 });
  const from = await findPlace(deps, member, body.from, 'out');
  const to = await findPlace(deps, member, body.to, 'into');
  const now = deps.clock.now();
  const [outId, inId] = [newId('TF', now), newId('TF', now)];
  const wish = { member, from, to, amountMinor, outId, inId };
  requireWorth(deps, wish);
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
  return { ...wish, unfinished };
}

async function transfer(
  deps: GameDeps,
  member: Member,
  body: { from: string; to: string; amount: unknown },
  intent: Intent | null,
): Promise<Answered<ReceiptBody>> {
  const wish = await readWish(deps, member, body);
  const done = await run(deps, wish, intent);
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
    await finishSavedAnswer(deps.pool, intent, { answer: receipt, walletAfterMinor: done.walletAfterMinor });
  return { ...receipt, wallet: { amount: fromMinor(done.walletAfterMinor, member.currency) } };
}

/** Answers the transfer between two places. */
export function transferCall(declare: Declare, deps: GameDeps): void {
  declare(wallet.transfer, ({ member, body, intent }) =>
    answerOnce(
      deps,
      intent,
      { checkFirst: true, build: (saved) => replayTransfer(deps, member, intent, saved) },
      () => keepRefusal(deps.pool, intent, () => transfer(deps, member, body, intent)),
    ),
  );
}
