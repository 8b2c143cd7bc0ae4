import { fromMinor } from '@krapao/contract/shared';
import {
  endRest,
  finishSavedResponse,
  keepRefusal,
  NeverBegan,
  readBalance,
  type Saved,
} from '../../ledger/index.ts';
import type { Intent } from '../../platform/intent.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import type { GameDeps } from './move.ts';
import { findSlot, findTransfer, type TransferRow } from './queries.ts';
import { callOverSeconds, resolveTransfer } from './resolve.ts';

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

/** A receipt whose call may never have ended: the moves it consists of, in order. */
export type Unfinished = ReceiptBody & { moves?: string[] };

export type Responded<T> = T & { wallet: { amount: number } };

export const messageOf = (status: 'SUCCESS' | 'PENDING' | 'FAILED'): string =>
  status === 'SUCCESS' ? 'SUCCESS' : 'OK';

const isOpen = ({ state }: TransferRow): boolean => state === 'RESERVED' || state === 'UNKNOWN';

/** Returns the transfer's present state; queries the provider first when its call must be over. */
async function settled(deps: GameDeps, row: TransferRow): Promise<TransferRow> {
  const isOver = row.state === 'UNKNOWN' || row.age_seconds > callOverSeconds(deps);
  const slot = isOpen(row) && isOver && (await findSlot(deps.pool, row.slot_code));
  if (!slot) return row;
  await resolveTransfer(deps, slot, row);
  return (await findTransfer(deps.pool, row.id)) ?? row;
}

/**
 * The state of the moves of a call that ended without a response: those that have begun, as they are
 * now. Once none of them is open, the others are ended forever, so that the response stays true even if the call was
 * slow and not crashed. Throws NeverBegan when none has begun.
 */
export async function endPromised(
  deps: GameDeps,
  member: Member,
  ids: readonly string[],
): Promise<{ rows: TransferRow[]; isOver: boolean }> {
  for (;;) {
    const found = (await Promise.all(ids.map((id) => findTransfer(deps.pool, id)))).filter(
      (row) => row !== undefined,
    );
    if (found.length === 0) throw new NeverBegan(ids);
    const rows = await Promise.all(found.map((row) => settled(deps, row)));
    if (rows.some(isOpen)) return { rows, isOver: false };
    const rest = ids.filter((id) => rows.every((row) => row.id !== id));
    if (rest.length === 0 || (await endRest(deps.ledger, member.id, rest))) return { rows, isOver: true };
  }
}

/**
 * Returns the first response again. For a call that never ended, `end` builds the response from its moves; once they
 * are over it is saved, refusals included.
 */
export async function replayReceipt<T extends ReceiptBody>(
  deps: GameDeps,
  member: Member,
  intent: Intent | null,
  saved: Saved,
  end: (kept: T) => Promise<{ receipt: T; isOver: boolean } | null>,
): Promise<Responded<T>> {
  const kept = saved.response as T;
  const ended = saved.state === 'RUNNING' ? await keepRefusal(deps.pool, intent, () => end(kept)) : null;
  const walletAfterMinor =
    saved.walletAfterMinor ?? (await readBalance(deps.pool, member.walletAccount)).balanceMinor;
  const response = ended?.receipt ?? kept;
  if (intent && ended?.isOver) await finishSavedResponse(deps.pool, intent, { response, walletAfterMinor });
  return { ...response, wallet: { amount: fromMinor(walletAfterMinor, member.currency) } };
}

/** The answer of a transfer between two places again; one that stopped halfway is TRANSFER_FAIL, its money in the wallet. */
export function replayTransfer(
  refuse: Refuse<'TRANSFER_FAIL'>,
  deps: GameDeps,
  member: Member,
  intent: Intent | null,
  saved: Saved,
): Promise<Responded<ReceiptBody>> {
  return replayReceipt<Unfinished>(deps, member, intent, saved, async ({ moves, ...receipt }) => {
    if (!moves) return null;
    const { rows, isOver } = await endPromised(deps, member, moves);
    const last = rows.at(-1)!;
    const stoppedHalfway = last.state === 'DONE' && rows.length < moves.length;
    if (last.state === 'FAILED' || stoppedHalfway) throw refuse('TRANSFER_FAIL');
    const status = last.state === 'DONE' ? 'SUCCESS' : 'PENDING';
    const end = { id: last.id, status, amount: fromMinor(last.amount, member.currency) } as const;
    return { receipt: { ...receipt, ...end, message: messageOf(status) }, isOver };
  });
}
