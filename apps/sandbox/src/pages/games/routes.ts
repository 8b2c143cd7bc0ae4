/** Lobby, log-in and play pages, and the bets placed on them. */
import { decimalToMinor } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../environment/environment.ts';
import { AGENTS, findPlayer } from '../../games/agents.ts';
import { bet, drawDigits } from '../../games/rounds.ts';
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
export async function gamePages(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  app.get('/games', (request, reply) => {
    const view = viewOf(environment, request, reply);
    return sendPage(reply, page(view, { active: 'games', title: 'games.title', body: lobby(view) }));
  });
  app.register(async (agents) => {
    agents.addHook<{ Params: { agent: string } }>('preHandler', async (request, reply) => {
      if (!Object.hasOwn(AGENTS, request.params.agent)) return reply.callNotFound();
    });
    agentPages(agents, environment);
  });
}

function agentPages(app: FastifyInstance, environment: Environment): void {
  app.get('/games/:agent/play', (request: GameRequest, reply) => showPlay(environment, request, reply));
  app.post('/games/:agent/login', (request: GameRequest, reply) => {
    const { agent } = request.params;
    const { username = '', password = '' } = request.body;
    const player = findPlayer(environment, agent, username.trim());
    if (!player || player.password !== password)
      return reply.redirect(
        `/games/${agent}/play?${new URLSearchParams({ e: 'games.badLogin', username })}`,
        303,
      );
    openSession(environment, reply, { agent, username: player.username, returnUrl: '' });
    return reply.redirect(`/games/${agent}/play`, 303);
  });
  app.post('/games/:agent/logout', (request: GameRequest, reply) => {
    endSession(environment, request, reply, request.params.agent);
    return reply.redirect(`/games/${request.params.agent}/play`, 303);
  });
  app.post('/games/:agent/bet', (request: GameRequest, reply) => {
    const { stake = '', pick = '' } = request.body;
    return playing(environment, request, reply, (player) =>
      bet(environment, player, decimalToMinor(stake, 2) ?? 0n, pick),
    );
  });
  app.post('/games/:agent/draw', (request: GameRequest, reply) =>
    playing(environment, request, reply, (player) => drawDigits(environment, player)),
  );
}

type Who = NonNullable<ReturnType<typeof playerOf>>['player'];

/** Acts for the logged-in player and goes back to the play page, with the refusal if there was one. */
function playing(
  environment: Environment,
  request: GameRequest,
  reply: FastifyReply,
  perform: (player: Who) => unknown,
): FastifyReply {
  const { agent } = request.params;
  const who = playerOf(environment, request, agent);
  const refusal = who && perform(who.player);
  return reply.redirect(`/games/${agent}/play${typeof refusal === 'string' ? `?e=${refusal}` : ''}`, 303);
}

function showPlay(environment: Environment, request: GameRequest, reply: FastifyReply): FastifyReply {
  const { agent } = request.params;
  const { ticket: id } = request.query;
  if (id !== undefined) {
    const ticket = takeTicket(environment, agent, id);
    if (!ticket) return reply.redirect(`/games/${agent}/play?e=games.badTicket`, 303);
    openSession(environment, reply, { agent, username: ticket.username, returnUrl: ticket.returnUrl });
    rememberLanguage(reply, ticket.lang);
    return reply.redirect(`/games/${agent}/play`, 303);
  }
  const view = viewOf(environment, request, reply);
  const who = playerOf(environment, request, agent);
  const body = who ? playPage(view, who.player, who.returnUrl) : loginPage(view, agent, view.query.get('e'));
  return sendPage(reply, page(view, { active: 'games', title: 'games.title', body: html`${body}` }));
}
