import { KEY_PREFIX } from '@krapao/contract/operator';
import { type CallDeclaration, CONSOLE_MARKER, type RefusalsOf, USER_INPUT } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Actor } from '../audit.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Limits } from '../limits.ts';
import type { Operator, OperatorSessions } from '../operators.ts';
import { Refusal, type Refuse } from '../refusal.ts';
import { refuseAny } from '../refuse-any.ts';
import type { SecurityLog } from '../security-log.ts';
import { addressList } from './caller.ts';
import { limitNumberSearches } from './number-searches.ts';
import { PROBE_PATHS } from './probe-paths.ts';
import { repeatWhenLost } from './repeat.ts';

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

export interface OperatorContext<C extends CallDeclaration> {
  params: StaticOf<C['params']>;
  query: StaticOf<C['query']>;
  body: StaticOf<C['body']>;
  operator: C['access'] extends 'operator' ? Operator : null;
  /** The operator with their address, as the audit trail names them. */
  actor: C['access'] extends 'operator' ? Actor : null;
  /** Creates refusals with the codes that the call declares or implies, and no other. */
  refuse: Refuse<RefusalsOf<C>>;
  address: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type OperatorHandler<C extends CallDeclaration> = (
  context: OperatorContext<C>,
) => Promise<StaticOf<C['reply']>>;

export interface OperatorCallDeps {
  config: Config;
  operatorSessions: OperatorSessions;
  limits: Limits;
  clock: Clock;
  security: Pick<SecurityLog, 'identify'>;
}

/** __Host- binds the cookie to this origin; without TLS browsers refuse that name. */
export const cookieName = (config: Config): string =>
  config.production ? '__Host-operator-session' : 'operator-session';

export const tokenOf = (request: FastifyRequest, config: Config): string =>
  new RegExp(`(?:^|;\\s*)${cookieName(config)}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? '';

/** The API key a request brings; null when it brings none. No browser adds it by itself, as it does cookies. */
const keyOf = (request: FastifyRequest): string | null => {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return given?.startsWith(KEY_PREFIX) ? given : null;
};

/**
 * A change must come from the console's own pages: its custom header, which no form can send, and its origin. A
 * script of the member app or of any other site has neither this cookie (SameSite=Strict) nor this origin.
 */
function refuseForeign(request: FastifyRequest, config: Config): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw refuseAny('UNAUTHORIZED', undefined, 'cross-site');
  if (request.method === 'GET') return;
  const marker = request.headers[CONSOLE_MARKER.name.toLowerCase()];
  if (marker === undefined) throw new Refusal('KEY_MISSING');
  if (marker !== CONSOLE_MARKER.value) throw new Refusal('KEY_INVALID');
  const own = config.CONSOLE_HOST || `${request.protocol}://${request.headers.host}`;
  if (request.headers.origin !== own) throw refuseAny('UNAUTHORIZED', undefined, 'foreign origin');
}

/** Lets a request in, or throws why not: address, origin, session, permission, in this order. */
export type OperatorDoor = (
  request: FastifyRequest,
  access: 'public' | 'operator',
  permission: string | null,
  /** A check behind the operator's back, which never counts as use of the session. */
  isWatch?: boolean,
) => Promise<Operator | null>;

/** Whether operators may come from an address: it is in CONSOLE_ADDRESSES, or none is. */
export function consoleAddresses(config: Config): (address: string) => boolean {
  const allowed = addressList('CONSOLE_ADDRESSES', config.CONSOLE_ADDRESSES);
  return (address) => allowed.isEmpty || allowed.has(address);
}

/** Refuses everything but probes to addresses that operators may not come from, pages and files too. */
export function refuseOtherAddresses(app: FastifyInstance, isAllowed: (address: string) => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isProbe = PROBE_PATHS.has(request.routeOptions.url);
    done(isProbe || isAllowed(request.ip) ? undefined : new Refusal('INVALID_IP'));
  });
}

export function operatorDoor(deps: OperatorCallDeps): OperatorDoor {
  const isAllowed = consoleAddresses(deps.config);
  return async (request, access, permission, isWatch = false) => {
    if (!isAllowed(request.ip)) throw new Refusal('INVALID_IP');
    const key = access === 'operator' ? keyOf(request) : null;
    if (key !== null) {
      const owner = await deps.operatorSessions.byKey(key, request.ip);
      deps.security.identify(request, { kind: 'operator', name: owner.name });
      // What concerns only the caller is theirs in person.
      if (permission === null || !owner.permissions.has(permission)) throw refuseAny('UNAUTHORIZED');
      await limitNumberSearches(deps, owner, request.query);
      return owner;
    }
    refuseForeign(request, deps.config);
    if (access === 'public') return null;
    const isUse = !isWatch && request.headers[USER_INPUT.name.toLowerCase()] === USER_INPUT.value;
    const token = tokenOf(request, deps.config);
    const operator = await repeatWhenLost(() => deps.operatorSessions.operator(token, isUse));
    deps.security.identify(request, { kind: 'operator', name: operator.name });
    if (permission !== null && !operator.permissions.has(permission)) throw refuseAny('UNAUTHORIZED');
    await limitNumberSearches(deps, operator, request.query);
    return operator;
  };
}

/** The schema of a file in the document; streamed content passes no serialiser. */
const fileReply = (types: readonly string[]) => ({
  description: 'The file.',
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
});

/** Creates `declare` for operator calls. Every call passes the same checks before its handler. */
export function operatorDeclarer(app: FastifyInstance, door: OperatorDoor) {
  return function declare<const C extends CallDeclaration>(call: C, handler: OperatorHandler<C>): void {
    const known = new WeakMap<FastifyRequest, Operator | null>();
    app.route({
      method: call.method,
      url: call.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: {
        summary: call.summary,
        ...(call.params ? { params: call.params } : {}),
        ...(call.query ? { querystring: call.query } : {}),
        ...(call.body ? { body: call.body } : {}),
        response: { 200: call.files ? fileReply(call.files) : call.reply },
      },
      config: { call } as object,
      onRequest: async (request) => {
        const access = call.access === 'operator' ? 'operator' : 'public';
        const operator = await door(request, access, call.permission ?? null);
        if (call.alsoNeeds && !operator?.permissions.has(call.alsoNeeds)) throw refuseAny('UNAUTHORIZED');
        known.set(request, operator);
      },
      handler: async (request, reply) => {
        const operator = known.get(request) ?? null;
        const context = {
          params: request.params,
          query: request.query,
          body: request.body,
          operator,
          actor: operator && { ...operator, address: request.ip },
          refuse: refuseAny,
          address: request.ip,
          request,
          reply,
        } as unknown as OperatorContext<C>;
        const onlyReads = call.method === 'GET' && !call.files;
        return onlyReads ? repeatWhenLost(() => handler(context)) : handler(context);
      },
    });
  };
}

export type OperatorDeclare = ReturnType<typeof operatorDeclarer>;
