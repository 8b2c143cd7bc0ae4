import { MINUTE_MS } from '@krapao/contract/durations';
import { exports, type SentReport, schedules } from '@krapao/contract/operator';
import type { Mailer } from '../../outside/index.ts';
import { writeAudit } from '../../platform/audit.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, exportBytes } from '../../platform/http/export-file.ts';
import { newId } from '../../platform/ids.ts';
import { addJob, type JobSet } from '../../platform/jobs.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { reportSource } from '../figures/read.ts';
import { coveredDays, nextDue } from './periods.ts';
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listSchedules,
  recordFailure,
  recordSent,
  type ScheduleRow,
  takeDue,
} from './queries.ts';
import { mailTexts } from './texts.ts';

export interface ScheduleDeps extends ExportDeps {
  backgroundPool: Pool;
  /** Null: nothing is sent. */
  mailer: Mailer | null;
}

const SEND_JOB = 'reports.sendNow';
const RETRY_MS = 15 * MINUTE_MS;
const FAILURE_MAX = 300;

const view = ({ due_at: dueAt, sent_at: sentAt, may_export: _, ...row }: ScheduleRow) => ({
  ...row,
  // The contract lets no other in.
  report: row.report as SentReport,
  dueAt: dueAt.toISOString(),
  sentAt: sentAt?.toISOString() ?? null,
});

/** Serves the schedules of reports. */
export function scheduleCalls(declare: OperatorDeclare, deps: ScheduleDeps): void {
  const { pool, clock } = deps;
  declare(schedules.listSchedules, async () => ({
    hasMail: deps.mailer !== null,
    schedules: (await listSchedules(pool)).map(view),
  }));
  declare(schedules.addSchedule, ({ body, actor }) =>
    inTransaction(pool, async (tx) => {
      const now = clock.now();
      const id = newId('RS', now);
      const dueAt = nextDue(body.period, now);
      await insertSchedule(tx, { id, ...body, operatorId: actor.id, now, dueAt });
      const trail = { action: 'report.schedule', subject: entityRef('schedule', id), after: body };
      await writeAudit(tx, actor, trail, now);
      return { id };
    }),
  );
  declare(schedules.removeSchedule, ({ params, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const before = await findSchedule(tx, params.id);
      if (!before || !(await deleteSchedule(tx, params.id))) throw refuse('NO_DATA');
      const { report, format, period, recipients } = before;
      const trail = { action: 'report.unschedule', subject: entityRef('schedule', params.id) };
      await writeAudit(tx, actor, { ...trail, before: { report, format, period, recipients } }, clock.now());
      return { message: 'OK' };
    }),
  );
  declare(schedules.sendSchedule, ({ params, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      if (!(await findSchedule(tx, params.id))) throw refuse('NO_DATA');
      const trail = { action: 'report.send', subject: entityRef('schedule', params.id) };
      await writeAudit(tx, actor, trail, clock.now());
      await addJob(tx, SEND_JOB, { id: params.id }, { key: `${SEND_JOB}:${params.id}` });
      return { message: 'OK' };
    }),
  );
}

/**
 * Sends the report of a schedule for the period before `at`, and records how that went. A crash between the mail
 * server's response and the record sends it again after 15 min, under the same message id.
 */
async function send(
  deps: ScheduleDeps & { mailer: Mailer },
  row: ScheduleRow,
  at: Date,
  dueAt: Date,
): Promise<void> {
  const { backgroundPool: pool, clock, mailer } = deps;
  const { id, format, period, recipients, language } = row;
  const report = row.report as SentReport;
  const days = coveredDays(period, at);
  try {
    const bytes = await exportBytes(deps.backgroundReads, await reportSource(deps, report, days), {
      name: report,
      format,
      language,
    });
    await mailer.send({
      id: `${id}.${days.to}`,
      to: recipients,
      ...mailTexts(report, language, days),
      file: {
        name: `${report}-${days.from}-${days.to}.${format}`,
        type: exports.EXPORT_TYPES[format],
        bytes,
      },
    });
  } catch (error) {
    const failure = (error as Error).message.slice(0, FAILURE_MAX) || 'unknown';
    return recordFailure(pool, { id, now: clock.now(), failure });
  }
  await recordSent(pool, { id, now: clock.now(), dueAt });
}

/**
 * Sends reports that are due, and those that operators want at once. A missed one is sent late, for its own period. One
 * whose operator was suspended or may not export any more is not sent: it waits until a colleague adds it again.
 */
export function scheduleJobs(deps: ScheduleDeps): JobSet {
  const { backgroundPool: pool, clock, mailer } = deps;
  return {
    partner: 'mail',
    tasks: {
      'reports.send': async () => {
        if (!mailer) return;
        const take = () => takeDue(pool, clock.now(), new Date(clock.now().getTime() - RETRY_MS));
        for (let row = await take(); row; row = await take())
          if (row.may_export)
            await send({ ...deps, mailer }, row, row.due_at, nextDue(row.period, row.due_at));
          else await recordFailure(pool, { id: row.id, now: clock.now(), failure: 'UNAUTHORIZED' });
      },
      [SEND_JOB]: async (payload) => {
        const row = await findSchedule(pool, (payload as { id: string }).id);
        if (row && mailer) await send({ ...deps, mailer }, row, clock.now(), row.due_at);
      },
    },
    everyMinute: ['reports.send'],
  };
}
