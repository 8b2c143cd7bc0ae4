/** Who plays: one cookie a game agent, naming a session the sandbox keeps. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findPlayer } from '../../games/agents.ts';
import { nowMs } from '../../world/clock.ts';
import { drawText } from '../../world/random.ts';
import type { GameSession, Player, Ticket } from '../../world/state.ts';
import { changed, type World } from '../../world/world.ts';
import { cookieOf } from '../view.ts';

const cookieName = (agent: string): string => `sandbox_game_${agent}`;

/** Opens a session for a player and sets its cookie. */
export function openSession(world: World, reply: FastifyReply, session: GameSession): void {
  const id = drawText(world, 32);
  world.state.gameSessions.set(id, session);
  changed(world);
  reply.header(
    'set-cookie',
    `${cookieName(session.agent)}=${id}; Path=/games/${session.agent}; HttpOnly; SameSite=Lax`,
  );
}

/** The player behind a request, with where to go back to; undefined when nobody is logged in. */
export function playerOf(
  world: World,
  request: FastifyRequest,
  agent: string,
): { player: Player; returnUrl: string } | undefined {
  const session = world.state.gameSessions.get(cookieOf(request, cookieName(agent)) ?? '');
  const player = session?.agent === agent ? findPlayer(world, agent, session.username) : undefined;
  return session && player && { player, returnUrl: session.returnUrl };
}

/** Ends the request's session. */
export function endSession(world: World, request: FastifyRequest, reply: FastifyReply, agent: string): void {
  world.state.gameSessions.delete(cookieOf(request, cookieName(agent)) ?? '');
  changed(world);
  reply.header(
    'set-cookie',
    `${cookieName(agent)}=; Path=/games/${agent}; Max-Age=0; HttpOnly; SameSite=Lax`,
  );
}

/** Takes a play link's ticket: works once, within its time, for its own agent. */
export function takeTicket(world: World, agent: string, id: string): Ticket | null {
  const ticket = world.state.tickets.get(id);
  world.state.tickets.delete(id);
  changed(world);
  return ticket && ticket.agent === agent && ticket.expiresAtMs > nowMs(world) ? ticket : null;
}
