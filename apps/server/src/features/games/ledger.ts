import { valueDown } from '@krapao/contract/credits';
import {
  intentKey,
  type LedgerItem,
  type Leg,
  type OperatorActionRow,
  type SavedResponse,
  type TransferEndRow,
} from '../../ledger/index.ts';
import type { GameBalance } from '../../outside/index.ts';
import type { AccountRow, TransferRow } from './queries.ts';

/** The ledger items of games: the hold and the end of a transfer, and the reading of a balance. */

const holdKey = (id: string): string => `transfer:${id}`;

interface TransferHold {
  id: string;
  memberId: bigint;
  walletAccount: bigint;
  slotCode: string;
  direction: 'IN' | 'OUT';
  /** From the wallet or the provider balance into the member's hold account; its amount is the transfer's. */
  leg: Leg;
  credits: bigint;
  saved: SavedResponse | undefined;
}

/** Holds the money of a transfer before the provider is called, and writes the transfer. */
export const transferHoldItem = ({
  id,
  memberId,
  direction,
  leg,
  saved,
  ...hold
}: TransferHold): LedgerItem => ({
  reference: `transfer:${id}:hold`,
  kind: direction === 'IN' ? 'transfer_in_hold' : 'transfer_out_hold',
  memberId,
  hold: { op: 'open', key: holdKey(id) },
  legs: [leg],
  watch: hold.walletAccount,
  attached: {
    name: 'transfer_intent',
    row: {
      id,
      memberId,
      slotCode: hold.slotCode,
      direction,
      amount: leg.amountMinor,
      credits: hold.credits,
    },
    writesNoEvent: true,
  },
  ...(saved ? { saved } : {}),
  exclusive: [intentKey(id), `run of ${memberId}`],
});

/** Where the held money goes: on with a done transfer, back with a failed one. */
function endLegs(row: TransferRow, account: AccountRow, done: boolean, rounding: bigint): Leg[] {
  const from = row.hold_account;
  if (row.direction === 'OUT')
    return [{ from, to: done ? row.wallet_account : account.balance_account, amountMinor: row.amount }];
  if (!done) return [{ from, to: row.wallet_account, amountMinor: row.amount }];
  const worth = valueDown(row.credits, account.rate_micro, row.currency);
  const legs: Leg[] = worth > 0n ? [{ from, to: account.balance_account, amountMinor: worth }] : [];
  if (row.amount > worth) legs.push({ from, to: rounding, amountMinor: row.amount - worth });
  return legs;
}

/**
 * Ends a transfer exactly once, by the first that learns the outcome: the caller, the resolver or an operator.
 * @param rounding the system account that takes what credits cannot hold
 * @param action an operator's action, when they decided the end
 */
export function transferEndItem(
  row: TransferRow,
  account: AccountRow,
  done: boolean,
  rounding: bigint,
  action: OperatorActionRow | null,
): LedgerItem {
  const state = done ? 'DONE' : 'FAILED';
  const ending: TransferEndRow = {
    id: row.id,
    memberId: row.member_id,
    slotCode: row.slot_code,
    direction: row.direction,
    amount: row.amount,
    credits: row.credits,
    state,
  };
  return {
    reference: `transfer:${row.id}:end`,
    kind: `transfer_${row.direction.toLowerCase()}_${done ? 'done' : 'failed'}`,
    memberId: row.member_id,
    hold: { op: done ? 'post' : 'release', key: holdKey(row.id) },
    legs: endLegs(row, account, done, rounding),
    watch: row.wallet_account,
    attached: action
      ? { name: 'operator_transfer', row: { action, ending, state } }
      : { name: 'transfer_end', row: ending },
  };
}

interface GameReading {
  memberId: bigint;
  account: AccountRow;
  balance: GameBalance;
  /** When and in which turn the provider was queried. */
  requested: { at: Date; turn: bigint };
  /** Version of the ledger account that the difference was worked out on. */
  version: bigint;
  /** What the game account is worth more than in the ledger; negative when less. */
  differenceMinor: bigint;
  /** The system account of the game's results. */
  result: bigint;
  /** An operator's action, when they requested the reading. */
  action: OperatorActionRow | null;
}

/** Books what a game has won or lost since the last reading; a reading without a difference is written all the same. */
export function gameReadingItem(read: GameReading): LedgerItem {
  const { memberId, account, balance, requested, differenceMinor, result, action } = read;
  const { balance_account: held } = account;
  const [from, to] = differenceMinor > 0n ? [result, held] : [held, result];
  const amountMinor = differenceMinor > 0n ? differenceMinor : -differenceMinor;
  const reading = {
    memberId,
    slotCode: account.slot_code,
    credits: balance.credits,
    outstanding: balance.outstanding,
    askedAt: requested.at,
    turn: requested.turn,
    mirrorAccount: held,
    mirrorVersion: read.version,
  };
  return {
    reference: `reading:${held}:${requested.turn}`,
    kind: 'game_result',
    memberId,
    legs: amountMinor === 0n ? [] : [{ from, to, amountMinor }],
    attached: action
      ? { name: 'operator_game_reading', row: { action, reading } }
      : { name: 'game_reading', row: reading },
    exclusive: [`game balance ${held}`],
  };
}
