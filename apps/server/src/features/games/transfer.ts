import { wallet } from '@krapao/contract/member';
import { CURRENCY_DECIMALS, fromMinor, toMinor } from '@krapao/contract/shared';
import {
  answerOnce,
  dropRunningAnswer,
  finishSavedAnswer,
  readBalance,
  type SavedAnswer,
} from '../../ledger/index.ts';
import type { Declare, Intent } from '../../platform/http/declare.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { creditsFor } from './credits.ts';
import { type GameDeps, type Move, type MoveOrder, moveIn, moveOut } from './move.ts';
import { type AccountRow, findAccount, findSlot, findTransfer, type SlotRow } from './queries.ts';
import { refreshAccount } from './refresh.ts';

const WALLET = 'wallet';

export interface ReceiptBody {
  id: string;
  type: 'transfer';
  status: 'PENDING' | 'SUCCESS';
  amount: number;
  from: string;
  to: string;
  createdAt: string;
  message: string;
}
export type Receipt = ReceiptBody & { wallet: { amount: number } };

/** A slot with the member's account in it, as transfers need them. */
export type Opened = { slot: SlotRow; account: AccountRow };

/** The named place: null for the wallet. Throws NO_WALLET for an unknown name, SLOT_NO_ACCOUNT for an unopened game. */
export async function findPlace(deps: GameDeps, member: Member, name: string): Promise<Opened | null> {
  if (name === WALLET) return null;
  const slot = await findSlot(deps.pool, name);
  if (!slot) throw new Refusal('NO_WALLET');
  const account = await findAccount(deps.pool, member.id, slot.code);
  if (!account) throw new Refusal('SLOT_NO_ACCOUNT');
  return { slot, account };
}

const messageOf = (status: Move['status']): string => (status === 'SUCCESS' ? 'SUCCESS' : 'OK');

/** Kept under the key while the move runs: what a repeat is told should the call never end. */
export function savedWhileRunning(
  intent: Intent | null,
  member: Member,
  place: { from: string; to: string },
): MoveOrder['saved'] {
  if (!intent) return undefined;
  return (id, amountMinor, createdAt): SavedAnswer => {
    const answer: ReceiptBody = {
      id,
      type: 'transfer',
      status: 'PENDING',
      amount: fromMinor(amountMinor, member.currency),
      from: place.from,
      to: place.to,
      createdAt: createdAt.toISOString(),
      message: 'OK',
    };
    return { ...intent, state: 'RUNNING', answer };
  };
}

/**
 * Takes an amount of money out of a game: reads it afresh first, because winnings are not in the mirror yet.
 * Throws PROVIDER_UNAVAILABLE when the game is silent, MONEY_NOT_ENOUGH when it holds less.
 */
async function takeOut(deps: GameDeps, order: MoveOrder, amountMinor: bigint): Promise<Move> {
  const reading = await refreshAccount(deps, order.member, order.account);
  if (!reading.ok) throw new Refusal('PROVIDER_UNAVAILABLE');
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

async function run(
  deps: GameDeps,
  member: Member,
  places: { from: Opened | null; to: Opened | null },
  amountMinor: bigint,
  saved: MoveOrder['saved'],
): Promise<Move> {
  const { from, to } = places;
  if (!from && to) return requireDone(await moveIn(deps, { member, ...to, saved }, amountMinor));
  if (from && !to) return requireDone(await takeOut(deps, { member, ...from, saved }, amountMinor));
  const out = requireDone(await takeOut(deps, { member, ...from!, saved }, amountMinor));
  // Unknown whether the first leg is home: the second must not spend money that may not be there.
  if (out.status === 'PENDING') return out;
  return requireDone(await moveIn(deps, { member, ...to! }, out.amountMinor));
}

async function transfer(
  deps: GameDeps,
  member: Member,
  body: { from: string; to: string; amount: unknown },
  intent: Intent | null,
): Promise<Receipt> {
  if (body.from === body.to) throw new Refusal('NO_WALLET');
  const known = await Promise.all(
    [body.from, body.to].map(
      async (name) => name === WALLET || (await findSlot(deps.pool, name)) !== undefined,
    ),
  );
  if (known.includes(false)) throw new Refusal('NO_WALLET');
  const amountMinor = toMinor(body.amount, member.currency);
  if (amountMinor === null || amountMinor < 10n ** BigInt(CURRENCY_DECIMALS[member.currency]))
    throw new Refusal('TRANSFER_MINIMUM', { min: 1 });
  const [from, to] = [await findPlace(deps, member, body.from), await findPlace(deps, member, body.to)];
  const done = await run(deps, member, { from, to }, amountMinor, savedWhileRunning(intent, member, body));
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

/** A refusal after the first step is the call's end too; a repeat must hear it again, unless it says 'not now'. */
export async function keepRefusal<T>(
  deps: GameDeps,
  intent: Intent | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (intent && error instanceof Refusal) {
      if (error.status >= 500) await dropRunningAnswer(deps.pool, intent);
      else await finishSavedAnswer(deps.pool, intent, { refusal: error.body });
    }
    throw error;
  }
}

/** The first answer again; a call that never ended is told how its move stands now. */
export async function replayReceipt<T extends ReceiptBody>(
  deps: GameDeps,
  member: Member,
  saved: { answer: unknown; state: string; walletAfterMinor: bigint | null },
): Promise<T & { wallet: { amount: number } }> {
  const receipt = saved.answer as T;
  const walletMinor =
    saved.walletAfterMinor ?? (await readBalance(deps.pool, member.walletAccount)).balanceMinor;
  const wallet = { amount: fromMinor(walletMinor, member.currency) };
  if (saved.state === 'DONE') return { ...receipt, wallet };
  const row = receipt.id ? await findTransfer(deps.pool, receipt.id) : undefined;
  if (row?.state === 'FAILED') throw new Refusal('TRANSFER_FAIL');
  return { ...receipt, status: row?.state === 'DONE' ? 'SUCCESS' : 'PENDING', wallet };
}

/** Answers the transfer between two places. */
export function transferCall(declare: Declare, deps: GameDeps): void {
  declare(wallet.transfer, ({ member, body, intent }) =>
    answerOnce(
      deps,
      intent,
      { checkFirst: true, build: (saved) => replayReceipt<ReceiptBody>(deps, member, saved) },
      () => keepRefusal(deps, intent, () => transfer(deps, member, body, intent)),
    ),
  );
}
