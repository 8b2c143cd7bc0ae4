import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '@krapao/contract/durations';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType, webhooks } from '@krapao/contract/operator';
import type { WebhookClient } from '../../outside/index.ts';
import { endAlert } from '../../platform/alerts.ts';
import { type Actor, actorName, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { newId } from '../../platform/ids.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  type EndpointFields,
  type EndpointRow,
  insertEndpoint,
  type ListedEndpoint,
  listEndpoints,
  lockEndpoint,
  markRemoved,
  rotateSecret,
  writeEndpoint,
  writeEndpointState,
} from './endpoint-queries.ts';
import { insertTestEvent, lockWebhooks, skipWaiting } from './queue-queries.ts';
import { SECRET_PURPOSE } from './sender.ts';
import { newWebhookSecret } from './signature.ts';

export interface WebhookDeps {
  pool: Pool;
  clock: Clock;
  secrets: Secrets;
  webhooks: WebhookClient;
}

const ENDPOINTS_MAX = 20;
/** For so long the secret before a rotation signs too. */
const FORMER_MS = DAY_MS;

const endpointView = (row: ListedEndpoint) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  // The contract takes no other.
  events: row.events as WebhookEventType[],
  currency: row.currency,
  state: row.state,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since?.toISOString() ?? null,
  succeededAt: row.succeeded_at?.toISOString() ?? null,
  formerSecretUntil: row.former_until?.toISOString() ?? null,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  waiting: row.waiting,
  oldestWaitingAt: row.oldest_waiting_at?.toISOString() ?? null,
});

const fieldsOf = ({ url, description, events, currency }: EndpointFields): EndpointFields => ({
  url,
  description,
  events,
  currency,
});

/** Locks an endpoint against senders and other operators; throws NO_DATA when there is none. */
export async function getEndpointOrThrow(
  refuse: Refuse<'NO_DATA'>,
  tx: PoolClient,
  id: string,
): Promise<EndpointRow> {
  await lockWebhooks(tx);
  const row = await lockEndpoint(tx, id);
  if (!row) throw refuse('NO_DATA');
  return row;
}

/**
 * Skips what still waits for a disabled endpoint, in short transactions. Call it before {@link setEndpointState} enables
 * the endpoint: what waited when it was disabled is not sent afterwards.
 */
export async function skipRest({ pool, clock }: Pick<WebhookDeps, 'pool' | 'clock'>, id: string) {
  const skipSome = () =>
    inTransaction(pool, async (tx) => {
      await lockWebhooks(tx);
      return skipWaiting(tx, id, clock.now());
    });
  while (await skipSome());
}

/**
 * Disables or enables an endpoint; a repeat changes nothing. The alert about it ends either way. Of what waits for a
 * disabled endpoint the first part is skipped with it, and the job skips the rest.
 */
export async function setEndpointState(
  tx: PoolClient,
  row: EndpointRow,
  to: { state: EndpointRow['state']; reason: string; now: Date },
): Promise<void> {
  if (row.state === to.state) return;
  await writeEndpointState(tx, row.id, to.state === 'DISABLED' ? to.reason : null);
  if (to.state === 'DISABLED') await skipWaiting(tx, row.id, to.now);
  await endAlert(tx, 'webhook-failing', entityRef('webhook', row.id), to.now);
}

/** Gives an endpoint a new secret and returns it with the time until which the former one signs too. */
export async function rotateEndpointSecret(
  tx: PoolClient,
  { secrets, clock }: Pick<WebhookDeps, 'secrets' | 'clock'>,
  id: string,
): Promise<{ secret: string; until: Date }> {
  const secret = newWebhookSecret();
  const until = new Date(clock.now().getTime() + FORMER_MS);
  await rotateSecret(tx, id, secrets.encrypt(SECRET_PURPOSE, secret), until);
  return { secret, until };
}

function makingCalls(declare: OperatorDeclare, deps: WebhookDeps): void {
  const { pool, clock, secrets } = deps;
  declare(webhooks.createWebhook, async ({ body, actor, refuse }) => {
    if (!deps.webhooks.accepts(body.url)) throw refuse('WEBHOOK_URL');
    const now = clock.now();
    const id = newId('WH', now);
    const secret = newWebhookSecret();
    const secretSealed = secrets.encrypt(SECRET_PURPOSE, secret);
    const fields = fieldsOf(body);
    await inTransaction(pool, async (tx) => {
      await lockWebhooks(tx);
      const endpoint = { ...fields, id, secretSealed, createdBy: actorName(actor), now, max: ENDPOINTS_MAX };
      if (!(await insertEndpoint(tx, endpoint))) throw refuse('TOO_MANY_WEBHOOKS', { max: ENDPOINTS_MAX });
      const entry = { action: 'webhook.create', subject: entityRef('webhook', id), after: fields };
      await writeAudit(tx, actor, { ...entry, reason: body.reason }, now);
    });
    return { id, secret };
  });
  declare(webhooks.changeWebhook, async ({ params, body, actor, refuse }) => {
    if (!deps.webhooks.accepts(body.url)) throw refuse('WEBHOOK_URL');
    await inTransaction(pool, async (tx) => {
      const row = await getEndpointOrThrow(refuse, tx, params.id);
      const before = fieldsOf({ ...row, events: row.events as WebhookEventType[] });
      if (body.seen && !isDeepStrictEqual(before, fieldsOf(body.seen))) throw refuse('ROW_CHANGED');
      await writeEndpoint(tx, row.id, body);
      const entry = { action: 'webhook.change', subject: entityRef('webhook', row.id), before };
      await writeAudit(tx, actor, { ...entry, after: fieldsOf(body), reason: body.reason }, clock.now());
    });
    return { message: 'OK' };
  });
  declare(webhooks.removeWebhook, async ({ params, body, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const row = await getEndpointOrThrow(refuse, tx, params.id);
      const subject = entityRef('webhook', row.id);
      await markRemoved(tx, row.id, clock.now());
      await endAlert(tx, 'webhook-failing', subject, clock.now());
      const before = fieldsOf({ ...row, events: row.events as WebhookEventType[] });
      await writeAudit(
        tx,
        actor,
        { action: 'webhook.remove', subject, before, reason: body.reason },
        clock.now(),
      );
    });
    return { message: 'OK' };
  });
}

/** Runs a change of one endpoint under its lock and writes its audit row. */
async function changeEndpoint<T>(
  refuse: Refuse<'NO_DATA'>,
  { pool, clock }: WebhookDeps,
  by: { id: string; actor: Actor; action: string; reason?: string; after?: unknown },
  work: (tx: PoolClient, row: EndpointRow) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (tx) => {
    const row = await getEndpointOrThrow(refuse, tx, by.id);
    const result = await work(tx, row);
    const entry = { action: by.action, subject: entityRef('webhook', row.id), before: { state: row.state } };
    await writeAudit(tx, by.actor, { ...entry, after: by.after, reason: by.reason ?? null }, clock.now());
    return result;
  });
}

/** Answers the calls that keep the list of endpoints. */
export function endpointCalls(declare: OperatorDeclare, deps: WebhookDeps): void {
  const { pool, clock } = deps;
  declare(webhooks.listWebhooks, async () => ({
    webhooks: (await listEndpoints(pool)).map(endpointView),
    events: [...WEBHOOK_EVENT_TYPES],
  }));
  makingCalls(declare, deps);
  declare(webhooks.setWebhookState, async ({ params, body: { state, reason }, actor, refuse }) => {
    const by = { id: params.id, actor, action: 'webhook.state', reason, after: { state } };
    if (state === 'ENABLED') await skipRest(deps, params.id);
    await changeEndpoint(refuse, deps, by, (tx, row) =>
      setEndpointState(tx, row, { state, reason, now: clock.now() }),
    );
    return { message: 'OK' };
  });
  declare(webhooks.rotateWebhookSecret, async ({ params, body, actor, refuse }) => {
    const by = { id: params.id, actor, action: 'webhook.rotate', reason: body.reason };
    const { secret, until } = await changeEndpoint(refuse, deps, by, (tx, row) =>
      rotateEndpointSecret(tx, deps, row.id),
    );
    return { secret, formerSecretUntil: until.toISOString() };
  });
  declare(webhooks.testWebhook, async ({ params, actor, refuse }) => {
    const by = { id: params.id, actor, action: 'webhook.test' };
    const deliveryId = await changeEndpoint(refuse, deps, by, (tx, row) =>
      insertTestEvent(tx, row.id, clock.now()),
    );
    return { deliveryId: String(deliveryId) };
  });
}
