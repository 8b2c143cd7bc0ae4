import type { Currency } from '@krapao/contract/shared';
import type { Span } from '../../outside/index.ts';
import { endAlert, keepAlert } from '../../platform/alerts.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import type { EntityRef } from '../../platform/entity-ref.ts';
import { forEachRow } from '../../platform/for-each.ts';
import { newToken } from '../../platform/ids.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { maskAccount } from '../deposits/read.ts';
import type { Difference, Verdict } from './compare.ts';
import { addDays, dayAt, spanOf } from './days.ts';
import { readBeginning } from './queries.ts';
import {
  clearTotals,
  countOpen,
  dropRun,
  endCompared,
  endWithout,
  keepRun,
  listFinished,
  type NewDifference,
  readLastDay,
  replaceOpen,
  takeRun,
} from './run-queries.ts';
import { listSources, NOT_CONFIGURED, ONLY_NOW, type Source, type SourceDeps } from './sources.ts';

/** A crashed comparison is replaced after this time; a long one retains its lock. */
const LEASE_MS = 5 * 60_000;
/** Of a day that is not over, what is younger may still be on its way to us. */
const SETTLE_MS = 2 * 60_000;
/** After midnight so long is waited for the last lines of the day. */
const NIGHT_MS = 15 * 60_000;
/** Nights that were missed are made good, so many at most. */
const NIGHTS_MAX = 7;
const SILENT_TRIES = 3;

interface Run {
  day: string;
  source: string;
}

/** How a run is named in alerts and the audit trail. */
export const runSubject = ({ day, source }: Run): EntityRef => `reconciliation:${day}:${source}`;

/** The part of a day that can be compared by now; null when none of it can. */
function overOf(day: string, now: Date): Span | null {
  const span = spanOf(day);
  const settled = new Date(now.getTime() - SETTLE_MS);
  if (!span || settled <= span.from) return null;
  return { from: span.from, to: settled < span.to ? settled : span.to };
}

const maskOf = (account: string): string | null =>
  account === '' ? null : /^\d{5,}$/.test(account) ? maskAccount(account) : account;

function rowOf({ kind, mark, theirs, ours }: Difference): NewDifference {
  return {
    kind,
    mark,
    direction: (theirs ?? ours)!.direction,
    their_reference: theirs?.reference ?? null,
    their_amount: theirs?.amountMinor ?? null,
    their_at: theirs?.at ?? null,
    their_account: theirs ? maskOf(theirs.account) : null,
    our_subject: ours?.subject ?? null,
    our_reference: ours?.references[0] ?? theirs?.ours ?? null,
    our_amount: ours?.isOpen ? null : (ours?.amountMinor ?? null),
    our_at: ours?.until ?? null,
    member_id: ours?.memberId ?? null,
  };
}

/**
 * The day's alert states how many differences are open, and ends with the last of them. The caller has locked the run,
 * so that two who end differences at once do not both count the other's.
 */
export async function keepRunAlert(tx: PoolClient, run: Run, now: Date): Promise<void> {
  const open = await countOpen(tx, run);
  const subject = runSubject(run);
  if (open === 0) await endAlert(tx, 'reconciliation', subject, now);
  else await keepAlert(tx, { kind: 'reconciliation', subject, detail: String(open) }, now);
}

/**
 * Ends the alert of a silent partner, who is not queried about the day any more, and what an earlier comparison found,
 * with its alert: its statement file was taken out of use. A day that has only grown too old, or whose partner's settings
 * are missing, keeps what was found.
 */
async function endUncompared(
  tx: PoolClient,
  run: Run & { currency: Currency },
  note: string,
  now: Date,
): Promise<void> {
  await endAlert(tx, 'reconciliation-silent', runSubject(run), now);
  if (note === ONLY_NOW || note === NOT_CONFIGURED) return;
  await clearTotals(tx, run);
  await replaceOpen(tx, run, [], now);
  await keepRunAlert(tx, run, now);
}

async function writeVerdict(
  deps: SourceDeps,
  source: Source,
  run: Run,
  token: string,
  { verdict, to }: { verdict: Verdict; to: Date },
): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.pool, async (tx) => {
    const whole = { ...run, currency: source.currency };
    if (verdict.state !== 'COMPARED') {
      const end = { token, ...verdict, to: verdict.note === NOT_CONFIGURED ? null : to };
      const tried = await endWithout(tx, run, end);
      if (tried === null) return;
      if (verdict.state === 'NOT_OFFERED') return endUncompared(tx, whole, verdict.note, now);
      const silent = {
        kind: 'reconciliation-silent',
        subject: runSubject(run),
        detail: verdict.note,
      } as const;
      if (tried >= SILENT_TRIES) await keepAlert(tx, silent, now);
      return;
    }
    if (!(await endCompared(tx, run, { token, ...verdict, to, now }))) return;
    await replaceOpen(tx, whole, verdict.differences.map(rowOf), now);
    await keepRunAlert(tx, run, now);
    await endAlert(tx, 'reconciliation-silent', runSubject(run), now);
  });
}

/** The note of a comparison that failed in this server. */
const failureNote = (error: unknown): string => `the comparison failed: ${String(error)}`;

/**
 * Compares one source on one day, unless another worker does so now. The partner is queried outside any transaction; the
 * result takes the place of the last one. Without `isWanted` only what was not compared yet. False when it is to be
 * compared and another worker does so, perhaps by what was there before. A comparison that throws ends the run as
 * UNKNOWN before the error goes on to the caller, so that it is tried again later and later, and operators are alerted.
 */
async function runSource(deps: SourceDeps, source: Source, day: string, isWanted: boolean): Promise<boolean> {
  const now = deps.clock.now();
  const over = overOf(day, now);
  if (!over) return true;
  const run = { day, source: source.id };
  const token = newToken();
  const by = { token, leaseMs: LEASE_MS, now, isWanted };
  if (!(await takeRun(deps.pool, { ...run, currency: source.currency }, by))) return false;
  const write = (verdict: Verdict) => writeVerdict(deps, source, run, token, { verdict, to: over.to });
  try {
    await write(await source.compare(over, () => keepRun(deps.pool, run, by)));
  } catch (error) {
    await write({ state: 'UNKNOWN', note: failureNote(error) }).catch(() => dropRun(deps.pool, run, token));
    throw error;
  }
  return true;
}

/** How a day was compared: the sources that another worker was comparing, and what failed. */
export interface DayResult {
  busy: string[];
  /** The errors of comparisons that failed in this server; their runs are UNKNOWN. */
  failures: unknown[];
}

/** Compares a day again: every source, or one. A source that fails stops no other. */
export async function runDay(deps: SourceDeps, day: string, source?: string): Promise<DayResult> {
  const result: DayResult = { busy: [], failures: [] };
  for (const one of await listSources(deps)) {
    if (source && one.id !== source) continue;
    try {
      if (!(await runSource(deps, one, day, true))) result.busy.push(one.id);
    } catch (error) {
      result.failures.push(error);
    }
  }
  return result;
}

/** The nights that should have been compared by now, oldest first. */
async function dueDays(deps: SourceDeps): Promise<string[]> {
  const beginning = await readBeginning(deps.pool);
  if (!beginning) return [];
  const yesterday = addDays(dayAt(new Date(deps.clock.now().getTime() - NIGHT_MS)), -1);
  const last = await readLastDay(deps.pool);
  const first = [dayAt(beginning), addDays(yesterday, 1 - NIGHTS_MAX)].toSorted().at(-1)!;
  const days = [];
  // Without any comparison so far only last night counts: an installation that learns to compare does not dig.
  for (let day = last === null ? yesterday : first; day <= yesterday; day = addDays(day, 1))
    if (day >= first) days.push(day);
  return days;
}

/**
 * The nightly comparison: whatever of the past nights was not compared yet, each source once among all instances. A
 * source that fails stops no other source and no other day; throws the first failure at the end.
 */
export async function runDue(deps: SourceDeps): Promise<void> {
  const days = await dueDays(deps);
  if (days.length === 0) return;
  const sources = await listSources(deps);
  const finished = await listFinished(deps.pool, days);
  const due = days.flatMap((day) => sources.map((source) => ({ day, source })));
  await forEachRow(
    due.filter(({ day, source }) => !finished.has(`${day} ${source.id}`)),
    ({ day, source }) => runSource(deps, source, day, false),
  );
}
