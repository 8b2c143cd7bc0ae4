/** Games style J over HTTP: see game-j.ts in the contract for the shapes. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { gameJ } from '@krapao/contract/outside';
import { decimalToMinor, minorToDecimal } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Environment } from '../environment/environment.ts';
import { type Dialect, logUnreadable, type Reply, runExchange } from '../environment/exchange.ts';
import type { FaultKind, GameTransfer, Player } from '../environment/state.ts';
import {
  AGENTS,
  addPlayer,
  findPlayer,
  findTransfer,
  isGoodPassword,
  isOfStyle,
  makePlayLink,
  outstandingOf,
  setPassword,
  shownBalance,
  transferCredits,
} from './agents.ts';
import { roundsSince } from './rounds.ts';

/** The secret of an agent here. */
const secretOf = (agent: string): string => `sandbox-${agent}-secret`;

const ok = (body: unknown): Reply => ({ status: 200, body });
const no = (code: keyof typeof gameJ.CODE, status = 400): Reply => ({
  status,
  body: { code, message: code.toLowerCase().replaceAll('_', ' ') },
});

const dialect: Dialect = {
  refuse: (fault) => ({ status: 400, body: { code: fault.code ?? 'MAINTENANCE', message: 'refused' } }),
  tooMany: () => ({ status: 429, body: { code: 'TOO_MANY', message: 'too many requests' } }),
  broken: () => ({ status: 500, body: { code: 'ERROR', message: 'internal error' } }),
  outage: () => no('MAINTENANCE', 503),
};

interface Call<S extends TSchema> {
  environment: Environment;
  agent: string;
  body: Static<S>;
  fault: FaultKind | undefined;
}

const text = (minor: bigint): string => minorToDecimal(minor, 2);
/** This dialect answers names in upper case. */
const shown = (player: Player): string => player.username.toUpperCase();
const withPlayer = (call: Call<typeof gameJ.PlayerRequest>, perform: (player: Player) => Reply): Reply => {
  const player = findPlayer(call.environment, call.agent, call.body.username);
  return player ? perform(player) : no('NO_PLAYER');
};

const introduced = (player: Player) => {
  const { event } = AGENTS[player.agent]!;
  return { username: shown(player), ...(event ? { event } : {}) };
};

function create({ environment, agent, body }: Call<typeof gameJ.CreateRequest>): Reply {
  const good = /^[A-Za-z0-9]{4,20}$/.test(body.username) && isGoodPassword(body.password);
  if (!good) return no('BAD_REQUEST');
  const player = addPlayer(environment, agent, body.username, body.password);
  if (!player) return no('PLAYER_EXISTS');
  return ok(introduced(player));
}

const credit = (call: Call<typeof gameJ.PlayerRequest>): Reply =>
  withPlayer(call, (player) =>
    ok({
      username: shown(player),
      balance: text(shownBalance(call.environment, player, call.fault)),
      open: text(outstandingOf(call.environment, player)),
    }),
  );

const movedResponse = (done: GameTransfer): Reply =>
  ok({
    reference: done.ref,
    username: done.username.toUpperCase(),
    direction: done.amountMinor > 0n ? 'IN' : 'OUT',
    credits: Number((done.amountMinor > 0n ? done.amountMinor : -done.amountMinor) / 100n),
    balance: text(done.balanceMinor),
  });

const move =
  (sign: 1n | -1n) =>
  (call: Call<typeof gameJ.MoveRequest>): Reply =>
    withPlayer(call, (player) => {
      const { credits, reference } = call.body;
      if (credits <= 0 || !/^[\w.:-]{1,50}$/.test(reference)) return no('BAD_REQUEST');
      const done = transferCredits(
        call.environment,
        player,
        reference,
        sign * decimalToMinor(String(credits), 2)!,
      );
      if (done === 'CONFLICT') return no('REFERENCE_USED');
      if (done === 'AGENT_EMPTY') return no('AGENT_EMPTY');
      return done === 'NOT_ENOUGH' ? no('NOT_ENOUGH') : movedResponse(done);
    });

function transaction({ environment, agent, body }: Call<typeof gameJ.CheckRequest>): Reply {
  const done = findTransfer(environment, agent, body.reference);
  return done ? movedResponse(done) : no('NO_TRANSACTION');
}

const password = (call: Call<typeof gameJ.CreateRequest>): Reply =>
  withPlayer(call, (player) => {
    if (!isGoodPassword(call.body.password)) return no('BAD_REQUEST');
    setPassword(call.environment, player, call.body.password);
    return ok(introduced(player));
  });

const launch = (call: Call<typeof gameJ.LaunchRequest>): Reply =>
  withPlayer(call, (player) => {
    const { language, returnUrl } = call.body;
    return ok({ url: makePlayLink(call.environment, player, { lang: language, returnUrl }) });
  });

function rounds({ environment, agent, body }: Call<typeof gameJ.RoundsRequest>): Reply {
  const page = roundsSince(environment, agent, body);
  return ok({
    rounds: page.rounds.map((round) => ({
      id: round.id,
      username: round.username.toUpperCase(),
      game: round.game,
      stake: text(round.stakeMinor),
      win: text(round.payoutMinor),
      state: round.state,
      at: new Date(round.settledAtMs ?? round.openedAtMs).toISOString(),
    })),
    next: page.next,
  });
}

interface Route {
  path: string;
  call: string;
  body: TSchema;
  // biome-ignore lint/suspicious/noExplicitAny: each action takes its own body, checked against the schema beside it
  perform: (call: any) => Reply;
}

const ROUTES: Route[] = [
  { path: 'players', call: 'create', body: gameJ.CreateRequest, perform: create },
  { path: 'credit', call: 'credit', body: gameJ.PlayerRequest, perform: credit },
  { path: 'deposit', call: 'deposit', body: gameJ.MoveRequest, perform: move(1n) },
  { path: 'withdraw', call: 'withdraw', body: gameJ.MoveRequest, perform: move(-1n) },
  { path: 'transaction', call: 'transaction', body: gameJ.CheckRequest, perform: transaction },
  { path: 'password', call: 'password', body: gameJ.CreateRequest, perform: password },
  { path: 'launch', call: 'launch', body: gameJ.LaunchRequest, perform: launch },
  { path: 'rounds', call: 'rounds', body: gameJ.RoundsRequest, perform: rounds },
];

type AgentRequest = FastifyRequest<{ Params: { agent: string } }> & { rawText: string };

/** Whether the agent exists and signed these very bytes a short while ago. */
function isSigned(request: AgentRequest, madeAt: number): boolean {
  const { agent } = request.params;
  const given = Buffer.from(String(request.headers[gameJ.SIGNATURE_HEADER] ?? ''), 'hex');
  const right = createHmac('sha256', secretOf(agent)).update(request.rawText).digest();
  const isFresh = Math.abs(Date.now() - madeAt) <= gameJ.FRESH_MS;
  return isOfStyle(agent, 'J') && given.length === right.length && timingSafeEqual(given, right) && isFresh;
}

/** Registers the calls under /outside/game-j. */
export async function gameJWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  // The signature covers the bytes as they came.
  app.decorateRequest('rawText', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, raw: string) => {
      (request as AgentRequest).rawText = raw;
      return JSON.parse(raw);
    },
  );
  const unreadable = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    const response = no('BAD_REQUEST', status);
    return reply.code(status).send(logUnreadable(environment, 'game-j', request, response).body);
  };
  app.setErrorHandler((_error, request, reply) => unreadable(request, reply, 400));
  app.setNotFoundHandler((request, reply) => unreadable(request, reply, 404));
  for (const { path, call, body: shape, perform } of ROUTES) {
    app.post(`/:agent/v1/${path}`, (request, reply) => {
      const { body } = request;
      if (!Value.Check(shape, body)) return unreadable(request, reply, 400);
      const { username, reference, madeAt } = body as {
        username?: string;
        reference?: string;
        madeAt: number;
      };
      const { agent } = (request as AgentRequest).params;
      const about = { party: 'game-j' as const, call, agent, member: username, reference };
      const signed = isSigned(request as AgentRequest, madeAt);
      return runExchange(environment, request, reply, {
        about,
        dialect,
        perform: (fault) =>
          signed ? perform({ environment, agent, body, fault }) : no('BAD_SIGNATURE', 401),
      });
    });
  }
}
