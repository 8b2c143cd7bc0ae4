/** Who plays: one cookie a game agent, naming a session the sandbox keeps. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nowMs } from '../../environment/clock.ts';
import { changed, type Environment } from '../../environment/environment.ts';
import { drawText } from '../../environment/random.ts';
import type { GameSession, Player, Ticket } from '../../environment/state.ts';
import { findPlayer } from '../../games/agents.ts';
import { cookieOf } from '../view.ts';

const cookieName = (agent: string): string => `sandbox_game_${agent}`;

/** Opens a session for a player and sets its cookie. */
export function openSession(environment: Environment, reply: FastifyReply, session: GameSession): void {
  const id = drawText(environment, 32);
  environment.state.gameSessions.set(id, session);
  changed(environment);
  reply.header(
    'set-cookie',
    `${cookieName(session.agent)}=${id}; Path=/games/${session.agent}; HttpOnly; SameSite=Lax`,
  );
}

/** The player behind a request, with where to go back to; undefined without a login. */
export function playerOf(
  environment: Environment,
  request: FastifyRequest,
  agent: string,
): { player: Player; returnUrl: string } | undefined {
  const session = environment.state.gameSessions.get(cookieOf(request, cookieName(agent)) ?? '');
  const player = session?.agent === agent ? findPlayer(environment, agent, session.username) : undefined;
  return session && player && { player, returnUrl: session.returnUrl };
}

/** Ends the request's session. */
export function endSession(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  agent: string,
): void {
  environment.state.gameSessions.delete(cookieOf(request, cookieName(agent)) ?? '');
  changed(environment);
  reply.header(
    'set-cookie',
    `${cookieName(agent)}=; Path=/games/${agent}; Max-Age=0; HttpOnly; SameSite=Lax`,
  );
}

/** Takes a play link's ticket: works once, within its time, for its own agent. */
export function takeTicket(environment: Environment, agent: string, id: string): Ticket | null {
  const ticket = environment.state.tickets.get(id);
  environment.state.tickets.delete(id);
  changed(environment);
  return ticket && ticket.agent === agent && ticket.expiresAtMs > nowMs(environment) ? ticket : null;
}
