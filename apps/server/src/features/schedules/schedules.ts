import { MINUTE_MS } from '@krapao/contract/durations';
import { exports, type SentReport, schedules } from '@krapao/contract/operator';
import type { Mailer, RefusedReceiver } from '../../outside/index.ts';
import { writeAudit } from '../../platform/audit.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, exportBytes } from '../../platform/http/export-file.ts';
import { newId } from '../../platform/ids.ts';
import { addJob, type JobSet } from '../../platform/jobs.ts';
import { lockList } from '../../platform/list-lock.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { reportSource } from '../figures/read.ts';
import { coveredDays, nextDue } from './periods.ts';
import {
  countSchedules,
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listSchedules,
  recordFailure,
  recordRefused,
  recordSent,
  recordSentNow,
  SCHEDULES_MAX,
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
/** A schedule whose report is sent on request, and the id of that mail: none in jobs of earlier versions. */
interface SendRequest {
  id: string;
  mail?: string;
}
const RETRY_MS = 15 * MINUTE_MS;
/** A receiver that was refused so often gets the next report only. */
const REFUSALS_MAX = 5;
const FAILURE_MAX = 300;

const view = ({ id, format, period, language, recipients, by, failure, ...row }: ScheduleRow) => ({
  id,
  format,
  period,
  language,
  recipients,
  by,
  failure,
  // The contract lets no other in.
  report: row.report as SentReport,
  dueAt: row.due_at.toISOString(),
  sentAt: row.sent_at?.toISOString() ?? null,
});

/** Serves the schedules of reports. */
export function scheduleCalls(declare: OperatorDeclare, deps: ScheduleDeps): void {
  const { pool, clock } = deps;
  declare(schedules.listSchedules, async () => ({
    hasMail: deps.mailer !== null,
    schedules: (await listSchedules(pool)).map(view),
  }));
  declare(schedules.addSchedule, ({ body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const now = clock.now();
      await lockList(tx, 'report schedules');
      if ((await countSchedules(tx)) >= SCHEDULES_MAX) throw refuse('LIST_FULL', { max: SCHEDULES_MAX });
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
      if (!deps.mailer) throw refuse('NO_MAIL');
      const trail = { action: 'report.send', subject: entityRef('schedule', params.id) };
      await writeAudit(tx, actor, trail, clock.now());
      const requested: SendRequest = { id: params.id, mail: newId('RS', clock.now()) };
      await addJob(tx, SEND_JOB, requested, { key: `${SEND_JOB}:${params.id}` });
      return { message: 'OK' };
    }),
  );
}

const failureText = (reason: string): string => reason.slice(0, FAILURE_MAX) || 'unknown';

type SendDeps = ScheduleDeps & { mailer: Mailer };

/**
 * Mails the report of a schedule for the period before `at`; returns the receivers that the mail server refused. The
 * message id is that of `mail` and the period.
 */
async function mailReport(
  deps: SendDeps,
  row: ScheduleRow,
  { mail, at, to }: { mail: string; at: Date; to: readonly string[] },
) {
  const { format, period, language } = row;
  const report = row.report as SentReport;
  const days = coveredDays(period, at);
  const bytes = await exportBytes(deps.backgroundReads, await reportSource(deps, report, days), {
    name: report,
    format,
    language,
  });
  const name = `${report}-${days.from}-${days.to}.${format}`;
  const file = { name, type: exports.EXPORT_TYPES[format], bytes };
  return deps.mailer.send({ id: `${mail}.${days.to}`, to, ...mailTexts(report, language, days), file });
}

/**
 * Sends a report and records how that went: for the period that is due, or on request, under the `requested` id of the
 * mail, for the last one, which changes nothing about what is due. A receiver that is refused is tried again alone, {@link REFUSALS_MAX} times in
 * all; the next period is due then. A crash between the mail server's response and the record sends it again after 15 min,
 * under the same message id.
 */
async function send(deps: SendDeps, row: ScheduleRow, requested: string | null): Promise<void> {
  const { backgroundPool: pool, clock } = deps;
  const { id } = row;
  const isDue = requested === null;
  const at = isDue ? row.due_at : clock.now();
  const to = (isDue && row.refused) || row.recipients;
  let refused: RefusedReceiver[];
  try {
    refused = await mailReport(deps, row, { mail: requested ?? id, at, to });
  } catch (error) {
    const failed = { id, now: clock.now(), failure: failureText((error as Error).message) };
    return isDue ? recordFailure(pool, failed) : recordSentNow(pool, { ...failed, isSent: false });
  }
  const reasons = refused.map(({ address, reason }) => `refused for ${address}: ${reason}`).join('; ');
  const failure = refused.length > 0 ? failureText(reasons) : null;
  // A server that takes it for no receiver at all may do so later: the report stays due.
  if (isDue && failure !== null && refused.length === row.recipients.length)
    return recordFailure(pool, { id, now: clock.now(), failure });
  const sent = { id, now: clock.now(), isSent: refused.length < to.length, failure };
  if (!isDue) return recordSentNow(pool, sent);
  if (refused.length === 0 || row.refusals + 1 >= REFUSALS_MAX)
    return recordSent(pool, { ...sent, dueAt: nextDue(row.period, row.due_at) });
  return recordRefused(pool, { ...sent, refused: refused.map(({ address }) => address) });
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
          if (row.may_export) await send({ ...deps, mailer }, row, null);
          else await recordFailure(pool, { id: row.id, now: clock.now(), failure: 'UNAUTHORIZED' });
      },
      [SEND_JOB]: async (payload) => {
        const { id, mail = id } = payload as SendRequest;
        const row = await findSchedule(pool, id);
        if (row && mailer) await send({ ...deps, mailer }, row, mail);
      },
    },
    everyMinute: ['reports.send'],
  };
}
