/** Lobby, log-in and play pages, and the bets placed on them. */
import { decimalToMinor } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AGENTS, findPlayer } from '../../games/agents.ts';
import { bet, drawDigits } from '../../games/rounds.ts';
import type { World } from '../../world/world.ts';
import { html } from '../html.ts';
import { page, sendPage } from '../layout.ts';
import { rememberLanguage, viewOf } from '../view.ts';
import { lobby, loginPage } from './lobby.ts';
import { playPage } from './play.ts';
import { endSession, openSession, playerOf, takeTicket } from './session.ts';

type Form = Record<string, string | undefined>;
type GameRequest = FastifyRequest<{
  Params: { agent: string };
  Body: Form;
  Querystring: { ticket?: string };
}>;

/** Registers the game pages. */
export async function gamePages(app: FastifyInstance, { world }: { world: World }): Promise<void> {
  app.get('/games', (request, reply) => {
    const view = viewOf(world, request, reply);
    return sendPage(reply, page(view, { active: 'games', title: 'games.title', body: lobby(view) }));
  });
  app.register(async (agents) => {
    agents.addHook<{ Params: { agent: string } }>('preHandler', async (request, reply) => {
      if (!Object.hasOwn(AGENTS, request.params.agent)) return reply.callNotFound();
    });
    agentPages(agents, world);
  });
}

function agentPages(app: FastifyInstance, world: World): void {
  app.get('/games/:agent/play', (request: GameRequest, reply) => showPlay(world, request, reply));
  app.post('/games/:agent/login', (request: GameRequest, reply) => {
    const { agent } = request.params;
    const { username = '', password = '' } = request.body;
    const player = findPlayer(world, agent, username.trim());
    if (!player || player.password !== password)
      return reply.redirect(
        `/games/${agent}/play?${new URLSearchParams({ e: 'games.badLogin', username })}`,
        303,
      );
    openSession(world, reply, { agent, username: player.username, returnUrl: '' });
    return reply.redirect(`/games/${agent}/play`, 303);
  });
  app.post('/games/:agent/logout', (request: GameRequest, reply) => {
    endSession(world, request, reply, request.params.agent);
    return reply.redirect(`/games/${request.params.agent}/play`, 303);
  });
  app.post('/games/:agent/bet', (request: GameRequest, reply) => {
    const { stake = '', pick = '' } = request.body;
    return playing(world, request, reply, (player) =>
      bet(world, player, decimalToMinor(stake, 2) ?? 0n, pick),
    );
  });
  app.post('/games/:agent/draw', (request: GameRequest, reply) =>
    playing(world, request, reply, (player) => drawDigits(world, player)),
  );
}

type Who = NonNullable<ReturnType<typeof playerOf>>['player'];

/** Acts for the logged-in player and goes back to the play page, with the refusal if there was one. */
function playing(
  world: World,
  request: GameRequest,
  reply: FastifyReply,
  perform: (player: Who) => unknown,
): FastifyReply {
  const { agent } = request.params;
  const who = playerOf(world, request, agent);
  const refusal = who && perform(who.player);
  return reply.redirect(`/games/${agent}/play${typeof refusal === 'string' ? `?e=${refusal}` : ''}`, 303);
}

function showPlay(world: World, request: GameRequest, reply: FastifyReply): FastifyReply {
  const { agent } = request.params;
  const { ticket: id } = request.query;
  if (id !== undefined) {
    const ticket = takeTicket(world, agent, id);
    if (!ticket) return reply.redirect(`/games/${agent}/play?e=games.badTicket`, 303);
    openSession(world, reply, { agent, username: ticket.username, returnUrl: ticket.returnUrl });
    rememberLanguage(reply, ticket.lang);
    return reply.redirect(`/games/${agent}/play`, 303);
  }
  const view = viewOf(world, request, reply);
  const who = playerOf(world, request, agent);
  const body = who ? playPage(view, who.player, who.returnUrl) : loginPage(view, agent, view.query.get('e'));
  return sendPage(reply, page(view, { active: 'games', title: 'games.title', body: html`${body}` }));
}
