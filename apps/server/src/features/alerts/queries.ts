import type { AlertKind, AlertState, ASSIGNMENT_FILTERS } from '@krapao/contract/operator';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import type { Choices } from '../../platform/http/choices.ts';
import { keysetSql, keysetValues, type Listed, numberKey, type Slice } from '../../platform/http/cursor.ts';

export interface AlertRow {
  id: bigint;
  kind: string;
  subject: string;
  detail: string;
  state: AlertState;
  opened_at: Date;
  assignee_id: bigint | null;
  assignee: string | null;
  taken_at: Date | null;
  closed_at: Date | null;
  closed_by: string | null;
  reason: string | null;
}

/** An alert with the reason of the former dismissal of the same rule and subject. */
export interface ListedAlert extends AlertRow {
  dismissed_reason: string | null;
  dismissed_by: string | null;
  dismissed_at: Date | null;
}

export interface AlertFilter {
  kinds: readonly AlertKind[];
  /** Without a choice those that are not over. */
  state: Choices;
  /** Whose assignments: the operator's, none or another's; null: everybody's and none. */
  assigned: readonly (typeof ASSIGNMENT_FILTERS)[number][] | null;
  operatorId: bigint;
}

const WHERE = `a.kind = any($1) and case when $2::text[] is null and cardinality($3::text[]) = 0 then a.closed_at is null
    else ($2::text[] is null or a.state = any($2)) and not a.state = any($3::text[]) end
  and ($4::text[] is null or 'mine' = any($4) and a.assignee_id = $5 or 'nobody' = any($4) and a.assignee_id is null
    or 'others' = any($4) and a.assignee_id <> $5)`;

const values = ({ kinds, state, assigned, operatorId }: AlertFilter) =>
  [kinds, state.only, state.not, assigned, operatorId] as const;

// Ids follow the order of opening.
const ID = numberKey('a.id');
/** What the list is ordered by. */
export const ALERT_KEYS = { orders: { openedAt: ID }, id: ID };

/** A page of alerts by filter, and how many fit it, `counted` at the most. */
export async function listAlerts(
  db: Db,
  filter: AlertFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<ListedAlert>[]; total: number }> {
  const page = keysetSql(
    {
      select: `select a.id, a.kind, a.subject, a.detail, a.state, a.opened_at, a.assignee_id, o.name as assignee, a.taken_at, a.closed_at,
         a.closed_by, a.reason, d.reason as dismissed_reason, d.closed_by as dismissed_by, d.closed_at as dismissed_at`,
      from: `alert a left join operator o on o.id = a.assignee_id
       left join lateral (
         select p.reason, p.closed_by, p.closed_at from alert p
         where p.kind = a.kind and p.subject = a.subject and p.id < a.id and p.closed_at is not null and p.outcome = 'DISMISSED'
         order by p.id desc limit 1) d on true
       where ${WHERE}`,
      ...ALERT_KEYS,
      parameters: ['$6', '$7', '$8'],
    },
    slice.readSort,
  );
  const [rows, count] = await Promise.all([
    db.query(page, [...values(filter), ...keysetValues(slice)]),
    db.query(`select count(*)::int as total from (select from alert a where ${WHERE} limit $6) found`, [
      ...values(filter),
      counted,
    ]),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}

/** Alerts that are not over. */
export async function countAlerts(
  db: Db,
  kinds: readonly AlertKind[],
): Promise<{ count: number; oldest: Date | null }> {
  const result = await db.query(
    'select count(*)::int as count, min(opened_at) as oldest from alert where closed_at is null and kind = any($1)',
    [kinds],
  );
  return result.rows[0]!;
}

/** Locks an alert for the change that follows. */
export async function lockAlert(
  tx: PoolClient,
  id: string,
  kinds: readonly AlertKind[],
): Promise<AlertRow | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined;
  const result = await tx.query(
    `select a.id, a.kind, a.subject, a.detail, a.state, a.opened_at, a.assignee_id,
       (select o.name from operator o where o.id = a.assignee_id) as assignee, a.taken_at, a.closed_at, a.closed_by, a.reason
     from alert a where a.id = $1 and a.kind = any($2) for update`,
    [id, kinds],
  );
  return result.rows[0];
}

/** Assigns an alert to an operator, or unassigns it. */
export async function assignAlert(
  tx: PoolClient,
  id: bigint,
  operatorId: bigint | null,
  now: Date,
): Promise<void> {
  await tx.query(
    'update alert set assignee_id = $2, taken_at = case when $2::bigint is null then null else $3::timestamptz end where id = $1',
    [id, operatorId, now],
  );
}

export async function endAlertBy(
  tx: PoolClient,
  id: bigint,
  ending: { outcome: 'RESOLVED' | 'DISMISSED'; by: string; reason: string; now: Date },
): Promise<void> {
  await tx.query('update alert set closed_at = $2, outcome = $3, closed_by = $4, reason = $5 where id = $1', [
    id,
    ending.now,
    ending.outcome,
    ending.by,
    ending.reason,
  ]);
}
