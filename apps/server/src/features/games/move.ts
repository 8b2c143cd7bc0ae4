import { costUp, creditsFor, valueDown } from '@krapao/contract/credits';
import {
  type createSystemAccounts,
  type Ledger,
  type Leg,
  RespondedBefore,
  type SavedResponse,
} from '../../ledger/index.ts';
import type { GameProvider } from '../../outside/index.ts';
import type { OpenAlert } from '../../platform/alerts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import { newId } from '../../platform/ids.ts';
import { addJob } from '../../platform/jobs.ts';
import { type Sockets, walletHint } from '../../platform/live/sockets.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Member } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import { transferEndItem, transferHoldItem } from './ledger.ts';
import { type AccountRow, findTransfer, markUnknown, type SlotRow, type TransferRow } from './queries.ts';
import { TRANSFER_DECISIONS, transferResponse } from './transfer-decision.ts';

/** Codes with which a move out of a game is refused. */
export type MoveOutCode = 'TRANSFER_MINIMUM' | 'MONEY_NOT_ENOUGH' | 'TRANSFER_FAIL';

/** The same, and of a move into a game that the terms of a bonus do not allow. */
export type MoveCode = MoveOutCode | 'BONUS_REMAINING';

export interface GameDeps {
  pool: Pool;
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
  /** Notifies the member's other screens of what the call's response contains. */
  notify: Sockets['notify'];
  /** The provider behind a slot. */
  providerOf(slot: Pick<SlotRow, 'adapter' | 'agent'>): GameProvider;
  alert: OpenAlert;
}

/** One move between the wallet and a game, as far as it is known. */
export interface Move {
  id: string;
  status: 'SUCCESS' | 'PENDING' | 'FAILED';
  amountMinor: bigint;
  walletAfterMinor: bigint;
  createdAt: Date;
}

export interface MoveOrder {
  member: Pick<Member, 'id' | 'currency' | 'walletAccount' | 'holdAccount'>;
  slot: SlotRow;
  account: AccountRow;
  /** An id that was already returned to the caller; a new one otherwise. */
  id?: string;
  /** Builds the response of a repeat, once the move's id is known. */
  saved?: (id: string, amountMinor: bigint, createdAt: Date) => SavedResponse;
}

/** Delay of the first check of a transfer without a response, in ms; later delays double up to ten minutes. */
const RESOLVE_FIRST_MS = 2_000;
const RESOLVE_MAX_MS = 600_000;

export const resolveDelayMs = (queries: number): number =>
  Math.min(RESOLVE_FIRST_MS * 2 ** queries, RESOLVE_MAX_MS);

/**
 * Moves wallet money into a game: hold, call, then book or release. Throws TRANSFER_MINIMUM for less than the game takes
 * in at once, MONEY_NOT_ENOUGH, and BONUS_REMAINING for a game that the terms of a bonus under way do not allow.
 */
export async function moveIn(
  refuse: Refuse<MoveCode>,
  deps: GameDeps,
  order: MoveOrder,
  amountMinor: bigint,
): Promise<Move> {
  const { member, slot, account } = order;
  const provider = deps.providerOf(slot);
  const credits = creditsFor(
    amountMinor,
    account.rate_micro,
    member.currency,
    provider.capabilities.creditDecimals,
  );
  if (credits <= 0n || credits < (slot.least_in ?? 0n)) throw refuse('TRANSFER_MINIMUM');
  const cost = costUp(credits, account.rate_micro, member.currency);
  return move(refuse, deps, order, 'IN', credits, cost, {
    from: member.walletAccount,
    to: member.holdAccount,
    amountMinor: cost,
  });
}

/**
 * Moves credits out of a game; `credits` must already be what the provider takes. Throws TRANSFER_MINIMUM when they
 * are worth nothing, MONEY_NOT_ENOUGH when the game's ledger account holds less.
 */
export async function moveOut(
  refuse: Refuse<MoveOutCode>,
  deps: GameDeps,
  order: MoveOrder,
  credits: bigint,
): Promise<Move> {
  const { member, account } = order;
  const worth = valueDown(credits, account.rate_micro, member.currency);
  if (worth <= 0n) throw refuse('TRANSFER_MINIMUM');
  // Bonus terms may refuse money into a game, never out of it.
  const refuseMove = refuse as Refuse<MoveCode>;
  return move(refuseMove, deps, order, 'OUT', credits, worth, {
    from: account.balance_account,
    to: member.holdAccount,
    amountMinor: worth,
  });
}

async function move(
  refuse: Refuse<'MONEY_NOT_ENOUGH' | 'TRANSFER_FAIL' | 'BONUS_REMAINING'>,
  deps: GameDeps,
  order: MoveOrder,
  direction: 'IN' | 'OUT',
  credits: bigint,
  amountMinor: bigint,
  leg: Leg,
): Promise<Move> {
  const { member, slot, account } = order;
  const createdAt = deps.clock.now();
  const id = order.id ?? newId('TF', createdAt);
  const outcome = await deps.ledger.post(
    transferHoldItem({
      id,
      memberId: member.id,
      walletAccount: member.walletAccount,
      slotCode: slot.code,
      direction,
      leg,
      credits,
      saved: order.saved?.(id, amountMinor, createdAt),
    }),
  );
  // A repeat considered this call crashed and has responded: this call returns the same response.
  const isEnded = outcome.state === 'refused' && outcome.body.message === 'INTENT_ENDED';
  if (outcome.state === 'answered' || isEnded) throw new RespondedBefore();
  if (outcome.state === 'insufficient') throw refuse('MONEY_NOT_ENOUGH');
  // Worked out at a rate that another has replaced since; nothing moved, and the next try is at the new one.
  if (outcome.state === 'refused' && outcome.body.message === 'RATE_CHANGED')
    throw refuse('TRANSFER_FAIL', undefined, 'rate');
  if (outcome.state === 'refused') throw refuse(outcome.body.message as 'BONUS_REMAINING');
  if (outcome.state !== 'posted') throw new Error(`transfer hold ended as ${outcome.state}`);
  deps.notify([walletHint(member, outcome, direction === 'IN' ? amountMinor : 0n)]);
  const signed = direction === 'IN' ? credits : -credits;
  const response = await deps
    .providerOf(slot)
    .transfer({ username: account.username, credits: signed, reference: id });
  const base = { id, amountMinor, createdAt };
  const decision = TRANSFER_DECISIONS.order[transferResponse(response, signed)];
  if (decision === 'check') {
    await markUnknown(deps.pool, id);
    await addJob(
      deps.pool,
      'transfers.resolve',
      { id },
      { key: `transfers.resolve:${id}`, inMs: resolveDelayMs(0) },
    );
    return { ...base, status: 'PENDING', walletAfterMinor: outcome.balanceMinor };
  }
  const row: TransferRow = {
    id,
    direction,
    credits,
    amount: amountMinor,
    state: 'RESERVED',
    asked: 0,
    age_seconds: 0,
    created_at: createdAt,
    member_id: member.id,
    slot_code: slot.code,
    currency: member.currency,
    wallet_account: member.walletAccount,
    hold_account: member.holdAccount,
  };
  return { ...base, ...(await endTransfer(deps, row, account, decision === 'book')) };
}

/** Opens an alert: a provider executed a transfer whose money was returned. */
export const alertContradiction = (deps: GameDeps, row: TransferRow): Promise<void> =>
  deps.alert(
    'transfer-contradicts',
    `transfer:${row.id}`,
    `${row.slot_code} did ${row.direction} ${row.amount} after the money was given back`,
  );

/**
 * Books the end of a transfer exactly once, by the caller or the resolver, the first that learns it. A later call
 * reports the end that was booked; one that reports success of a refunded transfer alerts operators.
 */
export async function endTransfer(
  deps: GameDeps,
  row: TransferRow,
  account: AccountRow,
  done: boolean,
): Promise<{ status: 'SUCCESS' | 'FAILED'; walletAfterMinor: bigint }> {
  const rounding = await deps.systemAccount('rounding', row.currency);
  const outcome = await deps.ledger.post(transferEndItem(row, account, done, rounding, null));
  if (outcome.state === 'posted')
    return { status: done ? 'SUCCESS' : 'FAILED', walletAfterMinor: outcome.balanceMinor };
  const ended = await findTransfer(deps.pool, row.id);
  if (ended?.state !== 'DONE' && ended?.state !== 'FAILED')
    throw new Error(`transfer ${row.id} ended as ${outcome.state}`);
  if (done && ended.state === 'FAILED') await alertContradiction(deps, row);
  const balance = await deps.pool.query('select balance from ledger_account where id = $1', [
    row.wallet_account,
  ]);
  return {
    status: ended.state === 'DONE' ? 'SUCCESS' : 'FAILED',
    walletAfterMinor: balance.rows[0]!.balance,
  };
}
