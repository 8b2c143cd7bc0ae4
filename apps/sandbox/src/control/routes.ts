/** The control API: every call that steers the sandbox. Described for people in docs/sandbox.md. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { changeClock, showClock } from '../environment/clock.ts';
import { changed, type Environment } from '../environment/environment.ts';
import { addFault, CALLS, clearFaults, hasCode } from '../environment/faults.ts';
import { happen, waitFor } from '../environment/happenings.ts';
import { setSeed } from '../environment/random.ts';
import { emptyState } from '../environment/state.ts';
import { canonicalPhone, populate } from '../people.ts';
import { actionRoutes } from './action-routes.ts';
import { minorOf } from './amounts.ts';
import { onlyLocal } from './local.ts';
import { pushRoutes } from './push-routes.ts';
import * as S from './schemas.ts';
import { slipRoutes } from './slip-routes.ts';
import { showBooks, showState } from './views.ts';

/** Resets the environment and adds the first persons. Random numbers start from the seed; the clock shows real time. */
export function resetEnvironment(environment: Environment, seed: number | null): void {
  // The product keeps its access token; removing it would be a fault that was not requested.
  environment.state = { ...emptyState(), tokens: environment.state.tokens };
  environment.log.length = 0;
  environment.happenings.length = 0;
  setSeed(environment, seed);
  populate(environment);
  changed(environment);
  environment.bus.emit('clock');
  happen(environment, 'clock');
}

/** Registers the calls under /control. */
export async function controlRoutes(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  app.addHook('onRequest', onlyLocal);
  // A POST without a body means one without intents.
  app.addHook('preValidation', async (request) => {
    if (request.method === 'POST') request.body ??= {};
  });
  app.setErrorHandler((error: { statusCode?: number; message?: string }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ error: 'INVALID_REQUEST', detail: error.message }),
  );
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'NO_SUCH_CALL' }));
  environmentRoutes(app, environment);
  watchRoutes(app, environment);
  faultRoutes(app, environment);
  actionRoutes(app, environment);
  slipRoutes(app, environment);
  pushRoutes(app, environment);
}

function environmentRoutes(app: FastifyInstance, environment: Environment): void {
  app.post<{ Body: Static<typeof S.ResetBody> }>('/reset', { schema: { body: S.ResetBody } }, (request) => {
    const { seed = environment.state.seed } = request.body;
    resetEnvironment(environment, seed);
    return showState(environment);
  });
  app.post<{ Body: Static<typeof S.SeedBody> }>('/seed', { schema: { body: S.SeedBody } }, (request) => {
    setSeed(environment, request.body.seed);
    return { seed: environment.state.seed };
  });
  app.get('/state', () => showState(environment));
  app.get('/books', () => showBooks(environment));
  app.get('/clock', () => showClock(environment));
  app.post<{ Body: Static<typeof S.ClockBody> }>('/clock', { schema: { body: S.ClockBody } }, (request) => {
    changeClock(environment, request.body);
    environment.bus.emit('clock');
    happen(environment, 'clock');
    return showClock(environment);
  });
  app.post<{ Body: Static<typeof S.SettingsBody> }>(
    '/settings',
    { schema: { body: S.SettingsBody } },
    (request, reply) => {
      const { smsCredit, agentCredit, ...settings } = request.body;
      const agent = agentCredit && environment.state.agents.get(agentCredit.agent);
      const creditMinor = minorOf(agentCredit?.amount);
      if (agentCredit && (!agent || creditMinor === null))
        return reply.code(400).send({ error: 'UNKNOWN_AGENT' });
      Object.assign(environment.state.settings, settings);
      if (agent && typeof creditMinor === 'bigint') agent.creditMinor = creditMinor;
      if (smsCredit !== undefined) environment.state.smsCredit = smsCredit;
      changed(environment);
      return environment.state.settings;
    },
  );
}

function watchRoutes(app: FastifyInstance, environment: Environment): void {
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
          ? await waitFor(environment, intent)
          : await waitFor(environment, { ...intent, facts: state ? { state } : { final: true } });
      return found
        ? { found: true, ...found, at: new Date(found.atMs).toISOString() }
        : { found: false, seq: environment.seq };
    },
  );
  app.get<{ Querystring: Static<typeof S.LogQuery> }>(
    '/log',
    { schema: { querystring: S.LogQuery } },
    (request) => {
      const { party, call, reference, after = 0, limit = 200 } = request.query;
      const entries = environment.log.filter(
        (entry) =>
          entry.seq > after &&
          (party === undefined || entry.party === party) &&
          (call === undefined || entry.call === call) &&
          (reference === undefined || entry.reference === reference),
      );
      return { seq: environment.seq, entries: entries.slice(-limit) };
    },
  );
}

function faultRoutes(app: FastifyInstance, environment: Environment): void {
  app.get('/faults', () => ({ faults: environment.state.faults, calls: CALLS }));
  app.post<{ Body: Static<typeof S.FaultsBody> }>(
    '/faults',
    { schema: { body: S.FaultsBody } },
    (request, reply) => {
      const { clear, party, kind, username, ...rest } = request.body;
      if (clear === true || typeof clear === 'string')
        clearFaults(environment, clear === true ? undefined : clear);
      if (!party && !kind) return { faults: environment.state.faults };
      if (!party || !kind)
        return reply.code(400).send({ error: 'INVALID_REQUEST', detail: 'party and kind belong together' });
      if (!hasCode(party, rest.code))
        return reply.code(400).send({ error: 'INVALID_REQUEST', detail: `codes of ${party} are numbers` });
      const typed = rest.member ?? username;
      const member = party === 'sms' && typed ? (canonicalPhone(typed) ?? typed) : typed;
      const fault = addFault(environment, { party, kind, ...rest, ...(member ? { member } : {}) });
      if (!fault)
        return reply
          .code(400)
          .send({ error: 'FAULT_CANNOT_STRIKE', detail: 'this kind never strikes that call' });
      return { fault, faults: environment.state.faults };
    },
  );
}
