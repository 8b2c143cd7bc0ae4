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
  /** Whether the operator who added it may still export reports. */
  may_export: boolean;
}

const COLUMNS = `s.id, s.report, s.format, s.period, s.language, s.recipients, o.name as by, s.due_at, s.sent_at, s.failure,
  o.status = 'ACTIVE' and exists (
    select from operator_role r where r.code = o.role and r.permissions @> array['export.read', 'figures.read']) as may_export`;
const SELECT = `select ${COLUMNS} from report_schedule s join operator o on o.id = s.operator_id` as const;

export async function listSchedules(db: Db): Promise<ScheduleRow[]> {
  return (await db.query(`${SELECT} order by s.created_at, s.id limit 500`)).rows;
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

/** Records that a report was sent; it is due next at `dueAt`. */
export async function recordSent(db: Db, sent: { id: string; now: Date; dueAt: Date }): Promise<void> {
  await db.query(
    'update report_schedule set sent_at = $2, tried_at = $2, failure = null, due_at = $3 where id = $1',
    [sent.id, sent.now, sent.dueAt],
  );
}

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
