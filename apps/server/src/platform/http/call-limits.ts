import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallDeclaration } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Budget, CallBudgets } from '../budget.ts';
import { networkOf } from './caller.ts';
import type { Connections } from './connections.ts';

/** Time in ms that a body may take; forms with files have the server's own limit. */
export const BODY_MS_MAX = 30_000;

/** Probes and figures are never refused: supervisors would restart a server that is only busy. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);
const HOOKS_PATH = '/hooks/';

type Release = () => void;
const NOTHING: Release = () => undefined;

const isProbe = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'GET' && PROBES.has(routeOptions.url);

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** A request with its response, and the network that it counts to. */
interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: string;
}

/** Takes a place for the body of a request until it has arrived or its connection has ended. */
function incompleteBodies(budget: Budget): (exchange: Exchange) => void {
  const open = new Map<IncomingMessage, Release>();
  return ({ request, reply, caller }) => {
    const { raw } = request;
    const { socket } = raw;
    // A request that came over no connection (`inject`) is never incomplete.
    if (!hasBody(request) || raw.complete !== false) return;
    // A body that nothing has read yet has no event when its last byte arrives.
    if (open.size >= budget.callerMax) for (const [message, release] of open) if (message.complete) release();
    const giveBack = budget.take(caller);
    const release = () => {
      open.delete(raw);
      socket.off('close', release);
      giveBack();
    };
    open.set(raw, release);
    raw.once('end', release).once('close', release);
    // After the response the end of the connection is no event of the request any more.
    reply.raw.once('close', () => open.has(raw) && socket.once('close', release));
  };
}

/** What ends the count of each call. */
const pending = new WeakMap<ServerResponse, Release>();

/** Counts a call as pending no more, although its response stays open: an event stream has a budget of its own. */
export function endPendingCall(reply: FastifyReply): void {
  pending.get(reply.raw)?.();
}

/**
 * Counts pending calls and bodies that have not arrived, in total and per network. A caller beyond their share is
 * refused at once with 429, all callers beyond the total with 503, instead of responding late to everyone. Probes are
 * excepted; hooks have a reserve for when members' calls leave nothing.
 */
export function limitCalls(
  app: FastifyInstance,
  connections: Connections,
  { calls, bodies, hooks }: CallBudgets,
): void {
  const takeBody = incompleteBodies(bodies);
  const takeCall = (exchange: Exchange): Release => {
    const release = calls.take(exchange.caller);
    try {
      takeBody(exchange);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
  const take = (request: FastifyRequest, reply: FastifyReply): Release => {
    if (isProbe(request)) return NOTHING;
    const caller = networkOf(request.ip);
    try {
      return takeCall({ request, reply, caller });
    } catch (error) {
      if (hooks && request.routeOptions.url?.startsWith(HOOKS_PATH)) return hooks.take(caller);
      throw error;
    }
  };
  app.addHook('onRequest', (request, reply, done) => {
    const responses = connections.get(request.raw.socket);
    responses?.add(reply.raw);
    // Uses the end of the exchange, not the response hook, because callers who disconnect receive no response.
    reply.raw.once('close', () => responses?.delete(reply.raw));
    try {
      const release = take(request, reply);
      pending.set(reply.raw, release);
      reply.raw.once('close', release);
    } catch (error) {
      return done(error as Error);
    }
    done();
  });
}

/**
 * Hangs up on bodies that take longer than `ms` to arrive. Forms with files have the server's own limit while their call
 * reads them; once it has responded, they have `ms` too.
 */
export function refuseSlowBodies(app: FastifyInstance, ms = BODY_MS_MAX): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasBody(request)) return done();
    const { call } = request.routeOptions.config as { call?: CallDeclaration };
    const { raw } = request;
    let timer: NodeJS.Timeout | undefined;
    const start = () => {
      if (timer || raw.complete) return;
      timer = setTimeout(() => raw.complete || raw.destroy(), ms);
      timer.unref();
      raw.once('close', () => clearTimeout(timer));
    };
    if (call?.multipart) reply.raw.once('finish', start);
    else start();
    done();
  });
}
