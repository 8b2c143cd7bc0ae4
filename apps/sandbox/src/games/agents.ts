/** The game agents the sandbox plays, their players and credits. */

import { minorToDecimal } from '@krapao/contract/shared';
import { nowMs } from '../environment/clock.ts';
import { changed, type Environment } from '../environment/environment.ts';
import { happen } from '../environment/happenings.ts';
import { printed } from '../environment/misprints.ts';
import { drawText } from '../environment/random.ts';
import type { FaultKind, GameTransfer, Player, Round } from '../environment/state.ts';

export type GameKind = Round['game'];

/** Agents by code: what their players play, under the names that the demo gives the games. */
export const AGENTS: Record<string, { game: GameKind; title: string; style: 'F' | 'J'; event?: string }> = {
  betflix: { game: 'reels', title: 'Naga Tales', style: 'F' },
  areaslot: { game: 'reels', title: 'Lantern Night', style: 'F' },
  slotracha: { game: 'reels', title: 'Lotus Court', style: 'F' },
  circus: { game: 'reels', title: 'River Sail', style: 'F' },
  imi: { game: 'match', title: 'Kick-off', style: 'F' },
  usun: { game: 'match', title: 'Half Court', style: 'F' },
  huayhd: { game: 'digits', title: 'Drum Lotto', style: 'F' },
  pg: { game: 'reels', title: 'Golden Rice', style: 'J' },
  pgslot: { game: 'reels', title: 'Silk Loom', style: 'J' },
  joker2: { game: 'reels', title: 'Night Table', style: 'J' },
  askmebet: { game: 'match', title: 'Season Ticket', style: 'J', event: 'SEASON-1' },
};

/** How long a play link works. */
const LINK_MS = 60_000;
const AGENT_OPENING_MINOR = 100_000_000n;

/** Whether there is an agent of that code who speaks that dialect. */
export const isOfStyle = (agent: string, style: 'F' | 'J'): boolean =>
  Object.hasOwn(AGENTS, agent) && AGENTS[agent]!.style === style;

/** Gives every agent its credit that has none yet. */
export function openAgents(environment: Environment): void {
  for (const agent of Object.keys(AGENTS))
    if (!environment.state.agents.has(agent))
      environment.state.agents.set(agent, {
        creditMinor: AGENT_OPENING_MINOR,
        openingMinor: AGENT_OPENING_MINOR,
      });
  changed(environment);
}

const playerKey = (agent: string, username: string): string => `${agent}:${username.toLowerCase()}`;

/** A player by agent and username; letter case does not matter. */
export const findPlayer = (environment: Environment, agent: string, username: string): Player | undefined =>
  environment.state.players.get(playerKey(agent, username));

/** Adds a player with no credits; null when the name is taken. */
export function addPlayer(
  environment: Environment,
  agent: string,
  username: string,
  password: string,
): Player | null {
  if (findPlayer(environment, agent, username)) return null;
  const player: Player = {
    agent,
    username,
    password,
    balanceMinor: 0n,
    previousMinor: 0n,
    createdAtMs: nowMs(environment),
    roundIds: [],
  };
  environment.state.players.set(playerKey(agent, username), player);
  changed(environment);
  return player;
}

/** Changes a player's credits by a signed amount; false, with nothing changed, when they would go below zero. */
export function changeCredits(environment: Environment, player: Player, signedMinor: bigint): boolean {
  if (player.balanceMinor + signedMinor < 0n) return false;
  player.previousMinor = player.balanceMinor;
  player.balanceMinor += signedMinor;
  changed(environment);
  return true;
}

/** A player's rounds, oldest first. */
export const roundsOf = (environment: Environment, player: Player): Round[] =>
  player.roundIds.map((id) => environment.state.rounds.get(id)!);

/** Stakes of a player's open bets. */
export const outstandingOf = (environment: Environment, player: Player): bigint =>
  roundsOf(environment, player)
    .filter(({ state }) => state === 'OPEN')
    .reduce((sum, { stakeMinor }) => sum + stakeMinor, 0n);

/** The balance an answer shows: the true one, the one before the latest change, or a misprint of `agent/username`. */
export function shownBalance(environment: Environment, player: Player, fault: FaultKind | undefined): bigint {
  if (fault === 'stale-balance') return player.previousMinor;
  const party = AGENTS[player.agent]!.style === 'F' ? 'game-f' : 'game-j';
  return printed(environment, party, `${player.agent}/${player.username}`, player.balanceMinor) ?? 0n;
}

const transferKey = (agent: string, ref: string): string => `${agent}:${ref}`;

export const findTransfer = (
  environment: Environment,
  agent: string,
  ref: string,
): GameTransfer | undefined => environment.state.gameTransfers.get(transferKey(agent, ref));

/**
 * Moves credits between agent and player, once for each ref: a repeat answers the first transfer, another amount or
 * player under the same ref 'CONFLICT'. Positive goes to the player.
 */
export function transferCredits(
  environment: Environment,
  player: Player,
  ref: string,
  amountMinor: bigint,
): GameTransfer | 'CONFLICT' | 'NOT_ENOUGH' | 'AGENT_EMPTY' {
  const known = findTransfer(environment, player.agent, ref);
  if (known)
    return known.username === player.username && known.amountMinor === amountMinor ? known : 'CONFLICT';
  const agent = environment.state.agents.get(player.agent)!;
  if (agent.creditMinor < amountMinor) return 'AGENT_EMPTY';
  if (!changeCredits(environment, player, amountMinor)) return 'NOT_ENOUGH';
  agent.creditMinor -= amountMinor;
  const done: GameTransfer = {
    agent: player.agent,
    ref,
    username: player.username,
    amountMinor,
    balanceMinor: player.balanceMinor,
    atMs: nowMs(environment),
  };
  environment.state.gameTransfers.set(transferKey(player.agent, ref), done);
  changed(environment);
  const facts = { agent: player.agent, username: player.username, amount: minorToDecimal(amountMinor, 2) };
  happen(environment, 'game-transfer', { reference: ref, facts });
  return done;
}

/** Whether a provider takes it as a password. */
export const isGoodPassword = (password = ''): boolean => password.length >= 4 && password.length <= 64;

/** Sets a player's password and ends their play sessions. */
export function setPassword(environment: Environment, player: Player, password: string): void {
  player.password = password;
  for (const [id, session] of environment.state.gameSessions)
    if (session.agent === player.agent && session.username === player.username)
      environment.state.gameSessions.delete(id);
  changed(environment);
}

/** An address to send the player back to, or '' for anything that is not http(s). */
const safeReturn = (url = ''): string => (/^https?:\/\//i.test(url) && URL.canParse(url) ? url : '');

/** An address that lets the player in once, for a minute. */
export function makePlayLink(
  environment: Environment,
  { agent, username }: Player,
  intent: { lang?: string; returnUrl?: string },
): string {
  const ticket = drawText(environment, 32);
  const now = nowMs(environment);
  const { tickets } = environment.state;
  for (const [old, { expiresAtMs }] of tickets) if (expiresAtMs <= now) tickets.delete(old);
  const { lang = 'th', returnUrl } = intent;
  tickets.set(ticket, {
    agent,
    username,
    lang,
    returnUrl: safeReturn(returnUrl),
    expiresAtMs: now + LINK_MS,
  });
  changed(environment);
  return `${environment.publicUrl}/games/${agent}/play?ticket=${ticket}`;
}
