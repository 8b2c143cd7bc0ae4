/** Control calls around the push service: a browser subscribes, goes for good, and what has come to it. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { iso } from '../environment/clock.ts';
import { changed, type Environment } from '../environment/environment.ts';
import { canonicalPhone } from '../people.ts';
import { openBrowser, subscriptionOf } from '../push/browsers.ts';
import * as S from './schemas.ts';

/** Registers the calls. */
export function pushRoutes(app: FastifyInstance, environment: Environment): void {
  app.post<{ Body: Static<typeof S.PushBody> }>(
    '/push',
    { schema: { body: S.PushBody } },
    (request, reply) => {
      const { phone: typed, key = null, gone } = request.body;
      const known = gone === undefined ? undefined : environment.state.browsers.get(gone);
      if (gone !== undefined) {
        if (!known) return reply.code(404).send({ error: 'UNKNOWN_BROWSER' });
        known.isGone = true;
        changed(environment);
        return subscriptionOf(environment, known);
      }
      const phone = canonicalPhone(typed ?? '');
      if (!phone) return reply.code(400).send({ error: 'BAD_PHONE' });
      return subscriptionOf(environment, openBrowser(environment, phone, key));
    },
  );
  app.get<{ Querystring: Static<typeof S.PushQuery> }>(
    '/push',
    { schema: { querystring: S.PushQuery } },
    (request) => {
      const phone = canonicalPhone(request.query.phone);
      const browsers = [...environment.state.browsers.values()].filter((browser) => browser.phone === phone);
      return {
        browsers: browsers.map((browser) => ({
          ...subscriptionOf(environment, browser),
          isGone: browser.isGone,
          messages: browser.arrivals.map(({ atMs, ...message }) => ({ ...message, at: iso(atMs) })),
        })),
      };
    },
  );
}
