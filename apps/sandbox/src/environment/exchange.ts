/**
 * One exchange with the product: strikes the armed fault, acts, answers, writes the log. Every protocol call of
 * every party goes through here, so faults and log mean the same everywhere.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from './environment.ts';
import { type Exchange, strike } from './faults.ts';
import { writeLog } from './log.ts';
import type { Fault, FaultKind, Party } from './state.ts';

export interface Reply {
  status: number;
  body: unknown;
}

/** How a party words its troubles. */
export interface Dialect {
  /** A definite no, before acting. */
  refuse(fault: Fault): Reply;
  tooMany(fault: Fault): Reply;
  broken(): Reply;
  outage(): Reply;
}

/** Executes the call. `fault` is set for kinds that the call itself must simulate. */
export type Action = (fault?: FaultKind) => Reply;

const instead = (dialect: Dialect, fault: Fault): Reply | null => {
  if (fault.kind === 'refuse') return dialect.refuse(fault);
  if (fault.kind === '429') return dialect.tooMany(fault);
  if (fault.kind === '500') return dialect.broken();
  return fault.kind === 'outage' ? dialect.outage() : null;
};

const oneMore = (name: string, value: unknown): unknown =>
  name === 'amount'
    ? (Number(value) + 1).toFixed(2)
    : name === 'credits'
      ? Number(value) + 1
      : spoilAmounts(value);

/** One unit more in every amount of an answer. */
function spoilAmounts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spoilAmounts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, oneMore(name, inner)]));
}

/** Runs one exchange to its end; resolves after the answer left or the line was cut. */
export async function runExchange(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  { about, dialect, perform }: { about: Exchange; dialect: Dialect; perform: Action },
): Promise<FastifyReply> {
  const started = performance.now();
  const { state } = environment;
  const { delayMs, fault } = strike(environment, about);
  const record = (status: number | null, body: unknown) =>
    writeLog(environment, {
      ...about,
      direction: 'in',
      method: request.method,
      path: request.url.split('?')[0]!,
      request: { ...(request.query as object), ...(request.body as object | undefined) },
      status,
      reply: body,
      fault: fault?.kind ?? (delayMs > 0 ? 'delay' : undefined),
      durationMs: Math.round(performance.now() - started),
    });
  const cut = () => {
    record(null, null);
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  };
  if (delayMs > 0)
    await sleep(delayMs, undefined, { signal: environment.stopping.signal }).catch(() => undefined);
  // A request made before a reset has no effect after it.
  if (fault?.kind === 'cut-before' || environment.state !== state) return cut();
  const response = (fault && instead(dialect, fault)) ?? perform(fault?.kind);
  if (fault?.kind === 'cut-after') return cut();
  if (fault?.kind === 'wrong-amount') response.body = spoilAmounts(response.body);
  record(response.status, response.body);
  reply.code(response.status).type('application/json; charset=utf-8');
  const text = JSON.stringify(response.body);
  return reply.send(fault?.kind === 'malformed' ? text.slice(0, text.length / 2) : text);
}

/** Writes an exchange that was refused before it could be understood: a bad shape, an unknown address. */
export function logUnreadable(
  environment: Environment,
  party: Party,
  request: FastifyRequest,
  response: Reply,
): Reply {
  writeLog(environment, {
    party,
    call: 'unreadable',
    direction: 'in',
    method: request.method,
    path: request.url.split('?')[0]!,
    request: request.body ?? null,
    status: response.status,
    reply: response.body,
    durationMs: 0,
  });
  return response;
}
