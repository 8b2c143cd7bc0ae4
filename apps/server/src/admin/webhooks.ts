import {
  listEndpoints,
  lockEndpoint,
  lockWebhooks,
  REPLAY_MAX,
  replayDeliveries,
  rotateEndpointSecret,
  setEndpointState,
  skipRest,
} from '../features/webhooks/read.ts';
import type { PoolClient } from '../platform/database/db.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type AdminDeps, audit, type Command, CommandError, command, timeText } from './command.ts';

type Endpoint = NonNullable<Awaited<ReturnType<typeof lockEndpoint>>>;

/** Changes one endpoint under its lock, with an audit row. */
async function change<T>(
  deps: AdminDeps,
  by: { id: string; action: string; after?: unknown; reason?: string },
  work: (tx: PoolClient, row: Endpoint) => Promise<T>,
): Promise<T> {
  return inTransaction(deps.pool, async (tx) => {
    await lockWebhooks(tx);
    const row = await lockEndpoint(tx, by.id);
    if (!row) throw new CommandError(`There is no webhook ${by.id}.`);
    const result = await work(tx, row);
    const entry = { action: by.action, subject: entityRef('webhook', row.id), before: { state: row.state } };
    await audit(tx, deps, { ...entry, after: by.after, ...(by.reason && { reason: by.reason }) });
    return result;
  });
}

function momentOf(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime()))
    throw new CommandError(`${text} is no time; write it as 2026-11-23T14:00:00+07:00.`);
  return at;
}

const setState = (deps: AdminDeps, id: string, state: Endpoint['state'], reason: string) =>
  change(deps, { id, action: 'webhook.state', after: { state }, reason }, (tx, row) =>
    setEndpointState(tx, row, { state, reason, now: deps.clock.now() }),
  );

export const commands: Record<string, Command> = {
  'webhook list': command({
    usage: '',
    about: 'endpoints of webhooks, what waits for each and since when it fails',
    async run({ pool }) {
      const rows = await listEndpoints(pool);
      if (rows.length === 0) return ['There are no webhooks.'];
      return rows.map((row) =>
        [
          row.id,
          row.disabled_reason === null ? row.state : `${row.state} (${row.disabled_reason})`,
          row.url,
          `${row.waiting} waiting`,
          row.failing_since ? `failing since ${timeText(row.failing_since)}` : '',
        ]
          .filter(Boolean)
          .join('  '),
      );
    },
  }),
  'webhook enable': command({
    usage: '<id> <reason>',
    about: 'send to an endpoint again; what happened meanwhile is sent by webhook replay',
    async run(deps, [id, reason]) {
      await skipRest(deps, id);
      await setState(deps, id, 'ENABLED', reason);
      return [`${id} is enabled.`];
    },
  }),
  'webhook disable': command({
    usage: '<id> <reason>',
    about: 'stop sending to an endpoint; what waits is skipped',
    async run(deps, [id, reason]) {
      await setState(deps, id, 'DISABLED', reason);
      return [`${id} is disabled.`];
    },
  }),
  'webhook rotate': command({
    usage: '<id>',
    about: 'a new secret for an endpoint, printed once; the former one signs too for 24 hours',
    async run(deps, [id]) {
      const { secret, until } = await change(deps, { id, action: 'webhook.rotate' }, (tx, row) =>
        rotateEndpointSecret(tx, deps, row.id),
      );
      return [`The former secret signs until ${timeText(until)}. The new one, shown once:`, `  ${secret}`];
    },
  }),
  'webhook replay': command({
    usage: '<id> <from> <to>',
    about: `deliver again what happened from one time to another, in order and under the same ids; ${REPLAY_MAX} events at most`,
    async run(deps, [id, from, to]) {
      const which = { from: momentOf(from), to: momentOf(to), states: ['DELIVERED', 'GIVEN_UP', 'SKIPPED'] };
      const count = await change(deps, { id, action: 'webhook.replay', after: { from, to } }, (tx, row) => {
        if (row.state === 'DISABLED') throw new CommandError(`${id} is disabled; enable it first.`);
        return replayDeliveries(tx, row.id, { ...which, max: REPLAY_MAX }, deps.clock.now());
      });
      return [`${count} events wait to be delivered again.`];
    },
  }),
};
