import { hash } from 'node:crypto';
import { type CallDeclaration, CLIENT_MARKER, type RefusalsOf } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Intent } from '../intent.ts';
import { Refusal, type Refuse } from '../refusal.ts';
import { refuseAny } from '../refuse-any.ts';
import type { SecurityLog } from '../security-log.ts';
import type { Member, Sessions } from '../sessions.ts';
import type { Settings } from '../settings.ts';
import { repeatWhenLost } from './repeat.ts';

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

export interface CallContext<C extends CallDeclaration> {
  params: StaticOf<C['params']>;
  query: StaticOf<C['query']>;
  body: StaticOf<C['body']>;
  member: C['access'] extends 'member' ? Member : null;
  intent: C extends { idempotent: true } ? Intent | null : null;
  /** Creates refusals with the codes that the call declares or implies, and no other. */
  refuse: Refuse<RefusalsOf<C>>;
  /** The caller's address, as the trusted proxies report it. */
  address: string;
  request: FastifyRequest;
}

export type Handler<C extends CallDeclaration> = (context: CallContext<C>) => Promise<StaticOf<C['reply']>>;

/** What a declared call needs from around it. */
export interface CallDeps {
  sessions: Sessions;
  settings: Pick<Settings, 'get'>;
  security: Pick<SecurityLog, 'identify'>;
  /** Returns whether a caller's address is blocked. */
  isBlocked(address: string): boolean;
}

const KEY_PATTERN = /^[\w.:-]{8,128}$/;

function bearerOf(request: FastifyRequest): string {
  const match = /^Bearer ([^\s,]+)$/i.exec(request.headers.authorization ?? '');
  if (!match) throw refuseAny('invalid-token');
  return match[1]!;
}

/** JSON with sorted keys, so that two spellings of one body are the same intent. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(',')}}`;
}

function intentOf(call: CallDeclaration, request: FastifyRequest, memberId: bigint): Intent | null {
  const key = request.headers['idempotency-key'];
  if (!call.idempotent || key === undefined) return null;
  if (typeof key !== 'string' || !KEY_PATTERN.test(key))
    throw new Refusal('INVALID_REQUEST', undefined, 'idempotency key');
  const bodyHash = hash('sha256', canonical([request.params, request.body ?? null]), 'base64url');
  return { memberId, call: `${call.method} ${call.path}`, key, bodyHash };
}

/** Browsers and link scanners fetch ahead; a call that changes something must not run for them. */
function refusePrefetch(request: FastifyRequest, reply: FastifyReply): boolean {
  const purpose = `${request.headers['sec-purpose'] ?? ''} ${request.headers.purpose ?? ''}`;
  if (!/prefetch|prerender|preview/i.test(purpose)) return false;
  void reply.code(503).header('cache-control', 'no-store').send({ message: 'INVALID_REQUEST' });
  return true;
}

/** A GET with an effect run from another site's page: only allowed origins may. */
function refuseCrossSite(request: FastifyRequest, corsOrigins: readonly string[]): void {
  if (request.headers['sec-fetch-site'] !== 'cross-site') return;
  if (!corsOrigins.includes(request.headers.origin ?? ''))
    throw refuseAny('UNAUTHORIZED', undefined, 'cross-site');
}

/** In strict mode only the member app may call. */
function requireMarker(request: FastifyRequest): void {
  const marker = request.headers[CLIENT_MARKER.name.toLowerCase()];
  if (marker === undefined) throw new Refusal('KEY_MISSING');
  if (marker !== CLIENT_MARKER.value) throw new Refusal('KEY_INVALID');
}

/** Throws INVALID_IP for a caller whose address is blocked. */
export const refuseBlocked =
  ({ isBlocked }: Pick<CallDeps, 'isBlocked'>) =>
  (request: FastifyRequest): void => {
    if (isBlocked(request.ip)) throw new Refusal('INVALID_IP');
  };

/** Refuses what no caller may have: a blocked address, a strange client in strict mode, a service that has ended. */
function requireService(deps: CallDeps, request: FastifyRequest, path: string): void {
  refuseBlocked(deps)(request);
  if (deps.settings.get('marker.strict')) requireMarker(request);
  const isGone = deps.settings.get('service.terminated') === 'gone';
  // Members with money left must still reach support.
  if (isGone && !/^\/api\/(lookup|chat)\//.test(path)) throw new Refusal('gone');
}

/** Returns the member of a request's token and names them, by fingerprint, to the security log. */
async function memberOf(deps: CallDeps, request: FastifyRequest): Promise<Member> {
  const token = bearerOf(request);
  const member = await repeatWhenLost(() => deps.sessions.member(refuseAny, token));
  deps.security.identify(request, { kind: 'member', name: member.phone });
  return member;
}

/** Checks a member's request for a file as declared calls are checked. */
export const memberDoor =
  (deps: CallDeps) =>
  async (request: FastifyRequest): Promise<Member> => {
    requireService(deps, request, request.url);
    return memberOf(deps, request);
  };

/** Creates `declare` for member calls: checks identity, then input (Fastify), then runs the handler. */
export function callDeclarer(app: FastifyInstance, deps: CallDeps, corsOrigins: readonly string[] = []) {
  return function declare<const C extends CallDeclaration>(call: C, handler: Handler<C>): void {
    const run = async (request: FastifyRequest) => {
      const member = call.access === 'member' ? ((request as { member?: Member }).member ?? null) : null;
      const intent = member ? intentOf(call, request, member.id) : null;
      const context = {
        params: request.params,
        query: request.query,
        body: request.body,
        member,
        intent,
        refuse: refuseAny,
        address: request.ip,
        request,
      } as CallContext<C>;
      const onlyReads = call.method === 'GET' && !call.sideEffect;
      const mayRepeat = onlyReads || (intent !== null && !call.multipart);
      return mayRepeat ? repeatWhenLost(() => handler(context)) : handler(context);
    };
    const methods = call.sideEffect ? (['GET', 'POST'] as const) : ([call.method] as const);
    for (const method of methods)
      app.route({
        method,
        url: call.path.replace(/\{(\w+)\}/g, ':$1'),
        schema: {
          summary: call.summary,
          ...(call.params ? { params: call.params } : {}),
          ...(call.query ? { querystring: call.query } : {}),
          ...(call.body ? { body: call.body } : {}),
          response: { 200: call.reply },
        },
        config: { call } as object,
        onRequest: async (request, reply) => {
          if (call.sideEffect && refusePrefetch(request, reply)) return reply;
          requireService(deps, request, call.path);
          if (call.sideEffect) refuseCrossSite(request, corsOrigins);
          if (call.access === 'member')
            (request as { member?: Member }).member = await memberOf(deps, request);
        },
        handler: run,
      });
  };
}

export type Declare = ReturnType<typeof callDeclarer>;
