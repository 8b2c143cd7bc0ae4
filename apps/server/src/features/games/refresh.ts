import { valueDown } from '@krapao/contract/credits';
import type { OperatorActionRow } from '../../ledger/index.ts';
import type { GameBalance } from '../../outside/index.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { type LimitCode, requireMayPlay } from '../limits/read.ts';
import { gameReadingItem } from './ledger.ts';
import type { GameDeps } from './move.ts';
import {
  type AccountRow,
  adoptRate,
  findAccount,
  findSlot,
  listAccounts,
  rateOf,
  readBooked,
  takeTurn,
} from './queries.ts';

export interface Reading {
  account: AccountRow;
  /** False when the provider was silent or something moved meanwhile: the figure is the last known one. */
  ok: boolean;
  /** The provider's response could not be read. */
  silent: boolean;
}

type Holder = Pick<Member, 'id' | 'currency'>;

/** An operator's action on a reading, from the balance before and after it. */
export type ActionOf = (was: bigint, worth: bigint) => OperatorActionRow;

/**
 * Books what the game has won or lost since the last reading, so that the ledger follows the game. A reading that was
 * overtaken by a transfer or a newer one is dropped, never booked. The order comes from the database's sequence and
 * never by clocks, which differ from server to server.
 */
async function bookReading(
  deps: GameDeps,
  member: Holder,
  account: AccountRow,
  {
    balance,
    requested,
    actionOf,
  }: { balance: GameBalance; requested: { at: Date; turn: bigint }; actionOf: ActionOf | null },
): Promise<boolean> {
  const booked = await readBooked(deps.pool, account);
  const worth = valueDown(balance.credits, booked.rate_micro, member.currency);
  const outcome = await deps.ledger.post(
    gameReadingItem({
      memberId: member.id,
      account,
      balance,
      requested,
      version: booked.version,
      differenceMinor: worth - booked.balance,
      result: await deps.systemAccount(`game_result:${account.slot_code}`, member.currency),
      action: actionOf?.(booked.balance, worth) ?? null,
    }),
  );
  return outcome.state === 'posted';
}

/** Reads the balance of one game and books the difference; with `actionOf` as an operator's action, with its audit row. */
export async function refreshAccount(
  deps: GameDeps,
  member: Holder,
  account: AccountRow,
  actionOf: ActionOf | null = null,
): Promise<Reading> {
  const slot = await findSlot(deps.pool, account.slot_code);
  if (!slot) return { account, ok: false, silent: true };
  const requested = { at: deps.clock.now(), turn: await takeTurn(deps.pool) };
  const response = await deps.providerOf(slot).balance(account.username);
  const ok =
    response.outcome === 'ok' &&
    (await bookReading(deps, member, account, { balance: response.value, requested, actionOf }));
  const rate = rateOf(slot, member.currency);
  if (ok && account.rate_micro !== rate) await adoptRate(deps.pool, member.id, slot.code, rate);
  const current = (await findAccount(deps.pool, member.id, account.slot_code)) ?? account;
  return { account: current, ok, silent: response.outcome !== 'ok' };
}

/** Queries every opened game concurrently; one without a response keeps its last figure. */
export async function refreshAll(deps: GameDeps, member: Holder): Promise<Reading[]> {
  const accounts = await listAccounts(deps.pool, member.id);
  return Promise.all(accounts.map((account) => refreshAccount(deps, member, account)));
}

/**
 * Throws SELF_EXCLUDED or LIMIT_REACHED when the member may not begin to play. Reads the games of a member with a loss
 * limit first, because a loss counts once it is read.
 */
export const requireMayEnter = (refuse: Refuse<LimitCode>, deps: GameDeps, member: Holder): Promise<void> =>
  requireMayPlay(refuse, deps, member, () => refreshAll(deps, member));
