import { DAY_MS, HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { WEBHOOK_TEST } from '@krapao/contract/operator';
import type { WebhookClient, WebhookResponse } from '../../outside/index.ts';
import { endAlert, keepAlert } from '../../platform/alerts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { noteFailure, noteSuccess, writeEndpointState } from './endpoint-queries.ts';
import {
  type Fate,
  hasEndpoints,
  insertAttempt,
  lockWebhooks,
  makeDeliveries,
  settleDelivery,
  skipWaiting,
  type TakenRow,
  takeDeliveries,
} from './queue-queries.ts';
import { pauseAfter } from './schedule.ts';
import { webhookHeaders } from './signature.ts';

export interface SenderDeps {
  pool: Pool;
  clock: Clock;
  secrets: Secrets;
  webhooks: WebhookClient;
}

/** What is sealed with this purpose. */
export const SECRET_PURPOSE = 'webhook-secret';

const SWEEP_MS = 250;
const EVENTS_MAX = 500;
/** Longer than any attempt lasts; what a crashed worker held is taken again after this. */
const LIMITS = { endpointMax: 8, ownMax: 2, totalMax: 32, leaseMs: MINUTE_MS };
/** An endpoint that has failed for so long opens an alert. */
const ALERT_MS = HOUR_MS;
/** One that has failed for so long when an event is given up is disabled. */
const DISABLE_MS = 2 * DAY_MS;
const GONE = 410;

/** Returns the body of an event; the same text at every attempt. */
export const bodyOf = (event: { event_id: string; type: string; happened_at: Date; data: unknown }): string =>
  JSON.stringify({
    id: event.event_id,
    type: event.type,
    timestamp: event.happened_at.toISOString(),
    data: event.data,
  });

const isSuccess = ({ status }: WebhookResponse): boolean => status !== null && status >= 200 && status < 300;

function fateOf(row: TakenRow, response: WebhookResponse, now: Date): Fate {
  if (isSuccess(response)) return { state: 'DELIVERED' };
  const pauseMs = row.type === WEBHOOK_TEST ? null : pauseAfter(row.tries);
  if (pauseMs === null) return { state: 'GIVEN_UP' };
  return { state: 'WAITING', dueAt: new Date(now.getTime() + pauseMs) };
}

/** Disables a failing endpoint: skips its pending deliveries, a job the rest of very many, and opens an alert. */
async function disableEndpoint(tx: PoolClient, id: string, reason: string, now: Date): Promise<void> {
  await writeEndpointState(tx, id, reason);
  await skipWaiting(tx, id, now);
  await keepAlert(
    tx,
    { kind: 'webhook-failing', subject: entityRef('webhook', id), detail: 'DISABLED' },
    now,
  );
}

/** Records the health of an enabled endpoint. A test is not counted. */
async function noteHealth(
  tx: PoolClient,
  row: TakenRow,
  response: WebhookResponse,
  fate: Fate,
  now: Date,
): Promise<void> {
  if (row.type === WEBHOOK_TEST) return;
  const subject = entityRef('webhook', row.endpoint_id);
  if (fate.state === 'DELIVERED') {
    if (await noteSuccess(tx, row.endpoint_id, now)) await endAlert(tx, 'webhook-failing', subject, now);
    return;
  }
  const since = await noteFailure(tx, row.endpoint_id, now);
  if (!since) return;
  const failingMs = now.getTime() - since.getTime();
  if (response.status === GONE) return disableEndpoint(tx, row.endpoint_id, 'GONE', now);
  if (fate.state === 'GIVEN_UP' && failingMs >= DISABLE_MS)
    return disableEndpoint(tx, row.endpoint_id, 'FAILING', now);
  if (failingMs >= ALERT_MS)
    await keepAlert(tx, { kind: 'webhook-failing', subject, detail: 'FAILING' }, now);
}

async function attempt({ secrets, webhooks }: SenderDeps, row: TakenRow): Promise<WebhookResponse> {
  const keys = [row.secret_sealed, row.former_secret_sealed].filter((sealed) => sealed !== null);
  const body = bodyOf(row);
  // Receivers compare the time with their own clock, so it is the real one.
  const message = { id: row.event_id, body, attempt: row.tries, at: new Date() };
  const headers = webhookHeaders(
    keys.map((sealed) => secrets.decrypt(SECRET_PURPOSE, sealed)),
    message,
  );
  return webhooks.send(row.url, headers, body);
}

/**
 * Sends events to endpoints until stopped; any number of servers may do so at once. At least once: what was sent and not
 * noted is sent again under its id. All statements go through one connection, one transaction after the other.
 */
export function startWebhookSender(
  deps: SenderDeps,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const { pool, clock } = deps;
  const inFlight = new Set<Promise<void>>();
  let stopped = false;
  let last: Promise<unknown> = Promise.resolve();
  let taking: Promise<void> | null = null;

  const inTurn = <T>(work: (tx: PoolClient) => Promise<T>): Promise<T> => {
    const done = last.then(() =>
      inTransaction(pool, async (tx) => {
        await lockWebhooks(tx);
        return work(tx);
      }),
    );
    last = done.catch(() => undefined);
    return done;
  };

  async function deliver(row: TakenRow): Promise<void> {
    const at = clock.now();
    const response = await attempt(deps, row);
    await inTurn(async (tx) => {
      const now = clock.now();
      const fate = fateOf(row, response, now);
      await insertAttempt(tx, row.id, { at, ...response });
      if (await settleDelivery(tx, row, fate, now)) await noteHealth(tx, row, response, fate, now);
    });
  }

  async function take(): Promise<void> {
    if (!(await hasEndpoints(pool))) return;
    const rows = await inTurn(async (tx) => {
      await makeDeliveries(tx, clock.now(), EVENTS_MAX);
      return takeDeliveries(tx, clock.now(), LIMITS);
    });
    for (const row of rows) {
      const work = deliver(row)
        .catch(onError)
        .finally(() => {
          inFlight.delete(work);
          wake();
        });
      inFlight.add(work);
    }
  }

  function wake(): void {
    if (stopped) return;
    taking ??= take()
      .catch(onError)
      .finally(() => {
        taking = null;
      });
  }

  const timer = setInterval(wake, SWEEP_MS);
  timer.unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await taking;
      await Promise.all(inFlight);
    },
  };
}
