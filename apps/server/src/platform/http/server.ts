import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { CallDeclaration } from '@krapao/contract/shared';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../config.ts';
import { ImagesBusy } from '../images/images.ts';
import { PasswordsBusy } from '../passwords.ts';
import { Refusal } from '../refusal.ts';
import { traceCalls } from '../tracing.ts';
import { proxiesOf } from './caller.ts';
import { buildSerializer, buildValidator } from './compilers.ts';

/** Names a request in answers and logs: this process's random start, then a count. */
const REQUEST_ID_START = randomBytes(6).toString('base64url');
let requestCount = 0;
const nextRequestId = (): string => `${REQUEST_ID_START}-${(++requestCount).toString(36)}`;

const JSON_BODY_MAX = 100 * 1024;
const BODY_MS_MAX = 30_000;
const FORM_MS_MAX = 300_000;
/** Past this many calls under way the server says so at once instead of answering everybody late. */
const UNDER_WAY_MAX = 3000;
const HANG_UP_MS = 50;

/**
 * Whether an error is the database's absence rather than a fault: connection lost or silent, none free, server starting
 * or stopping, no longer the primary (25006), statement out of time.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    /^(08|25006|57P|57014|53|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT)/.test(code) ||
    /timeout exceeded when trying to connect|Connection terminated|Query read timeout/i.test(message)
  );
}

/** Whether an error says that the disk takes nothing now: no room, or no more of ours. It passes when there is room. */
const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

function isBusy(error: unknown): boolean {
  const isOurs = error instanceof PasswordsBusy || error instanceof ImagesBusy;
  return isOurs || (error as Error).constructor.name === 'LedgerBusy';
}

/** One answer for every fault: a public code, never a stack; the private note goes to the log. */
function answerError(
  error: FastifyError,
  request: FastifyRequest,
): { status: number; body: object; retryAfter?: number } {
  if (error instanceof Refusal) {
    if (error.message !== error.code) request.log.info({ code: error.code, note: error.message }, 'refused');
    return { status: error.status, body: error.body };
  }
  const status = error.statusCode ?? 500;
  if (error.validation || (status >= 400 && status < 500)) {
    return { status: error.validation ? 400 : status, body: { message: 'INVALID_REQUEST' } };
  }
  const away = isDatabaseAway(error) || isDiskFull(error) || isBusy(error);
  request.log.error({ err: error }, away ? 'away or busy' : 'unexpected');
  return {
    status: away ? 503 : 500,
    body: { message: 'INTERNAL_SERVER_ERROR', data: { requestId: request.id } },
    ...(away ? { retryAfter: 2 } : {}),
  };
}

/** Paths whose last part is a secret are logged without it; queries are never logged. */
const loggedPath = (url: string): string =>
  url.split('?')[0]!.replace(/^(\/api\/autoLogin\/[^/]+\/[^/]+)\/.*$/, '$1/***');

/** Hangs up on bodies that take longer than `ms` to arrive; forms with files have the server's own limit. */
export function refuseSlowBodies(app: FastifyInstance, ms = BODY_MS_MAX): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { call } = request.routeOptions.config as { call?: CallDeclaration };
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (call?.multipart || (length === undefined && encoding === undefined)) return done();
    const timer = setTimeout(() => request.raw.complete || request.raw.destroy(), ms);
    timer.unref();
    request.raw.once('close', () => clearTimeout(timer));
    done();
  });
}

/** What browsers may do with our pages, and which other origins may call. */
async function secureHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const frames = config.IFRAME ? config.IFRAME.split(/\s+/) : ["'none'"];
  const api = config.API_BASE ? [config.API_BASE] : [];
  const live = api.map((origin) => origin.replace(/^http/, 'ws'));
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
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
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  });
  // Answers of the API are JSON and never pages: few headers, the same for all, written once.
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

/**
 * The open connections with their calls under way. As the server closes, those without any are hung up: one that has
 * not said a word, as browsers open them ahead, or half a line, Node would wait for as long as headers may take.
 */
function hangUpOnClosing(app: FastifyInstance): Map<Socket, number> {
  const lines = new Map<Socket, number>();
  app.server.on('connection', (socket) => {
    lines.set(socket, 0);
    socket.once('close', () => lines.delete(socket));
  });
  // Whoever upgraded it closes it.
  app.server.on('upgrade', ({ socket }) => lines.delete(socket));
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    timer = setInterval(() => {
      for (const [socket, calls] of lines) if (calls === 0) socket.destroy();
    }, HANG_UP_MS);
  });
  app.addHook('onClose', async () => clearInterval(timer));
  return lines;
}

/** A Fastify server with the product's rules for input, errors, headers and overload; routes are added by the caller. */
export async function createHttpServer(config: Config): Promise<FastifyInstance> {
  const app = fastify({
    logger:
      config.LOG_LEVEL === 'silent'
        ? false
        : {
            level: config.LOG_LEVEL,
            timestamp: () => `,"time":"${new Date().toISOString()}"`,
            serializers: {
              req: (request: FastifyRequest) => ({
                method: request.method,
                path: loggedPath(request.url),
                address: request.ip,
              }),
            },
          },
    genReqId: nextRequestId,
    bodyLimit: JSON_BODY_MAX,
    // A picture over a slow line may take its time; other bodies may not, see refuseSlowBodies.
    requestTimeout: FORM_MS_MAX,
    http: { headersTimeout: BODY_MS_MAX },
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    trustProxy: config.TRUSTED_PROXIES ? proxiesOf(config.TRUSTED_PROXIES) : false,
    exposeHeadRoutes: false,
    // What the framework itself refuses (a broken address) must neither echo the path nor look different.
    frameworkErrors: (_error: FastifyError, _request: FastifyRequest, reply: FastifyReply) =>
      reply.code(400).header('cache-control', 'no-store').send({ message: 'INVALID_REQUEST' }),
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    logController: new LogController({ disableRequestLogging: config.LOG_LEVEL !== 'debug' }),
    schemaController: { compilersFactory: { buildValidator, buildSerializer } as never },
  } as never) as unknown as FastifyInstance;

  // Only JSON comes in; the framework would take plain text too.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = answerError(error, request);
    if (answer.retryAfter) void reply.header('retry-after', answer.retryAfter);
    return reply.code(answer.status).header('cache-control', 'no-store').send(answer.body);
  });

  const lines = hangUpOnClosing(app);
  let underWay = 0;
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (change: 1 | -1) => {
      underWay += change;
      const calls = lines.get(socket);
      if (calls !== undefined) lines.set(socket, calls + change);
    };
    count(1);
    // The end of the exchange, not the hook after an answer: callers who hang up get none and must not count for ever.
    reply.raw.once('close', () => count(-1));
    if (underWay <= UNDER_WAY_MAX || request.url.startsWith('/healthz')) return done();
    void reply
      .code(503)
      .header('retry-after', 1)
      .send({ message: 'INTERNAL_SERVER_ERROR', data: { requestId: request.id } });
  });

  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) traceCalls(app);
  refuseSlowBodies(app);
  await secureHeaders(app, config);
  return app;
}

/** The answer for a path nobody serves. */
export const answerMissing = (reply: FastifyReply) =>
  reply.code(404).header('cache-control', 'no-store').send({ message: 'NO_DATA' });
