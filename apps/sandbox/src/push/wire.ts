/** A push service over HTTP, as browsers' makers run them: RFC 8030 with RFC 8291 and 8292. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { nowMs } from '../environment/clock.ts';
import type { Environment } from '../environment/environment.ts';
import { type Dialect, type Reply, runExchange } from '../environment/exchange.ts';
import type { PushBrowser } from '../environment/state.ts';
import { arriveAt } from './browsers.ts';
import { senderOf } from './decrypt.ts';

const BODY_BYTES_MAX = 4096;

const say = (status: number, reason: string): Reply => ({ status, body: { reason } });

const dialect: Dialect = {
  refuse: (fault) => say(Number(fault.code ?? 400), 'refused'),
  tooMany: () => say(429, 'too many requests'),
  broken: () => say(500, 'internal error'),
  outage: () => say(503, 'service unavailable'),
};

/** The body counts as bytes only; the log keeps how many. */
interface Message {
  size: number;
  bytes: Buffer;
}

type Push = FastifyRequest<{ Params: { id: string }; Body: Message }>;

/** Why a message is not taken, or null. */
function wrongWith(environment: Environment, request: Push, browser: PushBrowser | undefined): Reply | null {
  const { authorization, ttl, topic, 'content-encoding': encoding } = request.headers;
  if (!browser) return say(404, 'no such subscription');
  if (browser.isGone) return say(410, 'subscription is gone');
  if (!/^\d{1,9}$/.test(String(ttl ?? ''))) return say(400, 'no ttl');
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(String(topic))) return say(400, 'bad topic');
  if (encoding !== 'aes128gcm') return say(415, 'bad encoding');
  if (authorization === undefined) return say(401, 'no sender');
  const sender = senderOf(authorization, { origin: environment.publicUrl, nowMs: nowMs(environment) });
  if (!sender || (browser.senderKey !== null && browser.senderKey !== sender)) return say(403, 'bad sender');
  return request.body.size > BODY_BYTES_MAX ? say(413, 'too large') : null;
}

/** Registers the call under /outside/push. */
export async function pushWire(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer' },
    (_request, bytes: Buffer, done) =>
      done(null, Object.defineProperty({ size: bytes.length }, 'bytes', { value: bytes })),
  );
  app.post<{ Params: { id: string }; Body: Message }>('/:id', (request, reply) => {
    const browser = environment.state.browsers.get(request.params.id);
    const about = { party: 'push', call: 'send', member: browser?.phone, reference: browser?.id } as const;
    const perform = (): Reply => {
      const wrong = wrongWith(environment, request, browser);
      if (wrong) return wrong;
      arriveAt(
        environment,
        browser!,
        request.body.bytes,
        (request.headers.topic as string | undefined) ?? null,
      );
      void reply.header(
        'location',
        `${environment.publicUrl}/outside/push/message/${browser!.arrivals.length}`,
      );
      return { status: 201, body: {} };
    };
    return runExchange(environment, request, reply, { about, dialect, perform });
  });
}
