import { exports, reconciliation } from '@krapao/contract/operator';
import { type Currency, DIFFERENCE_KINDS, fromMinor } from '@krapao/contract/shared';
import { writeAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { choicesOf, chosenOf } from '../../platform/http/choices.ts';
import { countedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { addJob, type JobSet } from '../../platform/jobs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { addDays, dayAt, spanOf } from './days.ts';
import { keepRunAlert, runDue, runSubject } from './run.ts';
import {
  DIFFERENCE_KEYS,
  type DifferenceRow,
  explain,
  exportDifferences,
  listDifferences,
  lockDifference,
} from './run-queries.ts';
import { type NamedRun, readRuns } from './runs.ts';
import { listSources, type Source, type SourceDeps } from './sources.ts';
import { compareDay, RUN_JOB, statementCalls } from './statements.ts';

function getDayOrThrow(day: string): string {
  if (!spanOf(day)) throw new Refusal('INVALID_REQUEST');
  return day;
}

const kindOf = (source: string): Source['kind'] => source.split(':')[0] as Source['kind'];

function runView(row: NamedRun) {
  const money = (minor: bigint) => fromMinor(minor, row.currency);
  return {
    source: row.source,
    name: row.name,
    kind: kindOf(row.source),
    currency: row.currency,
    state: row.state,
    note: row.note,
    file: row.file,
    isRunning: row.is_running,
    theirs: { count: row.their_count, in: money(row.their_in), out: money(row.their_out) },
    ours: { count: row.our_count, in: money(row.our_in), out: money(row.our_out) },
    leftOut: row.left_out,
    open: row.open,
    explained: row.explained,
    comparedTo: row.compared_to?.toISOString() ?? null,
    comparedAt: row.compared_at?.toISOString() ?? null,
  };
}

function sidesOf(row: DifferenceRow) {
  const money = (minor: bigint, currency: Currency) => fromMinor(minor, currency);
  return {
    theirs:
      row.their_reference === null || row.their_amount === null || row.their_at === null
        ? null
        : {
            reference: row.their_reference,
            amount: money(row.their_amount, row.currency),
            at: row.their_at.toISOString(),
            account: row.their_account,
          },
    ours:
      row.our_subject === null
        ? null
        : {
            subject: row.our_subject,
            reference: row.our_reference,
            amount: row.our_amount === null ? null : money(row.our_amount, row.currency),
            at: row.our_at?.toISOString() ?? null,
          },
  };
}

const differenceView = (row: DifferenceRow) => ({
  id: String(row.id),
  source: row.source,
  kind: row.kind,
  direction: row.direction,
  currency: row.currency,
  ...sidesOf(row),
  member: row.member_id === null ? null : { id: String(row.member_id), name: row.member_name ?? '' },
  state: row.state,
  foundAt: row.found_at.toISOString(),
  explainedBy: row.explained_by,
  explainedAt: row.explained_at?.toISOString() ?? null,
  explanation: row.explanation,
});

/** Serves operators the differences. */
export function reconciliationCalls(declare: OperatorDeclare, deps: SourceDeps & ExportDeps): void {
  statementCalls(declare, deps);
  const today = () => dayAt(deps.clock.now());
  const filterOf = (query: { day?: string; source?: string; kind?: string; state?: string }) => ({
    day: getDayOrThrow(query.day ?? addDays(today(), -1)),
    source: choicesOf(query.source),
    kinds: chosenOf(query.kind, DIFFERENCE_KINDS),
    states: chosenOf(query.state, reconciliation.DIFFERENCE_STATES),
  });
  declare(reconciliation.readReconciliation, async ({ query }) => {
    const day = getDayOrThrow(query.day ?? addDays(today(), -1));
    return { day, today: today(), runs: (await readRuns(deps, day)).map(runView) };
  });
  declare(reconciliation.listDifferences, async ({ query }) => {
    const list = { keys: DIFFERENCE_KEYS, standard: 'source' };
    const { rows, page } = await countedPage(query, list, (slice, counted) =>
      listDifferences(deps.reads, filterOf(query), slice, counted),
    );
    return { differences: rows.map(differenceView), ...page };
  });
  declare(exports.exportDifferences, async ({ params, query, actor, reply }) => {
    const wanted = { actor, reply, name: 'differences', ...params, filters: query };
    return sendExport(deps, wanted, exportDifferences(filterOf(query), query.sort ?? 'source'));
  });
  declare(reconciliation.runReconciliation, async ({ body, actor, refuse }) => {
    const day = getDayOrThrow(body.day);
    const sources = await listSources(deps);
    const isKnown = !body.source || sources.some(({ id }) => id === body.source);
    if (day > today() || !isKnown) throw refuse('NO_DATA');
    const intent = { day, ...(body.source ? { source: body.source } : {}) };
    return inTransaction(deps.pool, async (tx) => {
      const subject = body.source
        ? runSubject({ day, source: body.source })
        : entityRef('reconciliation', day);
      await writeAudit(tx, actor, { action: 'reconciliation.run', subject }, deps.clock.now());
      await addJob(tx, RUN_JOB, intent, { key: `${RUN_JOB}:${day}:${body.source ?? ''}` });
      return { message: 'OK' };
    });
  });
  declare(reconciliation.explainDifference, ({ params, body, actor, refuse }) =>
    inTransaction(deps.pool, async (tx) => {
      const id = /^\d{1,18}$/.test(params.id) ? BigInt(params.id) : null;
      const row = id === null ? undefined : await lockDifference(tx, id);
      if (!row || id === null) throw refuse('NO_DATA');
      if (row.state !== 'OPEN') throw refuse('ROW_CHANGED', { state: row.state });
      const now = deps.clock.now();
      const reason = body.reason.trim();
      await explain(tx, id, { operatorId: actor.id, reason, now });
      await keepRunAlert(tx, row, now);
      const auditEntry = {
        action: 'reconciliation.explain',
        subject: runSubject(row),
        before: { state: 'OPEN' },
        after: { state: 'EXPLAINED', difference: String(id) },
        reason,
      };
      await writeAudit(tx, actor, auditEntry, now);
      return { state: 'EXPLAINED', approval: null };
    }),
  );
}

/** The nightly comparison, repeated after a missed night, and those that operators request. */
export function reconciliationJobs(deps: SourceDeps): JobSet {
  return {
    partner: 'reconciliation',
    tasks: {
      'reconciliation.due': () => runDue(deps),
      [RUN_JOB]: async (payload) => {
        const { day, source } = payload as { day: string; source?: string };
        const { failures } = await compareDay(deps, day, source);
        if (failures.length > 0) throw failures[0];
      },
    },
    everyMinute: ['reconciliation.due'],
  };
}
