/** Rounds of the three small games. Draws are fair; a forced result draws again until it fits. */
import { plan } from '../environment/agenda.ts';
import { nowMs } from '../environment/clock.ts';
import { changed, type Environment, nextNumber } from '../environment/environment.ts';
import { happen } from '../environment/happenings.ts';
import { drawBelow } from '../environment/random.ts';
import type { Player, Round } from '../environment/state.ts';
import { AGENTS, changeCredits, findPlayer, roundsOf } from './agents.ts';
import { type ReelSymbol, reelsPay, STRIP } from './reels.ts';

/** A match pays 1.95 times the stake, two digits ninety times. In hundredths. */
export const MATCH_PAYS_PERCENT = 195n;
export const DIGITS_PAYS_PERCENT = 9000n;

/** Smallest and largest stake of one round. */
export const STAKE_MINOR_MIN = 100n;
export const STAKE_MINOR_MAX = 10_000_000n;

export type Result = 'win' | 'lose' | 'fair';
export type BetRefusal = 'BAD_STAKE' | 'BAD_PICK' | 'NOT_ENOUGH_CREDIT' | 'NOTHING_TO_DRAW';

const drawOnce = (environment: Environment, game: Round['game']): string => {
  if (game === 'reels')
    return Array.from({ length: 3 }, () => STRIP[drawBelow(environment, STRIP.length)]).join(',');
  return game === 'match'
    ? drawBelow(environment, 2)
      ? 'home'
      : 'away'
    : String(drawBelow(environment, 100)).padStart(2, '0');
};

/** What a bet gets back for a draw, stake included. */
export function payoutFor(round: Pick<Round, 'game' | 'pick' | 'stakeMinor'>, drawn: string): bigint {
  if (round.game === 'reels') return round.stakeMinor * BigInt(reelsPay(drawn.split(',') as ReelSymbol[]));
  if (round.pick !== drawn) return 0n;
  return (round.stakeMinor * (round.game === 'match' ? MATCH_PAYS_PERCENT : DIGITS_PAYS_PERCENT)) / 100n;
}

/** Draws until the result is as wanted; every game can both win and lose, so it ends. */
function drawAs(environment: Environment, round: Round, result: Result): string {
  for (;;) {
    const drawn = drawOnce(environment, round.game);
    const wins = payoutFor(round, drawn) > round.stakeMinor;
    const loses = payoutFor(round, drawn) === 0n;
    if (result === 'fair' || (result === 'win' ? wins : loses)) return drawn;
  }
}

const PICKS: Record<Round['game'], RegExp> = { reels: /^$/, match: /^(home|away)$/, digits: /^\d\d$/ };

/** Takes the stake and opens a round. Reels take no pick, a match home or away, digits two digits. */
export function openRound(
  environment: Environment,
  player: Player,
  stakeMinor: bigint,
  pick: string,
): Round | BetRefusal {
  const { game } = AGENTS[player.agent]!;
  if (stakeMinor < STAKE_MINOR_MIN || stakeMinor > STAKE_MINOR_MAX) return 'BAD_STAKE';
  if (!PICKS[game].test(pick)) return 'BAD_PICK';
  if (!changeCredits(environment, player, -stakeMinor)) return 'NOT_ENOUGH_CREDIT';
  const round: Round = {
    id: `round-${nextNumber(environment, 'round')}`,
    agent: player.agent,
    username: player.username,
    game,
    stakeMinor,
    payoutMinor: 0n,
    pick,
    drawn: '',
    state: 'OPEN',
    openedAtMs: nowMs(environment),
  };
  environment.state.rounds.set(round.id, round);
  player.roundIds.push(round.id);
  changed(environment);
  return round;
}

/** Settles an open round by a draw, or by `drawn` when several bets share one; nothing happens to a settled one. */
export function settleRound(
  environment: Environment,
  round: Round,
  result: Result = 'fair',
  drawn?: string,
): Round {
  if (round.state === 'SETTLED') return round;
  round.drawn = drawn ?? drawAs(environment, round, result);
  round.payoutMinor = payoutFor(round, round.drawn);
  round.state = 'SETTLED';
  round.settledAtMs = nowMs(environment);
  const player = findPlayer(environment, round.agent, round.username)!;
  if (round.payoutMinor > 0n) changeCredits(environment, player, round.payoutMinor);
  changed(environment);
  happen(environment, 'round', {
    reference: round.id,
    facts: { agent: round.agent, username: round.username },
  });
  return round;
}

/** Agenda: the final whistle. */
export function runSettleMatch(environment: Environment, roundId: string): void {
  const round = environment.state.rounds.get(roundId);
  if (round) settleRound(environment, round);
}

/** A bet as a player places it: reels settle at once, a match after a moment, digits at the draw. */
export function bet(
  environment: Environment,
  player: Player,
  stakeMinor: bigint,
  pick: string,
): Round | BetRefusal {
  const round = openRound(environment, player, stakeMinor, pick);
  if (typeof round === 'string') return round;
  if (round.game === 'reels') return settleRound(environment, round);
  if (round.game === 'match')
    plan(environment, 'settle-match', round.id, nowMs(environment) + environment.state.settings.matchMs);
  return round;
}

/** Draws two digits for all of a player's open numbers at once. */
export function drawDigits(environment: Environment, player: Player): Round[] | BetRefusal {
  const open = roundsOf(environment, player).filter(
    ({ state, game }) => state === 'OPEN' && game === 'digits',
  );
  if (open.length === 0) return 'NOTHING_TO_DRAW';
  const drawn = drawOnce(environment, 'digits');
  return open.map((round) => settleRound(environment, round, 'fair', drawn));
}

/** Plays rounds with a wanted result, settled at once. Stops at the first refusal; what was played stays played. */
export function playRounds(
  environment: Environment,
  player: Player,
  wanted: { rounds: number; result: Result; stakeMinor: bigint },
): { rounds: Round[]; refusal?: BetRefusal } {
  const { game } = AGENTS[player.agent]!;
  const rounds: Round[] = [];
  for (let played = 0; played < wanted.rounds; played++) {
    const pick = game === 'reels' ? '' : drawOnce(environment, game);
    const round = openRound(environment, player, wanted.stakeMinor, pick);
    if (typeof round === 'string') return { rounds, refusal: round };
    rounds.push(settleRound(environment, round, wanted.result));
  }
  return { rounds };
}

/** Stakes and the player's result (positive: the player won) of rounds settled in [start, end). */
export function summarise(
  environment: Environment,
  player: Player,
  startMs: number,
  endMs: number,
): [bigint, bigint] {
  const settled = roundsOf(environment, player).filter(
    ({ settledAtMs }) => settledAtMs !== undefined && settledAtMs >= startMs && settledAtMs < endMs,
  );
  const turnover = settled.reduce((sum, { stakeMinor }) => sum + stakeMinor, 0n);
  return [turnover, settled.reduce((sum, { payoutMinor }) => sum + payoutMinor, 0n) - turnover];
}

/** An agent's wanted rounds in the order they last changed, after the cursor; `next` is the cursor after the last of them. */
export function roundsSince(
  environment: Environment,
  agent: string,
  wanted: { cursor: string; limit: number; username?: string | undefined; since?: string | undefined },
): { rounds: Round[]; next: string } {
  const { cursor, limit, username, since } = wanted;
  const isWanted = ({ username: player, settledAtMs, openedAtMs }: Round) =>
    (!username || player.toLowerCase() === username.toLowerCase()) &&
    (!since || (settledAtMs ?? openedAtMs) >= Date.parse(since));
  const keyOf = (round: Round) =>
    `${String(round.settledAtMs ?? round.openedAtMs).padStart(15, '0')}:${round.id}`;
  const rounds = [...environment.state.rounds.values()]
    .filter((round) => round.agent === agent && keyOf(round) > cursor && isWanted(round))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(0, limit);
  const last = rounds.at(-1);
  return { rounds, next: last ? keyOf(last) : cursor };
}
