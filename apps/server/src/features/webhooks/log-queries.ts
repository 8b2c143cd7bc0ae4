import type { Db, Reads } from '../../platform/database/db.ts';
import type { Choices } from '../../platform/http/choices.ts';
import { keysetSql, keysetValues, type Listed, numberKey, type Slice } from '../../platform/http/cursor.ts';
import type { Attempt } from './queue-queries.ts';

export interface DeliveryRow {
  id: bigint;
  endpoint_id: string;
  event_id: string;
  type: string;
  subject: string;
  state: 'WAITING' | 'DELIVERED' | 'GIVEN_UP' | 'SKIPPED';
  happened_at: Date;
  /** Null while an earlier event of the subject waits. */
  due_at: Date | null;
  ended_at: Date | null;
  attempts: number;
  status: number | null;
  failure: string | null;
  latency_ms: number | null;
}

const COLUMNS = `d.id, d.endpoint_id, v.id as event_id, d.type, v.subject, d.state, v.created_at as happened_at,
  nullif(d.due_at, 'infinity') as due_at, d.ended_at,
  (select count(*)::int from webhook_attempt c where c.delivery_id = d.id) as attempts,
  a.status, a.failure, a.latency_ms`;
const FROM = `webhook_delivery d join webhook_event v on v.number = d.event_number
  left join lateral (
    select t.status, t.failure, t.latency_ms from webhook_attempt t where t.delivery_id = d.id order by t.id desc limit 1
  ) a on true`;

export interface DeliveryFilter {
  endpointId: string;
  states: readonly string[] | null;
  type: Choices;
  from: Date | null;
  to: Date | null;
}

const WHERE = `d.endpoint_id = $1 and ($2::text[] is null or d.state = any($2)) and ($3::text[] is null or d.type = any($3)) and d.type <> all($6::text[])
  and ($4::timestamptz is null or v.created_at >= $4) and ($5::timestamptz is null or v.created_at < $5)`;

const ID = numberKey('d.id');
/** What the list is ordered by: ids follow the order of arrival. */
export const DELIVERY_KEYS = { orders: { id: ID }, id: ID };

/** Returns a page of an endpoint's deliveries, and how many fit the filter, `counted` at the most. */
export async function listDeliveries(
  db: Reads,
  filter: DeliveryFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<DeliveryRow>[]; total: number }> {
  const { endpointId, states, type, from, to } = filter;
  const values = [endpointId, states, type.only, from, to, type.not] as const;
  const page = keysetSql(
    {
      select: `select ${COLUMNS}`,
      from: `${FROM} where ${WHERE}`,
      ...DELIVERY_KEYS,
      parameters: ['$7', '$8', '$9'],
    },
    slice.readSort,
  );
  const [rows, count] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      `select count(*)::int as total
       from (select from webhook_delivery d join webhook_event v on v.number = d.event_number where ${WHERE} limit $7) found`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}

/** Returns a delivery with the data of its event; undefined when its endpoint was removed. */
export async function findDelivery(
  db: Db,
  id: bigint,
): Promise<(DeliveryRow & { data: unknown }) | undefined> {
  const [found, event] = await Promise.all([
    db.query(
      `select ${COLUMNS} from ${FROM}
       where d.id = $1 and d.endpoint_id in (select e.id from webhook_endpoint e where e.removed_at is null)`,
      [id],
    ),
    db.query(
      'select v.data from webhook_event v join webhook_delivery d on d.event_number = v.number where d.id = $1',
      [id],
    ),
  ]);
  const row = found.rows[0];
  return row && { ...row, data: event.rows[0]?.data };
}

/** Returns the attempts of a delivery, oldest first. */
export async function listAttempts(db: Db, id: bigint): Promise<Attempt[]> {
  const sql = `select at, status, failure, latency_ms as "latencyMs", response
    from webhook_attempt where delivery_id = $1 order by id`;
  return (await db.query(sql, [id])).rows;
}
