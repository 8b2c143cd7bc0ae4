import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { CONSOLE_FEED_PATH } from '../live/console-feed.ts';
import type { Metrics } from '../metrics.ts';
import type { Readiness } from '../readiness.ts';
import { sameText } from '../secrets.ts';
import { PROBE_PATHS } from './probe-paths.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Headers that a proxy adds to a request. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/** Reports whether a request comes from this machine, and not through a proxy on it. */
const isLocal = (request: FastifyRequest): boolean =>
  LOOPBACK.has(request.ip) && FORWARDED.every((header) => request.headers[header] === undefined);

const hide = { schema: { hide: true } as never };

interface ProbeDeps {
  clock: Clock;
  readiness: Readiness;
  isHearing: () => boolean;
  /** Whether an address may read which checks fail; all may where it is absent. */
  mayReadChecks?: (address: string) => boolean;
}

/**
 * Liveness and readiness, for supervisors and monitors of the server. Readiness names the checks that fail, see `Check`,
 * and the dependencies that do not answer, without which it stays ready; liveness depends on nothing outside the process.
 */
export function probeRoutes(app: FastifyInstance, deps: ProbeDeps): void {
  app.get('/healthz', hide, async () => ({ status: 'ok', now: deps.clock.now().toISOString() }));
  app.get('/readyz', hide, async (request, reply) => {
    const mayRead = deps.mayReadChecks?.(request.ip) ?? true;
    const failed = [...(await deps.readiness.failed()), ...(deps.isHearing() ? [] : ['events'])];
    if (failed.length === 0) {
      const dependencies = await deps.readiness.dependencies();
      const degraded = dependencies.filter(([, isUp]) => !isUp).map(([name]) => name);
      return { status: 'ready', ...(mayRead && degraded.length > 0 && { degraded }) };
    }
    return reply
      .code(503)
      .header('retry-after', 2)
      .send({ status: 'not ready', ...(mayRead && { failed }) });
  });
}

/** Probes, and figures for the key's holder, or for this machine where there is no key. */
export function healthRoutes(
  app: FastifyInstance,
  deps: ProbeDeps & { metrics: Metrics; config: Config },
): void {
  probeRoutes(app, deps);
  app.get('/metrics', hide, async (request, reply) => {
    const key = String(request.headers.authorization ?? '').replace(/^Bearer /, '');
    const allowed = deps.config.METRICS_KEY ? sameText(key, deps.config.METRICS_KEY) : isLocal(request);
    if (!allowed) return reply.code(404).send({ message: 'NO_DATA' });
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  });
  measureCalls(app, deps.metrics);
}

/** What is not measured, beside probes: reading the metrics, and the console's stream, which lasts as long as its page. */
const UNMEASURED: ReadonlySet<string> = new Set(['/metrics', CONSOLE_FEED_PATH]);

/** Measures how long a server takes to respond, by call and status; alerts open on it. */
export function measureCalls(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const call = request.routeOptions.url ?? 'unknown';
    if (!PROBE_PATHS.has(call) && !UNMEASURED.has(call))
      metrics.calls.observe(
        { call: `${request.method} ${call}`, status: reply.statusCode },
        reply.elapsedTime / 1000,
      );
    done();
  });
}
