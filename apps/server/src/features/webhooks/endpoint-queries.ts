import type { WebhookEventType } from '@krapao/contract/operator';
import type { Currency } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

export interface EndpointRow {
  id: string;
  url: string;
  description: string;
  events: string[];
  currency: Currency | null;
  state: 'ENABLED' | 'DISABLED';
  disabled_reason: string | null;
  failing_since: Date | null;
  succeeded_at: Date | null;
  former_until: Date | null;
  created_by: string;
  created_at: Date;
}

const COLUMNS = `e.id, e.url, e.description, e.events, e.currency, e.state, e.disabled_reason, e.failing_since,
  e.succeeded_at, e.former_until, e.created_by, e.created_at`;

export interface ListedEndpoint extends EndpointRow {
  waiting: number;
  oldest_waiting_at: Date | null;
}

/** Returns all endpoints, oldest first, with what waits for them. */
export async function listEndpoints(db: Db): Promise<ListedEndpoint[]> {
  const sql = `select ${COLUMNS}, w.waiting, w.oldest_waiting_at
    from webhook_endpoint e
    cross join lateral (
      select count(*)::int as waiting, min(d.created_at) as oldest_waiting_at
      from webhook_delivery d where d.endpoint_id = e.id and d.state = 'WAITING') w
    where e.removed_at is null
    order by e.id` as const;
  return (await db.query(sql)).rows;
}

export async function lockEndpoint(db: Db, id: string): Promise<EndpointRow | undefined> {
  const sql = `select ${COLUMNS} from webhook_endpoint e
    where e.id = $1 and e.removed_at is null for update` as const;
  return (await db.query(sql, [id])).rows[0];
}

export async function hasEndpoint(db: Db, id: string): Promise<boolean> {
  const sql = 'select 1 from webhook_endpoint where id = $1 and removed_at is null';
  return (await db.query(sql, [id])).rows.length > 0;
}

/** The editable fields of an endpoint. */
export interface EndpointFields {
  url: string;
  description: string;
  events: WebhookEventType[];
  currency: Currency | null;
}

/** Adds an enabled endpoint unless there are `max`; call it under {@link lockWebhooks}. */
export async function insertEndpoint(
  db: Db,
  endpoint: EndpointFields & { id: string; secretSealed: Buffer; createdBy: string; now: Date; max: number },
): Promise<boolean> {
  const result = await db.query(
    `insert into webhook_endpoint (id, url, description, events, currency, state, secret_sealed, created_by, created_at)
     select $1, $2, $3, $4, $5, 'ENABLED', $6, $7, $8
     where (select count(*) from webhook_endpoint where removed_at is null) < $9`,
    [
      endpoint.id,
      endpoint.url,
      endpoint.description,
      endpoint.events,
      endpoint.currency,
      endpoint.secretSealed,
      endpoint.createdBy,
      endpoint.now,
      endpoint.max,
    ],
  );
  return result.rowCount === 1;
}

export async function writeEndpoint(db: Db, id: string, fields: EndpointFields): Promise<void> {
  await db.query(
    'update webhook_endpoint set url = $2, description = $3, events = $4, currency = $5 where id = $1',
    [id, fields.url, fields.description, fields.events, fields.currency],
  );
}

/**
 * Removes an endpoint for operators and senders, and its secrets with it; {@link deleteRemoved} deletes its deliveries.
 * Call it under `lockWebhooks`.
 */
export async function markRemoved(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    `update webhook_endpoint set removed_at = $2, state = 'DISABLED', disabled_reason = 'REMOVED', secret_sealed = '',
       former_secret_sealed = null, former_until = null where id = $1`,
    [id, now],
  );
}

/** Deletes `max` deliveries of removed endpoints, and endpoints that have none left; returns how many deliveries. */
export async function deleteRemoved(db: Db, max: number): Promise<number> {
  const result = await db.query(
    `delete from webhook_delivery where id = any(array(
       select d.id from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
       where e.removed_at is not null limit $1))`,
    [max],
  );
  await db.query(
    `delete from webhook_endpoint e where e.removed_at is not null
       and not exists (select 1 from webhook_delivery d where d.endpoint_id = e.id)`,
  );
  return result.rowCount ?? 0;
}

/** Disables an endpoint, or enables it when there is no reason; its failures are forgotten when it is enabled. */
export async function writeEndpointState(db: Db, id: string, disabledReason: string | null): Promise<void> {
  await db.query(
    `update webhook_endpoint set state = case when $2::text is null then 'ENABLED' else 'DISABLED' end, disabled_reason = $2,
       failing_since = case when $2 is null then null else failing_since end where id = $1`,
    [id, disabledReason],
  );
}

/** Puts a new secret in place of the present one, which signs too until `formerUntil`. */
export async function rotateSecret(db: Db, id: string, sealed: Buffer, formerUntil: Date): Promise<void> {
  await db.query(
    `update webhook_endpoint set former_secret_sealed = secret_sealed, former_until = $3, secret_sealed = $2 where id = $1`,
    [id, sealed, formerUntil],
  );
}

/** Notes a success of an enabled endpoint; true when it was failing. */
export async function noteSuccess(db: Db, id: string, now: Date): Promise<boolean> {
  const sql = `with before as (select failing_since from webhook_endpoint where id = $1)
    update webhook_endpoint set failing_since = null, succeeded_at = $2 where id = $1 and state = 'ENABLED'
    returning (select failing_since from before) is not null as was_failing`;
  return (await db.query(sql, [id, now])).rows[0]?.was_failing === true;
}

/** Notes a failure of an enabled endpoint and returns since when it has been failing; null when it is not enabled. */
export async function noteFailure(db: Db, id: string, now: Date): Promise<Date | null> {
  const sql = `update webhook_endpoint set failing_since = coalesce(failing_since, $2)
    where id = $1 and state = 'ENABLED' returning failing_since`;
  return (await db.query(sql, [id, now])).rows[0]?.failing_since ?? null;
}

/** Forgets former secrets that no longer sign. */
export async function forgetFormerSecrets(db: Db, now: Date): Promise<void> {
  await db.query(
    'update webhook_endpoint set former_secret_sealed = null, former_until = null where former_until <= $1',
    [now],
  );
}
