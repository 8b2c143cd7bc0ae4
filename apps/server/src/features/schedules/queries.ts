import type { Language } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

export interface ScheduleRow {
  id: string;
  report: string;
  format: 'csv' | 'xlsx';
  period: 'DAY' | 'WEEK' | 'MONTH';
  language: Language;
  recipients: string[];
  by: string;
  due_at: Date;
  sent_at: Date | null;
  failure: string | null;
  /** The receivers who still lack the report that is due, when others have it; null: all. */
  refused: string[] | null;
  /** How often the report that is due was refused for a receiver. */
  refusals: number;
  /** Whether the operator who added it may still export reports. */
  may_export: boolean;
}

const COLUMNS = `s.id, s.report, s.format, s.period, s.language, s.recipients, o.name as by, s.due_at, s.sent_at, s.failure,
  case when s.refused_due_at = s.due_at then s.refused end as refused,
  case when s.refused_due_at = s.due_at then s.refusals else 0 end as refusals,
  o.status = 'ACTIVE' and exists (
    select from operator_role r where r.code = o.role and r.permissions @> array['export.read', 'figures.read']) as may_export`;
const SELECT = `select ${COLUMNS} from report_schedule s join operator o on o.id = s.operator_id` as const;

/** How many schedules there may be: those that a list has. */
export const SCHEDULES_MAX = 500;

export async function listSchedules(db: Db): Promise<ScheduleRow[]> {
  return (await db.query(`${SELECT} order by s.created_at, s.id limit ${SCHEDULES_MAX}`)).rows;
}

export async function countSchedules(db: Db): Promise<number> {
  return (await db.query('select count(*)::int as count from report_schedule')).rows[0]!.count;
}

export async function findSchedule(db: Db, id: string): Promise<ScheduleRow | undefined> {
  return (await db.query(`${SELECT} where s.id = $1`, [id])).rows[0];
}

/**
 * Takes the schedule that has been due for longest and was last tried before `triedBefore`, so that no other worker sends
 * it meanwhile. Returns undefined when there is none.
 */
export async function takeDue(db: Db, now: Date, triedBefore: Date): Promise<ScheduleRow | undefined> {
  const sql = `update report_schedule s set tried_at = $1 from operator o
    where o.id = s.operator_id and s.id = (
      select d.id from report_schedule d where d.due_at <= $1 and (d.tried_at is null or d.tried_at < $2)
      order by d.due_at, d.id limit 1 for update skip locked)
    returning ${COLUMNS}` as const;
  return (await db.query(sql, [now, triedBefore])).rows[0];
}

export async function insertSchedule(
  db: Db,
  row: Pick<ScheduleRow, 'id' | 'report' | 'format' | 'period' | 'language' | 'recipients'> & {
    operatorId: bigint;
    now: Date;
    dueAt: Date;
  },
): Promise<void> {
  await db.query(
    `insert into report_schedule (id, report, format, period, language, recipients, operator_id, created_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.id,
      row.report,
      row.format,
      row.period,
      row.language,
      row.recipients,
      row.operatorId,
      row.now,
      row.dueAt,
    ],
  );
}

export async function deleteSchedule(db: Db, id: string): Promise<boolean> {
  return (await db.query('delete from report_schedule where id = $1', [id])).rowCount === 1;
}

/** What became of an attempt to send a report. */
interface Sent {
  id: string;
  now: Date;
  /** Whether a receiver has got it. */
  isSent: boolean;
  /** Why others have not. */
  failure: string | null;
}

/**
 * Records that a report was sent, or given up for those receivers that were refused; it is due next at `dueAt`.
 */
export async function recordSent(db: Db, sent: Sent & { dueAt: Date }): Promise<void> {
  await db.query(
    `update report_schedule set sent_at = case when $3 then $2 else sent_at end, tried_at = $2, failure = $4,
       due_at = $5
     where id = $1`,
    [sent.id, sent.now, sent.isSent, sent.failure, sent.dueAt],
  );
}

/**
 * Records what became of a report that was sent on request: when the one that is due is tried again stays as it was, and
 * so does the failure of one that is overdue, unless there is a newer one.
 */
export async function recordSentNow(db: Db, sent: Sent): Promise<void> {
  await db.query(
    `update report_schedule set sent_at = case when $3 then $2 else sent_at end,
       failure = coalesce($4, case when due_at <= $2 then failure end)
     where id = $1`,
    [sent.id, sent.now, sent.isSent, sent.failure],
  );
}

/** Records that some receivers were refused: the report stays due for these alone. */
export async function recordRefused(db: Db, sent: Sent & { refused: string[] }): Promise<void> {
  await db.query(
    `update report_schedule set sent_at = case when $3 then $2 else sent_at end, tried_at = $2, failure = $4, refused = $5,
       refusals = case when refused_due_at = due_at then refusals else 0 end + 1, refused_due_at = due_at
     where id = $1`,
    [sent.id, sent.now, sent.isSent, sent.failure, sent.refused],
  );
}

/** Records that a report was sent to no receiver. */
export async function recordFailure(
  db: Db,
  failed: { id: string; now: Date; failure: string },
): Promise<void> {
  await db.query('update report_schedule set tried_at = $2, failure = $3 where id = $1', [
    failed.id,
    failed.now,
    failed.failure,
  ]);
}
