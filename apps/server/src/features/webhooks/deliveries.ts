import { DAY_MS } from '@krapao/contract/durations';
import { DELIVERY_STATES, webhooks } from '@krapao/contract/operator';
import { Gauge, type Registry } from 'prom-client';
import { writeAudit } from '../../platform/audit.ts';
import type { Pool, Reads } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { choicesOf, chosenOf } from '../../platform/http/choices.ts';
import { countedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { timesOf } from '../../platform/http/list.ts';
import type { JobSet } from '../../platform/jobs.ts';
import { inPortions } from '../../platform/portions.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { deleteRemoved, forgetFormerSecrets, hasEndpoint } from './endpoint-queries.ts';
import { getEndpointOrThrow, skipRest, type WebhookDeps } from './endpoints.ts';
import {
  DELIVERY_KEYS,
  type DeliveryRow,
  findDelivery,
  listAttempts,
  listDeliveries,
} from './log-queries.ts';
import {
  forgetDeliveries,
  forgetEvents,
  listUnskipped,
  REPLAY_MAX,
  readBacklog,
  replayDeliveries,
  replayDelivery,
} from './queue-queries.ts';
import { bodyOf } from './sender.ts';

/** How long events and deliveries are stored. */
const KEPT_MS = 30 * DAY_MS;
/** Deliveries, each with its attempts, and events that are forgotten at a time. */
const FORGOTTEN_PORTION = 5_000;
/** Deliveries of removed endpoints are deleted so many at a time, each with its attempts. */
const REMOVED_PORTION = 5_000;

const deliveryView = (row: DeliveryRow) => ({
  id: String(row.id),
  eventId: row.event_id,
  type: row.type,
  subject: row.subject,
  state: row.state,
  happenedAt: row.happened_at.toISOString(),
  nextAt: row.state === 'WAITING' ? (row.due_at?.toISOString() ?? null) : null,
  endedAt: row.ended_at?.toISOString() ?? null,
  attempts: row.attempts,
  status: row.status,
  failure: row.failure,
  latencyMs: row.latency_ms,
});

/** A number of the database in a path; null for any other text. */
const numberOf = (text: string): bigint | null => (/^\d{1,18}$/.test(text) ? BigInt(text) : null);

function replayCalls(declare: OperatorDeclare, { pool, clock }: WebhookDeps): void {
  declare(webhooks.replayWebhook, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const row = await getEndpointOrThrow(refuse, tx, params.id);
      if (row.state === 'DISABLED') throw refuse('ROW_CHANGED', { state: row.state });
      const { from, to } = timesOf(body);
      const which = { from: from!, to: to!, states: body.states, max: REPLAY_MAX };
      const replayed = await replayDeliveries(tx, row.id, which, clock.now());
      const entry = { action: 'webhook.replay', subject: entityRef('webhook', row.id) };
      const after = { from: body.from, to: body.to, count: replayed };
      await writeAudit(tx, actor, { ...entry, after, reason: body.reason }, clock.now());
      return { replayed };
    }),
  );
  declare(webhooks.replayWebhookDelivery, async ({ params, actor, refuse }) => {
    const id = numberOf(params.id);
    const found = id === null ? undefined : await findDelivery(pool, id);
    if (!found) throw refuse('NO_DATA');
    await inTransaction(pool, async (tx) => {
      const row = await getEndpointOrThrow(refuse, tx, found.endpoint_id);
      if (row.state === 'DISABLED') throw refuse('ROW_CHANGED', { state: row.state });
      if (!(await replayDelivery(tx, found, clock.now()))) throw refuse('ROW_CHANGED', { state: 'WAITING' });
      const entry = { action: 'webhook.replay', subject: entityRef('webhook', row.id) };
      await writeAudit(tx, actor, { ...entry, after: { event: found.event_id } }, clock.now());
    });
    return { message: 'OK' };
  });
}

/** Answers the calls about what was delivered, and about delivering it again. */
export function deliveryCalls(declare: OperatorDeclare, deps: WebhookDeps & { reads: Reads }): void {
  const { pool } = deps;
  declare(webhooks.listWebhookDeliveries, async ({ params, query, refuse }) => {
    if (!(await hasEndpoint(pool, params.id))) throw refuse('NO_DATA');
    const filter = {
      endpointId: params.id,
      states: chosenOf(query.state, DELIVERY_STATES),
      type: choicesOf(query.type),
      ...timesOf(query),
    };
    const { rows, page } = await countedPage(
      query,
      { keys: DELIVERY_KEYS, standard: '-id' },
      (slice, counted) => listDeliveries(deps.reads, filter, slice, counted),
    );
    return { deliveries: rows.map(deliveryView), ...page };
  });
  declare(webhooks.readWebhookDelivery, async ({ params, refuse }) => {
    const id = numberOf(params.id);
    const found = id === null ? undefined : await findDelivery(pool, id);
    if (!found) throw refuse('NO_DATA');
    const attempts = await listAttempts(pool, found.id);
    return {
      delivery: deliveryView(found),
      body: bodyOf(found),
      attempts: attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
    };
  });
  replayCalls(declare, deps);
}

/** Forgets what is past its time, and does the long part of disabling and removing endpoints. */
export function webhookJobs({ pool, clock }: Pick<WebhookDeps, 'pool' | 'clock'>): JobSet {
  return {
    tasks: {
      'webhooks.forget': async () => {
        const until = new Date(clock.now().getTime() - KEPT_MS);
        await inPortions(FORGOTTEN_PORTION, (count) => forgetDeliveries(pool, until, count));
        await inPortions(FORGOTTEN_PORTION, (count) => forgetEvents(pool, until, count));
        await forgetFormerSecrets(pool, clock.now());
        for (const id of await listUnskipped(pool)) await skipRest({ pool, clock }, id);
        await inPortions(REMOVED_PORTION, (count) => deleteRemoved(pool, count));
      },
    },
    everyMinute: ['webhooks.forget'],
  };
}

/** Measures what waits to be delivered. */
export function measureWebhooks(registry: Registry, pool: Pool, now: () => Date): void {
  const oldest = new Gauge({
    name: 'krapao_webhooks_oldest_seconds',
    help: 'Age of the oldest webhook that waits for an enabled endpoint.',
    registers: [registry],
  });
  new Gauge({
    name: 'krapao_webhooks_waiting',
    help: 'Webhooks that wait for enabled endpoints.',
    registers: [registry],
    async collect() {
      // Without a response the gauges keep their values.
      const backlog = await readBacklog(pool).catch(() => null);
      if (!backlog) return;
      this.set(backlog.waiting);
      oldest.set(backlog.oldest ? (now().getTime() - backlog.oldest.getTime()) / 1000 : 0);
    },
  });
}
