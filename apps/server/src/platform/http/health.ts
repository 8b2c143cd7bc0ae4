import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import { sameText } from '../secrets.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/**
 * Liveness, readiness and figures. Ready means that the database answers and is heard, so that no screen is led to a
 * server that is deaf to its events; liveness must depend on neither.
 */
export function healthRoutes(
  app: FastifyInstance,
  deps: { pool: Pool; metrics: Metrics; clock: Clock; config: Config; isHearing: () => boolean },
): void {
  const hide = { schema: { hide: true } as never };
  app.get('/healthz', hide, async () => ({ status: 'ok', now: deps.clock.now().toISOString() }));
  app.get('/readyz', hide, async (_request, reply) => {
    try {
      await deps.pool.query('select 1');
      if (!deps.isHearing()) return reply.code(503).send({ status: 'database not heard' });
      return { status: 'ready' };
    } catch {
      return reply.code(503).send({ status: 'database away' });
    }
  });
  app.get('/metrics', hide, async (request, reply) => {
    const key = String(request.headers.authorization ?? '').replace(/^Bearer /, '');
    const allowed = deps.config.METRICS_KEY
      ? sameText(key, deps.config.METRICS_KEY)
      : LOOPBACK.has(request.ip);
    if (!allowed) return reply.code(404).send({ message: 'NO_DATA' });
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  });
  app.addHook('onResponse', async (request, reply) => {
    const call = request.routeOptions.url ?? 'unknown';
    deps.metrics.calls.observe(
      { call: `${request.method} ${call}`, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
}
