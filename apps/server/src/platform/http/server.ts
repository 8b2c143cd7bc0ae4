import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { type CallDeclaration, type ErrorBody, refusalsOf } from '@krapao/contract/shared';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { createBoundedLog, type WriteLine } from '../bounded-log.ts';
import { type CallBudgets, createCallBudgets, Overloaded } from '../budget.ts';
import type { Config } from '../config.ts';
import { isDatabaseAway } from '../database/away.ts';
import type { ErrorReferences } from '../error-references.ts';
import { PasswordsBusy } from '../passwords.ts';
import { Refusal } from '../refusal.ts';
import { createSecurityLog, type SecurityLog } from '../security-log.ts';
import { traceCalls } from '../tracing.ts';
import { BODY_MS_MAX, limitCalls, refuseSlowBodies } from './call-limits.ts';
import { proxiesOf } from './caller.ts';
import { buildSerializer, buildValidator } from './compilers.ts';
import { type Connections, hangUpOnClosing, respondBroken } from './connections.ts';
import { disconnectStalledReaders } from './stalled-readers.ts';
import { statusOf } from './status.ts';

/** Returns a request id for responses and logs: the process's random prefix and a counter. */
const REQUEST_ID_START = randomBytes(6).toString('base64url');
let requestCount = 0;
const nextRequestId = (): string => `${REQUEST_ID_START}-${(++requestCount).toString(36)}`;

const JSON_BODY_MAX = 100 * 1024;
const FORM_MS_MAX = 300_000;

/** Whether an error says that the disk takes nothing now: no room, or no more of ours. It passes when there is room. */
const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

function isBusy(error: unknown): boolean {
  return error instanceof PasswordsBusy || (error as Error).constructor.name === 'LedgerBusy';
}

/** Statuses that are always written to the security log. */
const LOGGED_STATUSES = [401, 403, 429];

/**
 * Returns the fault of a call that refuses with a code it does not declare. Types rule this out but for codes that the
 * database decides. Tests answer 500, so that they fail; elsewhere the code is answered and the fault logged.
 */
function undeclaredIn(request: FastifyRequest, error: FastifyError): FastifyError | null {
  const { call } = request.routeOptions.config as { call?: CallDeclaration };
  if (!call || !(error instanceof Refusal) || refusalsOf(call).includes(error.code)) return null;
  const text = `${call.method} ${call.path} refused with ${error.code}, which it does not declare`;
  return new Error(text) as FastifyError;
}

interface ErrorResponse {
  status: number;
  body: ErrorBody;
  retryAfter?: number;
}

/** Adds an error reference to a response that refers the caller to support. */
function withReference(
  response: ErrorResponse,
  request: FastifyRequest,
  references: ErrorReferences | undefined,
): ErrorResponse {
  const { message, data } = response.body;
  const reference = references?.give(request, message);
  return reference ? { ...response, body: { message, data: { ...data, reference } } } : response;
}

/** Responds to every error with a public code, never a stack; the private note is logged. */
function respondWithError(
  error: FastifyError,
  request: FastifyRequest,
  { security, write }: { security: SecurityLog; write: WriteLine },
): ErrorResponse {
  if (error instanceof Refusal) {
    const note = error.message === error.code ? null : error.message;
    security.refuse(request, error.code, note);
    const status = statusOf(error);
    if (note !== null && !LOGGED_STATUSES.includes(status))
      write(request.log, 'info', { code: error.code, note }, 'refused');
    return { status, body: error.body };
  }
  const status = error.statusCode ?? 500;
  if (error.validation || (status >= 400 && status < 500)) {
    security.refuse(request, 'INVALID_REQUEST', null);
    return { status: error.validation ? 400 : status, body: { message: 'INVALID_REQUEST' } };
  }
  const data = { requestId: request.id };
  if (error instanceof Overloaded) {
    // Without a stack: what is refused must cost little.
    write(request.log, 'warn', { resource: error.resource }, 'overloaded');
    return { status: 503, body: { message: error.code, data }, retryAfter: error.retryAfterSeconds };
  }
  const busy = isBusy(error);
  const away = busy || isDatabaseAway(error) || isDiskFull(error);
  if (busy) write(request.log, 'warn', { note: error.message }, 'busy');
  else write(request.log, 'error', { err: error }, away ? 'away or busy' : 'unexpected');
  return {
    status: away ? 503 : 500,
    body: { message: 'INTERNAL_SERVER_ERROR', data },
    ...(away ? { retryAfter: 2 } : {}),
  };
}

/** Paths whose last part is a secret are logged without it; queries are never logged. */
const loggedPath = (url: string): string =>
  url.split('?')[0]!.replace(/^(\/api\/autoLogin\/[^/]+\/[^/]+)\/.*$/, '$1/***');

/** Sets security headers and CORS. `scripts`: the inline scripts that may run, as sources of the policy. */
async function secureHeaders(
  app: FastifyInstance,
  config: Config,
  scripts: readonly string[],
): Promise<void> {
  const frames = config.IFRAME ? config.IFRAME.split(/\s+/) : ["'none'"];
  const api = config.API_BASE ? [config.API_BASE] : [];
  const live = api.map((origin) => origin.replace(/^http/, 'ws'));
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", ...scripts],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:', ...api],
        'media-src': ["'self'", ...api],
        'font-src': ["'self'"],
        'connect-src': ["'self'", ...api, ...live],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': frames,
      },
    },
    // Framing is ruled by frame-ancestors, which can name the one allowed parent.
    frameguard: config.IFRAME ? false : { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    hsts: config.production ? { maxAge: 31_536_000 } : false,
    // The app's own pages may lie elsewhere and show this server's pictures and films.
    crossOriginResourcePolicy: { policy: config.CORS_ORIGINS ? 'cross-origin' : 'same-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  });
  // API responses are JSON, so their few security headers are computed once.
  const apiHeaders = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': config.CORS_ORIGINS ? 'cross-origin' : 'same-origin',
    ...(config.production ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api')) void reply.headers(apiHeaders);
    else await reply.helmet();
  });
  const origins = config.CORS_ORIGINS.split(/\s+/).filter(Boolean);
  if (origins.length > 0) {
    await app.register(cors, {
      origin: origins,
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'x-requested-with'],
      maxAge: 600,
    });
  }
}

/** How often Node looks for connections past their header or request time limit; its own default is 30 s. */
const CONNECTIONS_CHECK_MS = 2_000;
/** The one path whose connections may change their protocol: the live socket's. */
const UPGRADE_PATH = '/socket.io/';

/** Configures logging and request ids. */
const loggerOf = (config: Config) =>
  config.LOG_LEVEL !== 'silent' && {
    level: config.LOG_LEVEL,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        path: loggedPath(request.url),
        address: request.ip,
      }),
    },
  };

/**
 * An upgrade request without a handler is answered like any other (RFC 9110 §7.8), and its connection is closed,
 * because no time limit would apply to it otherwise.
 */
function closeIdleUpgrades(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.upgrade !== undefined) void reply.header('connection', 'close');
    done();
  });
}

export interface ServerOptions {
  /** Whether the live socket is served here; no other path ever upgrades. */
  upgrades?: boolean;
  security?: SecurityLog;
  references?: ErrorReferences;
  /** The inline scripts that its pages may run, see `inlineScripts`. */
  scripts?: readonly string[];
  /** What its calls share. Default: budgets of its own. */
  budgets?: CallBudgets;
  /** Writes the lines about refused and failed calls. */
  write?: WriteLine;
  /** A reader who stalls for this time, in ms, is disconnected. */
  stalledMs?: number;
}

/** A Fastify server with the product's rules for input, errors, headers and overload; routes are added by the caller. */
export async function createHttpServer(
  config: Config,
  {
    upgrades = false,
    security = createSecurityLog(config.SECRET),
    references,
    scripts = [],
    budgets = createCallBudgets(Number(config.CALLS_MAX)),
    write = createBoundedLog('calls'),
    stalledMs,
  }: ServerOptions = {},
): Promise<FastifyInstance> {
  const connections: Connections = new Map();
  const shouldUpgrade = ({ url = '', socket }: IncomingMessage): boolean => {
    if (!upgrades || !url.startsWith(UPGRADE_PATH)) return false;
    // An upgraded connection is closed by its new owner.
    connections.delete(socket);
    return true;
  };
  const app = fastify({
    logger: loggerOf(config),
    genReqId: nextRequestId,
    bodyLimit: JSON_BODY_MAX,
    // A picture over a slow line may take its time; other bodies may not, see refuseSlowBodies.
    requestTimeout: FORM_MS_MAX,
    http: {
      headersTimeout: BODY_MS_MAX,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      shouldUpgradeCallback: shouldUpgrade,
    },
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    trustProxy: config.TRUSTED_PROXIES ? proxiesOf(config.TRUSTED_PROXIES) : false,
    exposeHeadRoutes: false,
    // What the framework itself refuses (a broken address) must neither echo the path nor look different.
    frameworkErrors: (_error: FastifyError, _request: FastifyRequest, reply: FastifyReply) =>
      reply.code(400).header('cache-control', 'no-store').send({ message: 'INVALID_REQUEST' }),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      respondBroken(connections, error, socket),
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    logController: new LogController({
      disableRequestLogging: !['debug', 'trace'].includes(config.LOG_LEVEL),
    }),
    schemaController: { compilersFactory: { buildValidator, buildSerializer } as never },
  } as never) as unknown as FastifyInstance;

  // Accepts JSON only; the framework would accept plain text too.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const undeclared = undeclaredIn(request, error);
    const isTest = config.NODE_ENV === 'test';
    if (undeclared && !isTest) write(request.log, 'error', { err: undeclared }, 'undeclared refusal');
    const response = withReference(
      respondWithError((isTest && undeclared) || error, request, { security, write }),
      request,
      references,
    );
    if (response.retryAfter) void reply.header('retry-after', response.retryAfter);
    return reply.code(response.status).header('cache-control', 'no-store').send(response.body);
  });

  app.addHook('onResponse', (request, reply, done) => {
    security.answered(request, reply.statusCode);
    done();
  });
  hangUpOnClosing(app, connections);
  closeIdleUpgrades(app);
  disconnectStalledReaders(app, connections, stalledMs);
  limitCalls(app, connections, budgets);
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) traceCalls(app);
  refuseSlowBodies(app);
  await secureHeaders(app, config, scripts);
  return app;
}

/** Responds to an unknown path. */
export const respondMissing = (reply: FastifyReply) =>
  reply.code(404).header('cache-control', 'no-store').send({ message: 'NO_DATA' });
