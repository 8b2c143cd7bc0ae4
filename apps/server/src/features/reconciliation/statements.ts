import { reconciliation } from '@krapao/contract/operator';
import { FILE_MEGABYTES_MAX } from '../../outside/index.ts';
import { actorName, writeAudit } from '../../platform/audit.ts';
import type { Db } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { choicesOf } from '../../platform/http/choices.ts';
import { boundedTotal, countedOf, pageOf, sliceOf } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { BadForm, type Form } from '../../platform/http/form.ts';
import type { Uploads } from '../../platform/http/uploads.ts';
import { addJob } from '../../platform/jobs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { addDays, dayAt } from './days.ts';
import { type DayResult, runDay } from './run.ts';
import { listSources, type SourceDeps } from './sources.ts';
import { keepStatement, type ReadStatement, readStatement, tooLarge } from './statement-file.ts';
import {
  countStatementFiles,
  listStatementFiles,
  lockStatementFile,
  removeStatementFile,
  STATEMENT_KEYS,
  type StatementFileRow,
} from './statement-queries.ts';

/** The job that compares a day anew. */
export const RUN_JOB = 'reconciliation.run';

const PARTS = {
  fileField: 'file',
  fields: ['source'],
  fileBytesMax: FILE_MEGABYTES_MAX * 1024 * 1024,
};
const NAME_MAX = 120;
/** After so long a comparison is tried again that another worker was making. */
const BUSY_MS = 10_000;

export type StatementDeps = SourceDeps & { uploads: Uploads };

/** A file as replies contain it. */
export const statementView = (row: StatementFileRow) => ({
  id: String(row.id),
  source: row.source,
  format: row.format,
  name: row.name,
  from: row.from_day,
  to: row.to_day,
  lines: row.line_count,
  uploadedBy: row.uploaded_by,
  uploadedAt: row.uploaded_at.toISOString(),
  removedAt: row.removed_at?.toISOString() ?? null,
});

/** Has the days of a file compared anew, after `inMs`; days already queued stay queued once. */
export async function compareDays(
  db: Db,
  source: string,
  { from, to }: { from: string; to: string },
  inMs = 0,
): Promise<void> {
  for (let day = from; day <= to; day = addDays(day, 1))
    await addJob(db, RUN_JOB, { day, source }, { key: `${RUN_JOB}:${day}:${source}`, inMs });
}

/**
 * Compares a day anew: every source, or one. A source that another worker is comparing is compared after it, because
 * that comparison may have begun before the file or the booking that this one was requested for.
 */
export async function compareDay(deps: SourceDeps, day: string, source?: string): Promise<DayResult> {
  const result = await runDay(deps, day, source);
  for (const one of result.busy) await compareDays(deps.pool, one, { from: day, to: day }, BUSY_MS);
  return result;
}

const partsOf = (form: Form | null) => {
  const [file, source] = [form?.file, form?.fields.source];
  if (!file || file.bytes.length === 0 || !source) throw new Refusal('INVALID_REQUEST', undefined, 'no file');
  return {
    bytes: file.bytes,
    name: file.name.replaceAll('\0', '').slice(0, NAME_MAX) || 'statement',
    source,
  };
};

/** Takes a statement file for one of our bank accounts. */
export function uploadStatementCall(declare: OperatorDeclare, deps: StatementDeps): void {
  declare(reconciliation.uploadStatement, async ({ request, actor, refuse }) => {
    const by = actorName(actor);
    const take = async (form: Form | null) => {
      const { bytes, name, source: id } = partsOf(form);
      const source = (await listSources(deps)).find((one) => one.id === id && one.kind === 'bank');
      if (!source) throw refuse('NO_DATA');
      return { source, name, read: await readStatement(refuse, bytes, source, dayAt(deps.clock.now())) };
    };
    const { source, name, read } = await deps.uploads
      .receive(request, PARTS, { isGuest: false, key: by }, take)
      .catch((error: unknown) => {
        if (!(error instanceof BadForm)) throw error;
        throw error.tooLarge ? tooLarge(refuse) : new Refusal('INVALID_REQUEST', undefined, error.message);
      });
    const now = deps.clock.now();
    return inTransaction(deps.pool, async (tx) => {
      const stored = await keepStatement(tx, read, { source: source.id, name, by, now });
      if (!stored.isRepeat) {
        await compareDays(tx, source.id, read);
        await writeAudit(tx, actor, auditOf(stored.id, source.id, name, read), now);
      }
      return {
        id: String(stored.id),
        isRepeat: stored.isRepeat,
        format: read.format,
        from: read.from,
        to: read.to,
        lines: read.lines.length,
      };
    });
  });
}

/** The audit entry of a file that was taken. */
export const auditOf = (id: bigint, source: string, name: string, read: ReadStatement) => ({
  action: 'reconciliation.statement',
  subject: entityRef('statement', String(id)),
  after: { source, name, format: read.format, from: read.from, to: read.to, lines: read.lines.length },
});

/** Lists statement files, and takes one out of use. */
export function statementCalls(declare: OperatorDeclare, deps: SourceDeps): void {
  declare(reconciliation.listStatements, async ({ query }) => {
    const counted = countedOf(query);
    const slice = sliceOf(query, STATEMENT_KEYS, '-uploadedAt');
    const source = choicesOf(query.source);
    const [found, count] = await Promise.all([
      listStatementFiles(deps.pool, source, slice),
      countStatementFiles(deps.pool, source, counted),
    ]);
    const { rows, turns } = pageOf(found, slice);
    return { statements: rows.map(statementView), ...boundedTotal(count, counted), ...turns };
  });
  declare(reconciliation.removeStatement, ({ params, body, actor, refuse }) =>
    inTransaction(deps.pool, async (tx) => {
      const id = /^\d{1,18}$/.test(params.id) ? BigInt(params.id) : null;
      const row = id === null ? undefined : await lockStatementFile(tx, id);
      if (!row) throw refuse('NO_DATA');
      if (row.removed_at) throw refuse('ROW_CHANGED', { state: 'REMOVED' });
      const now = deps.clock.now();
      await removeStatementFile(tx, row.id, now);
      await compareDays(tx, row.source, { from: row.from_day, to: row.to_day });
      const auditEntry = {
        action: 'reconciliation.statement-removed',
        subject: entityRef('statement', String(row.id)),
        before: { source: row.source, name: row.name, from: row.from_day, to: row.to_day },
        reason: body.reason.trim(),
      };
      await writeAudit(tx, actor, auditEntry, now);
      return { message: 'OK' };
    }),
  );
}
