/** Games style F over HTTP: see game-f.ts in the contract for the shapes, docs/sandbox.md for every error code. */
import formbody from '@fastify/formbody';
import { BANGKOK_OFFSET_MS, DAY_MS } from '@krapao/contract/durations';
import { gameF } from '@krapao/contract/outside';
import { decimalToMinor, minorToDecimal } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../environment/environment.ts';
import {
  type Action,
  type Dialect,
  logUnreadable,
  type Reply,
  runExchange,
} from '../environment/exchange.ts';
import type { Player } from '../environment/state.ts';
import {
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
import { summarise } from './rounds.ts';

const CAT = 'sandbox-cat';

const text = (minor: bigint): string => minorToDecimal(minor, 2);
const success = (data: Record<string, string>): Reply => ({
  status: 200,
  body: { status: 'success', data },
});
// Business refusals come with HTTP 200, as such agent APIs do; only trouble with the line has a status of its own.
const fail = (error_code: number, msg: string, status = 200): Reply => ({
  status,
  body: { status: 'error', error_code, msg },
});

const dialect: Dialect = {
  refuse: (fault) => fail(Number(fault.code ?? gameF.ERROR.MAINTENANCE), 'refused'),
  tooMany: () => fail(9429, 'too many requests', 429),
  broken: () => fail(9500, 'internal error', 500),
  outage: () => fail(gameF.ERROR.MAINTENANCE, 'maintenance', 503),
};

type Form = Record<string, string | undefined>;
interface Call {
  environment: Environment;
  agent: string;
  form: Form;
  fault: Parameters<Action>[0];
}

const noPlayer = (): Reply => fail(gameF.ERROR.USER_NOT_FOUND, 'user not found');
const withPlayer = ({ environment, agent, form }: Call, perform: (player: Player) => Reply): Reply => {
  const player = findPlayer(environment, agent, form.username ?? '');
  return player ? perform(player) : noPlayer();
};

/** Signed decimal credits to minor units; null when zero, malformed or finer than two decimals. */
function signedMinor(amount = ''): bigint | null {
  const minor = decimalToMinor(amount.replace(/^[+-]/, ''), 2);
  if (!minor) return null;
  return amount.startsWith('-') ? -minor : minor;
}

/** ISO 8601 instant, or a date meaning its midnight in Bangkok (for `end`, the midnight after it). */
function instant(value: string | undefined, isEnd: boolean): number {
  if (value && /^\d{4}-\d\d-\d\d$/.test(value))
    return Date.parse(value) - BANGKOK_OFFSET_MS + (isEnd ? DAY_MS : 0);
  return Date.parse(value ?? '');
}

function register({ environment, agent, form }: Call): Reply {
  const { username = '', password = '' } = form;
  if (!/^[A-Za-z0-9_]{3,32}$/.test(username)) return fail(gameF.ERROR.BAD_USERNAME, 'bad username');
  if (!isGoodPassword(password)) return fail(gameF.ERROR.BAD_PASSWORD, 'bad password');
  if (!addPlayer(environment, agent, username, password)) return fail(gameF.ERROR.USER_EXISTS, 'user exists');
  return success({ username });
}

function balance(call: Call): Reply {
  return withPlayer(call, (player) =>
    success({
      username: player.username,
      balance: text(shownBalance(call.environment, player, call.fault)),
      outstanding: text(outstandingOf(call.environment, player)),
    }),
  );
}

function transfer(call: Call): Reply {
  const { ref = '', amount } = call.form;
  return withPlayer(call, (player) => {
    if (!/^[\w.:-]{1,64}$/.test(ref)) return fail(gameF.ERROR.BAD_REQUEST, 'bad ref');
    const amountMinor = signedMinor(amount);
    if (amountMinor === null) return fail(gameF.ERROR.BAD_AMOUNT, 'bad amount');
    const done = transferCredits(call.environment, player, ref, amountMinor);
    if (done === 'CONFLICT') return fail(gameF.ERROR.REF_USED, 'ref already used for another transfer');
    if (done === 'AGENT_EMPTY') return fail(gameF.ERROR.AGENT_CREDIT_EMPTY, 'agent credit empty');
    if (done === 'NOT_ENOUGH') return fail(gameF.ERROR.NOT_ENOUGH_CREDIT, 'not enough credit');
    return success({ ref, amount: text(done.amountMinor), balance: text(done.balanceMinor) });
  });
}

function transferStatus({ environment, agent, form }: Call): Reply {
  const done = findTransfer(environment, agent, form.ref ?? '');
  if (!done) return fail(gameF.ERROR.REF_NOT_FOUND, 'ref not found');
  return success({ ref: done.ref, username: done.username, amount: text(done.amountMinor), state: 'DONE' });
}

function password(call: Call): Reply {
  return withPlayer(call, (player) => {
    if (!isGoodPassword(call.form.password)) return fail(gameF.ERROR.BAD_PASSWORD, 'bad password');
    setPassword(call.environment, player, call.form.password!);
    return success({ username: player.username });
  });
}

const playLogin = (call: Call): Reply =>
  withPlayer(call, (player) => success({ url: makePlayLink(call.environment, player, call.form) }));

function summary(call: Call): Reply {
  return withPlayer(call, (player) => {
    const startMs = instant(call.form.start, false);
    const endMs = instant(call.form.end, true);
    if (!(startMs <= endMs)) return fail(gameF.ERROR.BAD_REQUEST, 'bad start or end');
    const [turnover, winloss] = summarise(call.environment, player, startMs, endMs);
    return success({ turnover: text(turnover), winloss: text(winloss) });
  });
}

const agentBalance = ({ environment, agent }: Call): Reply =>
  success({ balance: text(environment.state.agents.get(agent)!.creditMinor) });

const ROUTES: [path: string, call: string, perform: (call: Call) => Reply][] = [
  ['user/register', 'register', register],
  ['user/balance', 'balance', balance],
  ['user/transfer', 'transfer', transfer],
  ['user/transfer/status', 'transfer-status', transferStatus],
  ['user/password', 'password', password],
  ['play/login', 'play', playLogin],
  ['report/summary', 'summary', summary],
  ['agent/balance', 'agent-balance', agentBalance],
];

type AgentRequest = FastifyRequest<{ Params: { agent: string }; Body: Form | undefined }>;

function guarded(request: AgentRequest, perform: Action): Action {
  const { 'x-api-key': key, 'x-api-cat': cat } = request.headers;
  const known =
    isOfStyle(request.params.agent, 'F') && key === `sandbox-${request.params.agent}` && cat === CAT;
  return (fault) => (known ? perform(fault) : fail(gameF.ERROR.BAD_KEY, 'bad key'));
}

/** Registers the calls under /outside/game-f. */
export async function gameWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(formbody);
  const unreadable = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    const response = fail(gameF.ERROR.BAD_REQUEST, 'bad request', status);
    return reply.code(status).send(logUnreadable(environment, 'game-f', request, response).body);
  };
  app.setErrorHandler((_error, request, reply) => unreadable(request, reply, 400));
  app.setNotFoundHandler((request, reply) => unreadable(request, reply, 404));
  for (const [path, call, perform] of ROUTES) {
    app.post(`/:agent/v4/${path}`, (request: AgentRequest, reply: FastifyReply) => {
      const { agent } = request.params;
      // Repeated fields arrive as arrays; such APIs take the last one.
      const form = Object.fromEntries(
        Object.entries(request.body ?? {}).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.at(-1) : value,
        ]),
      ) as Form;
      const about = { party: 'game-f' as const, call, agent, member: form.username, reference: form.ref };
      const guardedAction = guarded(request, (fault) => perform({ environment, agent, form, fault }));
      return runExchange(environment, request, reply, { about, dialect, perform: guardedAction });
    });
  }
}
