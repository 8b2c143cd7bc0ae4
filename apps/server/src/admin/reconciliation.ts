import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Currency } from '@krapao/contract/shared';
import {
  addDays,
  auditOf,
  compareDay,
  DIFFERENCE_KEYS,
  type DifferenceRow,
  dayAt,
  keepStatement,
  listDifferences,
  listSources,
  type RunRow,
  readRuns,
  readStatement,
  spanOf,
} from '../features/reconciliation/read.ts';
import { partners } from '../partners.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { choicesOf } from '../platform/http/choices.ts';
import { sliceOf } from '../platform/http/cursor.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import { inTransaction } from '../platform/transaction.ts';
import {
  type AdminDeps,
  actor,
  amountText,
  audit,
  type Command,
  CommandError,
  command,
  timeText,
  withCommandError,
} from './command.ts';

const DIFFERENCES_MAX = 10_000;

const money = (minor: bigint | null, currency: Currency): string =>
  minor === null ? '-' : amountText(minor, currency);

function runLine(run: RunRow): string {
  if (run.state === 'WAITING') return `${run.source}  not compared`;
  if (run.state === 'NOT_OFFERED') return `${run.source}  cannot be compared: ${run.note}`;
  if (run.state === 'UNKNOWN') return `${run.source}  UNKNOWN, not compared: ${run.note}`;
  const side = (count: number, came: bigint, went: bigint) =>
    `${count} (in ${money(came, run.currency)}, out ${money(went, run.currency)})`;
  const theirs = side(run.their_count, run.their_in, run.their_out);
  const ours = side(run.our_count, run.our_in, run.our_out);
  const rest = [
    `${run.open} open`,
    `${run.explained} explained`,
    ...(run.left_out > 0 ? [`${run.left_out} left out: money was moving`] : []),
  ].join(', ');
  return `${run.source}  theirs ${theirs}  ours ${ours}  ${rest}`;
}

function differenceLine(row: DifferenceRow): string {
  const at = row.their_at ?? row.our_at;
  return [
    `  ${row.kind}`,
    row.source,
    row.direction,
    `theirs ${row.their_reference ?? '-'} ${money(row.their_amount, row.currency)}`,
    `ours ${row.our_subject ?? '-'} ${money(row.our_amount, row.currency)}`,
    at ? timeText(at) : '',
  ].join('  ');
}

/** Reads the bytes of a file; throws CommandError. */
function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new CommandError(`${file} cannot be read.`);
  }
}

/** Takes a statement file and compares its days. */
async function takeStatement(deps: AdminDeps, id: string, file: string): Promise<string[]> {
  const withPartners = { ...deps, ...partners(deps.config, deps.settings) };
  const banks = (await listSources(withPartners)).filter(({ kind }) => kind === 'bank');
  const source = banks.find((one) => one.id === id);
  if (!source) throw new CommandError(`${id} is none of: ${banks.map((one) => one.id).join(', ')}.`);
  const [now, name] = [deps.clock.now(), basename(file)];
  const { read, kept } = await withCommandError(async () => {
    const read = await readStatement(refuseAny, bytesOf(file), source, dayAt(now));
    const kept = await inTransaction(deps.pool, async (tx) => {
      const kept = await keepStatement(tx, read, { source: id, name, by: actor(), now });
      if (!kept.isRepeat) await audit(tx, deps, auditOf(kept.id, id, name, read));
      return kept;
    });
    return { read, kept };
  });
  if (kept.isRepeat) return [`This file was taken before as statement ${kept.id}; nothing was changed.`];
  const [later, failed]: [string[], string[]] = [[], []];
  for (let day = read.from; day <= read.to; day = addDays(day, 1)) {
    const { busy, failures } = await compareDay(withPartners, day, id);
    if (busy.length > 0) later.push(day);
    if (failures.length > 0) failed.push(day);
  }
  const taken = `Statement ${kept.id}: ${read.lines.length} entries from ${read.from} to ${read.to}, ${read.format}`;
  if (failed.length > 0)
    throw new CommandError(`${taken}; comparing ${failed.join(', ')} failed and is UNKNOWN: see reconcile.`);
  return later.length === 0
    ? [`${taken}; its days were compared.`]
    : [`${taken}; a server is comparing ${later.join(', ')} and does so again with this file.`];
}

export const commands: Record<string, Command> = {
  reconcile: command({
    usage: '<day>',
    about:
      "hold the books of a day, YYYY-MM-DD, against the partners'; exit code 1 when something does not agree or is unknown",
    async run(deps, [day]) {
      if (!spanOf(day)) throw new CommandError(`${day} is no day; write it as YYYY-MM-DD.`);
      if (day > dayAt(deps.clock.now())) throw new CommandError(`${day} has not begun.`);
      await audit(deps.pool, deps, {
        action: 'reconciliation.run',
        subject: entityRef('reconciliation', day),
      });
      const withPartners = { ...deps, ...partners(deps.config, deps.settings) };
      const { busy } = await compareDay(withPartners, day);
      const runs = await readRuns(withPartners, day);
      const filter = { day, source: choicesOf(undefined), kinds: null, states: ['OPEN'] };
      const slice = sliceOf({ limit: DIFFERENCES_MAX }, DIFFERENCE_KEYS, 'source');
      const { rows } = await listDifferences(deps.pool, filter, slice, 1);
      const isUnknown =
        busy.length > 0 || runs.some(({ state }) => state === 'UNKNOWN' || state === 'WAITING');
      const verdict =
        rows.length > 0
          ? `${rows.length} open differences:`
          : isUnknown
            ? 'Not everything could be compared.'
            : 'Everything agrees.';
      return {
        lines: [...runs.map(runLine), verdict, ...rows.map(differenceLine)],
        failed: rows.length > 0 || isUnknown,
      };
    },
  }),
  statement: command({
    usage: '<source> <file>',
    about:
      'compare the days of a bank account, such as bank:SCB:2223334445, with a statement file in CSV, MT940 or camt.053; books nothing',
    run: (deps, [source, file]) => takeStatement(deps, source, file),
  }),
};
