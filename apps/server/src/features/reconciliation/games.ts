import { hasParts, valueDown } from '@krapao/contract/credits';
import type { Currency } from '@krapao/contract/shared';
import type { GameProvider, PartnerResponse, Played, Span } from '../../outside/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { Difference, Verdict } from './compare.ts';
import { findGameAccount, type GameRow, listGameAccounts } from './queries.ts';

export interface GameCompareDeps {
  pool: Pool;
  clock: Clock;
}

export interface GameToCompare {
  slotCode: string;
  currency: Currency;
  /** Accounts opened later are not part of the day. */
  before: Date;
  provider: Pick<GameProvider, 'balance' | 'played'>;
}

const PAGE = 100;
const AT_ONCE = 8;
/** So many accounts without an answer mean that the provider is away. */
const SILENT_MAX = 5;
/** A bet that ended so near to our last reading may be in it or not. */
const NEAR_MS = 30_000;

type Found =
  | { is: 'equal' | 'moving' }
  | { is: 'silent'; note: string }
  | { is: 'different'; theirMinor: bigint | null };

const silent = (response: PartnerResponse<unknown>): Found => ({
  is: 'silent',
  note: response.outcome === 'unknown' ? response.note : response.outcome === 'rejected' ? response.code : '',
});

/** A span with more bets than so many calls read is given up. */
const PLAYED_CALLS_MAX = 20;

/** Adds up the bets of a span, over several calls where one does not read all of them. */
async function readPlayed(
  provider: Pick<GameProvider, 'played'>,
  username: string,
  { from, to }: Span,
): Promise<PartnerResponse<Pick<Played, 'turnover' | 'result'>>> {
  let [turnover, result, begin] = [0n, 0n, from];
  for (let call = 0; call < PLAYED_CALLS_MAX; call++) {
    const played = await provider.played(username, { from: begin, to });
    if (played.outcome !== 'ok') return played;
    turnover += played.value.turnover;
    result += played.value.result;
    if (!played.value.until) return { outcome: 'ok', value: { turnover, result } };
    begin = played.value.until;
  }
  return { outcome: 'unknown', note: 'the bets do not end' };
}

/**
 * Compares a game's balance with our ledger. Play changes the provider's balance at once and ours at the next reading: what the
 * provider reports as played since our last reading is subtracted first, so only what play does not explain is a difference.
 */
async function compareAccount(deps: GameCompareDeps, game: GameToCompare, row: GameRow): Promise<Found> {
  const { provider, slotCode, currency } = game;
  const worth = (credits: bigint): bigint => valueDown(credits, row.rate_micro, currency);
  const slack = hasParts(row.rate_micro, currency) ? BigInt(row.moved) : 0n;
  const isEqual = (theirs: bigint): boolean => {
    const apart = worth(theirs) - row.booked;
    return (apart < 0n ? -apart : apart) <= slack;
  };
  if (row.is_moving) return { is: 'moving' };
  const response = await provider.balance(row.username);
  if (response.outcome === 'rejected' && response.code === 'NO_USER')
    return { is: 'different', theirMinor: null };
  if (response.outcome !== 'ok') return silent(response);
  const held = response.value.credits + response.value.outstanding - row.outstanding;
  if (isEqual(held)) return { is: 'equal' };
  const played = await readPlayed(provider, row.username, { from: row.asked_at, to: deps.clock.now() });
  if (played.outcome !== 'ok') return silent(played);
  const rest = held - played.value.result;
  if (isEqual(rest)) return { is: 'equal' };
  const [again, near, now] = await Promise.all([
    provider.balance(row.username),
    readPlayed(provider, row.username, {
      from: new Date(row.asked_at.getTime() - NEAR_MS),
      to: new Date(row.asked_at.getTime() + NEAR_MS),
    }),
    findGameAccount(deps.pool, slotCode, row.member_id),
  ]);
  if (again.outcome !== 'ok') return silent(again);
  if (near.outcome !== 'ok') return silent(near);
  const isStill =
    again.value.credits === response.value.credits &&
    again.value.outstanding === response.value.outstanding &&
    near.value.turnover === 0n &&
    now?.is_moving === false &&
    now.booked_version === row.booked_version &&
    now.asked_at.getTime() === row.asked_at.getTime();
  return isStill ? { is: 'different', theirMinor: worth(rest) } : { is: 'moving' };
}

function differenceOf(game: GameToCompare, row: GameRow, theirMinor: bigint | null, at: Date): Difference {
  const subject = `game:${game.slotCode}:${row.member_id}`;
  return {
    kind: theirMinor === null ? 'MISSING_THEIRS' : 'BALANCE',
    mark: `balance ${subject} ${theirMinor === null ? 'none' : theirMinor - row.booked}`,
    theirs:
      theirMinor === null
        ? null
        : { reference: row.username, ours: null, direction: 'IN', amountMinor: theirMinor, at, account: '' },
    ours: {
      subject,
      references: [row.username],
      direction: 'IN',
      amountMinor: row.booked,
      since: row.asked_at,
      until: row.asked_at,
      memberId: row.member_id,
      account: null,
    },
  };
}

/** Compares some accounts, a few at once; one without a response is queried once more. */
async function comparePage(
  deps: GameCompareDeps,
  game: GameToCompare,
  rows: readonly GameRow[],
): Promise<{ row: GameRow; found: Found }[]> {
  const queue = rows.values();
  const done: { row: GameRow; found: Found }[] = [];
  let silences = 0;
  const work = async () => {
    for (const row of queue) {
      if (silences >= SILENT_MAX) return;
      let found = await compareAccount(deps, game, row);
      if (found.is === 'silent') found = await compareAccount(deps, game, row);
      if (found.is === 'silent') silences++;
      done.push({ row, found });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return done;
}

/** Compares every account in a game; one silent account makes the whole unknown. `onPage` is called between pages. */
export async function compareGame(
  deps: GameCompareDeps,
  game: GameToCompare,
  onPage: () => Promise<void>,
): Promise<Verdict> {
  const differences: Difference[] = [];
  let [count, theirMinor, ourMinor, leftOut, after] = [0, 0n, 0n, 0, 0n];
  for (;;) {
    const rows = await listGameAccounts(deps.pool, game, after, PAGE);
    const done = await comparePage(deps, game, rows);
    const mute = done.find(({ found }) => found.is === 'silent');
    if (mute?.found.is === 'silent') return { state: 'UNKNOWN', note: mute.found.note };
    for (const { row, found } of done) {
      if (found.is === 'moving') {
        leftOut++;
        continue;
      }
      count++;
      ourMinor += row.booked;
      if (found.is === 'different') {
        differences.push(differenceOf(game, row, found.theirMinor, deps.clock.now()));
        theirMinor += found.theirMinor ?? 0n;
      } else {
        theirMinor += row.booked;
      }
    }
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.member_id;
    await onPage();
  }
  const side = { count, outMinor: 0n };
  return {
    state: 'COMPARED',
    leftOut,
    differences,
    theirs: { ...side, inMinor: theirMinor },
    ours: { ...side, inMinor: ourMinor },
  };
}
