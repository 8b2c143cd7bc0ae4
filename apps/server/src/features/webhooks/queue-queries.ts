import type { Db, PoolClient } from '../../platform/database/db.ts';

/**
 * Serialises all changes of deliveries: making, taking, ending, replaying. Each is a short transaction, and the
 * transactions that write events never wait for it.
 */
export async function lockWebhooks(tx: PoolClient): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('webhooks'))");
}

/** Reports whether there is anything a sender could do at all. */
export async function hasEndpoints(db: Db): Promise<boolean> {
  return (await db.query('select 1 from webhook_endpoint where removed_at is null limit 1')).rows.length > 0;
}

/**
 * Makes the deliveries of events that have none yet, in the order of the events; returns how many events there were. A
 * delivery behind another one of its subject is due when that one ends. Call it under {@link lockWebhooks}.
 */
export async function makeDeliveries(tx: PoolClient, now: Date, max: number): Promise<number> {
  const result = await tx.query(
    `with pending as (select number, type, subject, currency from webhook_event where is_pending order by number limit $2),
     made as (
       insert into webhook_delivery (endpoint_id, event_number, subject, type, state, due_at, created_at, ended_at)
       select e.id, p.number, p.subject, p.type, case e.state when 'ENABLED' then 'WAITING' else 'SKIPPED' end,
         case
           when row_number() over (partition by e.id, p.subject order by p.number) > 1 or exists (
             select 1 from webhook_delivery w where w.endpoint_id = e.id and w.subject = p.subject and w.state = 'WAITING')
           then 'infinity'::timestamptz else $1
         end, $1, case e.state when 'DISABLED' then $1 end
       from pending p join webhook_endpoint e on p.type = any(e.events) and (e.currency is null or e.currency = p.currency)
       where e.removed_at is null
       order by p.number
       on conflict do nothing)
     update webhook_event v set is_pending = false from pending p where v.number = p.number`,
    [now, max],
  );
  return result.rowCount ?? 0;
}

/** A delivery that a worker holds, with what it needs to send it. */
export interface TakenRow {
  id: bigint;
  endpoint_id: string;
  tries: number;
  url: string;
  secret_sealed: Buffer;
  /** Null when it no longer signs. */
  former_secret_sealed: Buffer | null;
  event_id: string;
  type: string;
  happened_at: Date;
  data: unknown;
}

/**
 * Takes deliveries that are due, for as long as the lease, and of one subject only one at once. An endpoint holds at most
 * `endpointMax`. Beyond `totalMax` held by all, each endpoint still gets up to `ownMax`, so that endpoints that do not
 * respond delay no other one. Endpoints that hold fewest come first. The subjects held are an array, since the planner
 * may take the table for empty and read it once a row. Call it under {@link lockWebhooks}.
 */
export async function takeDeliveries(
  tx: PoolClient,
  now: Date,
  limits: { endpointMax: number; ownMax: number; totalMax: number; leaseMs: number },
): Promise<TakenRow[]> {
  const result = await tx.query(
    `with busy as (
       select endpoint_id, count(*) as held, array_agg(subject) as subjects
       from webhook_delivery where leased_until > now() group by endpoint_id),
     due as (
       select d.id, d.place, row_number() over (order by d.place, d.due_at, d.id) as number
       from webhook_endpoint e left join busy b on b.endpoint_id = e.id
       cross join lateral (
         select f.id, f.due_at, coalesce(b.held, 0) + row_number() over (order by f.due_at, f.id) as place
         from (
           select w.id, w.due_at from webhook_delivery w
           where w.endpoint_id = e.id and w.state = 'WAITING' and w.due_at <= $1
             and (w.leased_until is null or w.leased_until <= now())
             and (e.state = 'ENABLED' or w.type = 'webhook.test')
             and w.subject <> all(coalesce(b.subjects, '{}'))
           order by w.due_at, w.id limit greatest(0, $2::bigint - coalesce(b.held, 0))) f) d
       where e.removed_at is null)
     update webhook_delivery d
     set tries = d.tries + 1, leased_until = now() + $4 * interval '1 millisecond'
     from due, webhook_endpoint e, webhook_event v
     where d.id = due.id and e.id = d.endpoint_id and v.number = d.event_number
       and (due.place <= $5::bigint or due.number <= $3::bigint - (select coalesce(sum(held), 0) from busy))
     returning d.id, d.endpoint_id, d.tries, e.url, e.secret_sealed,
       case when e.former_until > $1 then e.former_secret_sealed end as former_secret_sealed,
       v.id as event_id, v.type, v.created_at as happened_at, v.data`,
    [now, limits.endpointMax, limits.totalMax, limits.leaseMs, limits.ownMax],
  );
  return result.rows;
}

export interface Attempt {
  at: Date;
  status: number | null;
  failure: string | null;
  latencyMs: number;
  response: string;
}

/** Keeps an attempt in the log of its delivery, if that is still there. */
export async function insertAttempt(db: Db, deliveryId: bigint, attempt: Attempt): Promise<void> {
  await db.query(
    `insert into webhook_attempt (delivery_id, at, status, failure, latency_ms, response)
     select d.id, $2, $3, $4, $5, $6 from webhook_delivery d where d.id = $1 for key share`,
    [deliveryId, attempt.at, attempt.status, attempt.failure, attempt.latencyMs, attempt.response],
  );
}

/** What becomes of a delivery after an attempt. */
export type Fate = { state: 'DELIVERED' | 'GIVEN_UP' } | { state: 'WAITING'; dueAt: Date };

/**
 * Ends a delivery or puts it off; false when it was ended, taken again, or its endpoint removed meanwhile. With an end the next delivery of
 * its subject is due. Call it under {@link lockWebhooks}.
 */
export async function settleDelivery(
  tx: PoolClient,
  taken: Pick<TakenRow, 'id' | 'tries'>,
  fate: Fate,
  now: Date,
): Promise<boolean> {
  const result = await tx.query(
    `with settled as (
       update webhook_delivery
       set state = $3, due_at = coalesce($4, due_at), leased_until = null, ended_at = case when $3 <> 'WAITING' then $5::timestamptz end
       where id = $1 and state = 'WAITING' and tries = $2
         and endpoint_id in (select e.id from webhook_endpoint e where e.removed_at is null)
       returning id, endpoint_id, subject, state),
     next as (
       select distinct on (w.endpoint_id, w.subject) w.id from webhook_delivery w
       join settled s on s.endpoint_id = w.endpoint_id and s.subject = w.subject and s.state <> 'WAITING'
       where w.state = 'WAITING' and w.id <> s.id
       order by w.endpoint_id, w.subject, w.event_number),
     released as (
       update webhook_delivery w set due_at = $5 from next where w.id = next.id and w.due_at = 'infinity')
     select id from settled`,
    [taken.id, taken.tries, fate.state, fate.state === 'WAITING' ? fate.dueAt : null, now],
  );
  return result.rows.length === 1;
}

/**
 * So many deliveries are skipped by one statement: 500,000 at once took 6.5 s, longer than a statement may take. They
 * are named by an array: joined to the subquery instead, 12,000 took over 30 s while the planner took the table for
 * empty and read it once for each of them.
 */
const SKIPPED_MAX = 10_000;

/**
 * Skips deliveries that wait for a disabled endpoint, tests excepted, {@link SKIPPED_MAX} at most; true when more may
 * wait. Call it under {@link lockWebhooks}.
 */
export async function skipWaiting(tx: PoolClient, endpointId: string, now: Date): Promise<boolean> {
  const result = await tx.query(
    `update webhook_delivery set state = 'SKIPPED', leased_until = null, ended_at = $2
     where id = any(array(
       select w.id from webhook_endpoint e join webhook_delivery w on w.endpoint_id = e.id
       where e.id = $1 and e.state = 'DISABLED' and w.state = 'WAITING' and w.type <> 'webhook.test' limit $3))`,
    [endpointId, now, SKIPPED_MAX],
  );
  return result.rowCount === SKIPPED_MAX;
}

/** Returns the disabled endpoints for which something waits that has not been skipped. */
export async function listUnskipped(db: Db): Promise<string[]> {
  const sql = `select e.id from webhook_endpoint e
    where e.state = 'DISABLED' and e.removed_at is null and exists (
      select 1 from webhook_delivery w
      where w.endpoint_id = e.id and w.state = 'WAITING' and w.type <> 'webhook.test')`;
  return (await db.query(sql)).rows.map(({ id }) => id);
}

/** Lets the first waiting delivery of each subject be due and the others wait for it. */
async function lineUp(tx: PoolClient, endpointId: string, now: Date): Promise<void> {
  await tx.query(
    `with first as (
       select subject, min(event_number) as number from webhook_delivery
       where endpoint_id = $1 and state = 'WAITING' group by subject)
     update webhook_delivery d
     set due_at = case when d.event_number <> f.number then 'infinity' when d.due_at = 'infinity' then $2 else d.due_at end
     from first f
     where d.endpoint_id = $1 and d.state = 'WAITING' and d.subject = f.subject and d.leased_until is null
       and (d.due_at = 'infinity') = (d.event_number = f.number)`,
    [endpointId, now],
  );
}

/** So many events are replayed at once at most. */
export const REPLAY_MAX = 10_000;

/**
 * Lets ended deliveries of an endpoint wait again, oldest first and `max` at most, each in the place of its event; returns
 * how many. Call it under {@link lockWebhooks}.
 */
export async function replayDeliveries(
  tx: PoolClient,
  endpointId: string,
  which: { from: Date; to: Date; states: readonly string[]; max: number },
  now: Date,
): Promise<number> {
  const result = await tx.query(
    `with chosen as (
       select d.id from webhook_delivery d join webhook_event v on v.number = d.event_number
       where d.endpoint_id = $1 and d.state = any($4) and v.created_at >= $2 and v.created_at < $3
         and d.type <> 'webhook.test'
       order by d.event_number limit $5)
     update webhook_delivery d set state = 'WAITING', tries = 0, due_at = 'infinity', leased_until = null, ended_at = null
     from chosen c where d.id = c.id`,
    [endpointId, which.from, which.to, which.states, which.max],
  );
  await lineUp(tx, endpointId, now);
  return result.rowCount ?? 0;
}

/** The same for one delivery; false when it waits already. */
export async function replayDelivery(
  tx: PoolClient,
  { id, endpoint_id }: { id: bigint; endpoint_id: string },
  now: Date,
): Promise<boolean> {
  const result = await tx.query(
    `update webhook_delivery set state = 'WAITING', tries = 0, due_at = 'infinity', leased_until = null, ended_at = null
     where id = $1 and state <> 'WAITING'`,
    [id],
  );
  await lineUp(tx, endpoint_id, now);
  return result.rowCount === 1;
}

/** Makes an event for one endpoint alone, whatever its filter, with its delivery; returns the delivery's id. */
export async function insertTestEvent(tx: PoolClient, endpointId: string, now: Date): Promise<bigint> {
  const result = await tx.query(
    `with made as (
       insert into webhook_event (id, type, subject, data, created_at, is_pending)
       values ('evt_' || replace(gen_random_uuid()::text, '-', ''), 'webhook.test', 'webhook:' || $1,
         jsonb_build_object('endpointId', $1::text), $2, false)
       returning number, subject, type)
     insert into webhook_delivery (endpoint_id, event_number, subject, type, state, due_at, created_at)
     select $1, made.number, made.subject || ':' || made.number, made.type, 'WAITING', $2, $2 from made
     returning id`,
    [endpointId, now],
  );
  return result.rows[0]!.id;
}

/** Forgets ended deliveries that were made before `until`, the oldest first and so many at most; returns their number. */
export async function forgetDeliveries(db: Db, until: Date, count: number): Promise<number> {
  const result = await db.query(
    `delete from webhook_delivery where id = any(array(
       select id from webhook_delivery where created_at < $1 and state <> 'WAITING' order by created_at limit $2))`,
    [until, count],
  );
  return result.rowCount ?? 0;
}

/**
 * Forgets events without deliveries in the same way. Their deliveries are a subquery of each row: the planner would join
 * a `not exists`, and read all deliveries.
 */
export async function forgetEvents(db: Db, until: Date, count: number): Promise<number> {
  const result = await db.query(
    `delete from webhook_event v where number = any(array(
       select number from webhook_event e
       where e.created_at < $1 and not e.is_pending
         and (select d.id from webhook_delivery d where d.event_number = e.number limit 1) is null
       order by e.created_at limit $2))`,
    [until, count],
  );
  return result.rowCount ?? 0;
}

/** Returns how much waits for enabled endpoints and since when the oldest does; null when nothing does. */
export async function readBacklog(db: Db): Promise<{ waiting: number; oldest: Date | null }> {
  const sql = `select count(*)::int as waiting, min(d.created_at) as oldest
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
    where d.state = 'WAITING' and e.state = 'ENABLED'`;
  return (await db.query(sql)).rows[0]!;
}
