/** The control API: every call that steers the sandbox. Described for people in docs/sandbox.md. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { canonicalPhone, populate } from '../people.ts';
import { changeClock, showClock } from '../world/clock.ts';
import { addFault, CALLS, clearFaults } from '../world/faults.ts';
import { happen, waitFor } from '../world/happenings.ts';
import { setSeed } from '../world/random.ts';
import { emptyState } from '../world/state.ts';
import { changed, type World } from '../world/world.ts';
import { actionRoutes } from './action-routes.ts';
import { minorOf } from './amounts.ts';
import { onlyLocal } from './local.ts';
import { pushRoutes } from './push-routes.ts';
import * as S from './schemas.ts';
import { slipRoutes } from './slip-routes.ts';
import { showBooks, showState } from './views.ts';

/** Empties the world and moves the starting cast in. Chance starts over from the seed; the clock runs true. */
export function resetWorld(world: World, seed: number | null): void {
  // The product keeps its access token; taking it away would be a fault nobody asked for.
  world.state = { ...emptyState(), tokens: world.state.tokens };
  world.log.length = 0;
  world.happenings.length = 0;
  setSeed(world, seed);
  populate(world);
  changed(world);
  world.bus.emit('clock');
  happen(world, 'clock');
}

/** Registers the calls under /control. */
export async function controlRoutes(app: FastifyInstance, { world }: { world: World }): Promise<void> {
  app.addHook('onRequest', onlyLocal);
  // A POST without a body means one without intents.
  app.addHook('preValidation', async (request) => {
    if (request.method === 'POST') request.body ??= {};
  });
  app.setErrorHandler((error: { statusCode?: number; message?: string }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ error: 'INVALID_REQUEST', detail: error.message }),
  );
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'NO_SUCH_CALL' }));
  worldRoutes(app, world);
  watchRoutes(app, world);
  faultRoutes(app, world);
  actionRoutes(app, world);
  slipRoutes(app, world);
  pushRoutes(app, world);
}

function worldRoutes(app: FastifyInstance, world: World): void {
  app.post<{ Body: Static<typeof S.ResetBody> }>('/reset', { schema: { body: S.ResetBody } }, (request) => {
    const { seed = world.state.seed } = request.body;
    resetWorld(world, seed);
    return showState(world);
  });
  app.post<{ Body: Static<typeof S.SeedBody> }>('/seed', { schema: { body: S.SeedBody } }, (request) => {
    setSeed(world, request.body.seed);
    return { seed: world.state.seed };
  });
  app.get('/state', () => showState(world));
  app.get('/books', () => showBooks(world));
  app.get('/clock', () => showClock(world));
  app.post<{ Body: Static<typeof S.ClockBody> }>('/clock', { schema: { body: S.ClockBody } }, (request) => {
    changeClock(world, request.body);
    world.bus.emit('clock');
    happen(world, 'clock');
    return showClock(world);
  });
  app.post<{ Body: Static<typeof S.SettingsBody> }>(
    '/settings',
    { schema: { body: S.SettingsBody } },
    (request, reply) => {
      const { smsCredit, agentCredit, ...settings } = request.body;
      const agent = agentCredit && world.state.agents.get(agentCredit.agent);
      const creditMinor = minorOf(agentCredit?.amount);
      if (agentCredit && (!agent || creditMinor === null))
        return reply.code(400).send({ error: 'UNKNOWN_AGENT' });
      Object.assign(world.state.settings, settings);
      if (agent && creditMinor) agent.creditMinor = creditMinor;
      if (smsCredit !== undefined) world.state.smsCredit = smsCredit;
      changed(world);
      return world.state.settings;
    },
  );
}

function watchRoutes(app: FastifyInstance, world: World): void {
  app.post<{ Body: Static<typeof S.WaitBody> }>(
    '/wait',
    { schema: { body: S.WaitBody } },
    async (request, reply) => {
      const { for: kind, phone, reference, after, state, acknowledged, timeoutMs = 30_000 } = request.body;
      const number = phone === undefined ? undefined : canonicalPhone(phone);
      if (number === null) return reply.code(400).send({ error: 'BAD_PHONE' });
      const intent = {
        kind,
        phone: number,
        reference,
        after,
        timeoutMs,
        ...(acknowledged === undefined ? {} : { facts: { acknowledged } }),
      };
      const found =
        kind !== 'payout'
          ? await waitFor(world, intent)
          : await waitFor(world, { ...intent, facts: state ? { state } : { final: true } });
      return found
        ? { found: true, ...found, at: new Date(found.atMs).toISOString() }
        : { found: false, seq: world.seq };
    },
  );
  app.get<{ Querystring: Static<typeof S.LogQuery> }>(
    '/log',
    { schema: { querystring: S.LogQuery } },
    (request) => {
      const { party, call, reference, after = 0, limit = 200 } = request.query;
      const entries = world.log.filter(
        (entry) =>
          entry.seq > after &&
          (party === undefined || entry.party === party) &&
          (call === undefined || entry.call === call) &&
          (reference === undefined || entry.reference === reference),
      );
      return { seq: world.seq, entries: entries.slice(-limit) };
    },
  );
}

function faultRoutes(app: FastifyInstance, world: World): void {
  app.get('/faults', () => ({ faults: world.state.faults, calls: CALLS }));
  app.post<{ Body: Static<typeof S.FaultsBody> }>(
    '/faults',
    { schema: { body: S.FaultsBody } },
    (request, reply) => {
      const { clear, party, kind, username, ...rest } = request.body;
      if (clear === true || typeof clear === 'string') clearFaults(world, clear === true ? undefined : clear);
      if (!party && !kind) return { faults: world.state.faults };
      if (!party || !kind)
        return reply.code(400).send({ error: 'INVALID_REQUEST', detail: 'party and kind belong together' });
      const typed = rest.member ?? username;
      const member = party === 'sms' && typed ? (canonicalPhone(typed) ?? typed) : typed;
      const fault = addFault(world, { party, kind, ...rest, ...(member ? { member } : {}) });
      if (!fault)
        return reply
          .code(400)
          .send({ error: 'FAULT_CANNOT_STRIKE', detail: 'this kind never strikes that call' });
      return { fault, faults: world.state.faults };
    },
  );
}
