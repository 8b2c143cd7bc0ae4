import type { Currency } from '@krapao/contract/shared';
import {
  type DifferenceRow,
  dayAt,
  listDifferences,
  type RunRow,
  readRuns,
  runDay,
  spanOf,
} from '../features/reconciliation/read.ts';
import { partners } from '../partners.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { amountText, audit, type Command, CommandError, command, timeText } from './command.ts';

const DIFFERENCES_MAX = 10_000;

const money = (minor: bigint | null, currency: Currency): string =>
  minor === null ? '-' : amountText(minor, currency);

function runLine(run: RunRow): string {
  if (run.state === 'WAITING') return `${run.source}  not compared`;
  if (run.state === 'NOT_OFFERED') return `${run.source}  cannot be compared: ${run.note}`;
  if (run.state === 'UNKNOWN') return `${run.source}  UNKNOWN, the partner gave no answer: ${run.note}`;
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
      await runDay(withPartners, day);
      const runs = await readRuns(withPartners, day);
      const filter = { day, source: null, state: 'OPEN' };
      const { rows } = await listDifferences(deps.pool, filter, {
        sort: null,
        limit: DIFFERENCES_MAX,
        offset: 0,
      });
      const isUnknown = runs.some(({ state }) => state === 'UNKNOWN' || state === 'WAITING');
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
};
