import type { Currency } from '@krapao/contract/shared';
import { type Db, type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import { type Choices, oneOrSeveral } from '../../platform/http/choices.ts';
import { keysetSql, keysetValues, numberKey, type Slice } from '../../platform/http/cursor.ts';
import { type ExportSource, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';

export interface AuditRow {
  id: bigint;
  at: Date;
  actor: string;
  role: string | null;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
  reason: string | null;
  address: string | null;
}

export interface AuditFilter {
  actor: string | null;
  /** How wanted actions begin, and those left out. */
  action: Choices;
  subject: string | null;
  address: string | null;
  from: Date | null;
  to: Date | null;
}

const COLUMNS = 'id, at, actor, role, action, subject, before, after, reason, address';
/**
 * An operator's name finds what their API keys did too. Actions are found by how they begin, so that `withdrawal` finds
 * all actions on withdrawals.
 */
export const AUDIT_WHERE = `($1::text is null or actor = any(array[$1, 'operator:' || $1] || array(
    select 'key:' || k.name || ' of ' || o.name from operator_key k join operator o on o.id = k.operator_id where o.name = $1))) and ($2::text[] is null or action ^@ any($2)) and ($7::text is null or starts_with(action, $7))
  and not action ^@ any($8::text[])
  and ($3::text is null or subject = $3) and ($4::text is null or address = $4)
  and ($5::timestamptz is null or at >= $5) and ($6::timestamptz is null or at < $6)`;

export function auditValues({ actor, action, subject, address, from, to }: AuditFilter) {
  const { one, several } = oneOrSeveral(action.only);
  return [actor, several, subject, address, from, to, one, action.not] as const;
}

/** The currency of the member a row is about: its own amounts need not name one. */
const CURRENCY = `(select m.currency from member m where m.id = case split_part(a.subject, ':', 1)
  when 'member' then substring(a.subject from '^member:(\\d{1,18})$')::bigint
  when 'withdrawal' then (select w.member_id from withdrawal w where w.id = split_part(a.subject, ':', 2))
  when 'slip' then (select s.member_id from slip s where s.id = split_part(a.subject, ':', 2))
  end)`;

const ID = numberKey('id');
// Ids sort by time.
const ORDERS = { at: ID } as const;
/** What the trail is ordered by. */
export const AUDIT_KEYS = { orders: ORDERS, id: ID };

/** Counts the rows of a filter up to `most`; null counts all. */
export async function countAudit(db: Reads, filter: AuditFilter, most: number | null): Promise<number> {
  const sql =
    `select count(*)::int as total from (select from audit where ${AUDIT_WHERE} limit $9) found` as const;
  return (await db.query(sql, [...auditValues(filter), most])).rows[0]!.total;
}

/** The rows of a page; costs the same wherever it is. */
export async function listAudit(
  db: Reads,
  filter: AuditFilter,
  slice: Slice,
): Promise<(AuditRow & { currency: Currency | null; cursor_value: string })[]> {
  const text = keysetSql(
    {
      select: `select ${COLUMNS}, ${CURRENCY} as currency`,
      from: `audit a where ${AUDIT_WHERE}`,
      ...AUDIT_KEYS,
      parameters: ['$9', '$10', '$11'],
    },
    slice.readSort,
  );
  return (await db.query(text, [...auditValues(filter), ...keysetValues(slice)])).rows;
}

/** The same rows for a file. */
export const exportAudit = (filter: AuditFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select id, ${timeSql('at')} as at, actor, role, action, subject, before, after, reason, address
    from audit where ${AUDIT_WHERE} order by ${orderBy(ORDERS, sort, 'id')}`),
    auditValues(filter),
    'id',
  );

/** What happened to one subject, oldest first; without alerts that ended with their cause, which is listed itself. */
export async function listBySubject(db: Db, subject: string): Promise<AuditRow[]> {
  const sql =
    `select ${COLUMNS} from audit where subject = $1 and not (actor = 'system' and action = 'alert.resolve') order by id limit 200` as const;
  return (await db.query(sql, [subject])).rows;
}

/** The newest actions of one kind on one subject, newest first. */
export async function listActionsOf(db: Db, subject: string, action: string): Promise<AuditRow[]> {
  const sql =
    `select ${COLUMNS} from audit where subject = $1 and action = $2 order by id desc limit 50` as const;
  return (await db.query(sql, [subject, action])).rows;
}
