import { DAY_MS } from '@krapao/contract/durations';
import { exports, FIGURES_DAYS_MAX, figures } from '@krapao/contract/operator';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, type ExportSource, sendExport } from '../../platform/http/export-file.ts';
import { Refusal } from '../../platform/refusal.ts';
import { addDays, dayAt, spanOf } from '../reconciliation/read.ts';
import {
  type Days,
  exportLiabilities,
  exportReport,
  findEntries,
  type LedgerSumRow,
  listByAgent,
  listByChannel,
  listByGame,
  listByHour,
  listBySource,
  listCash,
  listCohorts,
  listCosts,
  listLiabilities,
  listWaiting,
  type Report,
  sumMoved,
} from './queries.ts';

const DAYS = 7;

interface Wanted {
  /** As the answer names them, both included. */
  days: { from: string; to: string };
  span: Days;
}

/** Returns the days of an address, the last week without one; throws INVALID_REQUEST for none at all or too many. */
export function requireDays(
  { clock }: Pick<ExportDeps, 'clock'>,
  query: { from?: string; to?: string },
): { days: Wanted['days']; from: Date; to: Date } {
  const to = query.to ?? dayAt(clock.now());
  const end = spanOf(to);
  if (!end) throw new Refusal('INVALID_REQUEST');
  const from = query.from ?? addDays(to, 1 - DAYS);
  const begin = spanOf(from);
  if (!begin) throw new Refusal('INVALID_REQUEST');
  requireSpan(begin.from, end.to);
  return { days: { from, to }, from: begin.from, to: end.to };
}

/** Throws INVALID_REQUEST for an end that is not after the begin, or more days than a report covers. */
export function requireSpan(from: Date, to: Date): void {
  const count = (to.getTime() - from.getTime()) / DAY_MS;
  if (count <= 0 || count > FIGURES_DAYS_MAX) throw new Refusal('INVALID_REQUEST');
}

/** Returns the days of an address with the ledger's entries in them, as `requireDays` does. */
async function daysOf(
  deps: Pick<ExportDeps, 'backgroundReads' | 'clock'>,
  query: { from?: string; to?: string },
): Promise<Wanted> {
  const { days, from, to } = requireDays(deps, query);
  return { days, span: await findEntries(deps.backgroundReads, { from, to }) };
}

/** What members were credited with by deposits of every kind, wherever the money had lain before. */
const CREDITED = {
  accounts: ['bank:%', 'gift', 'unmatched'],
  kinds: ['deposit\\_auto', 'deposit\\_qr', 'deposit\\_slip', 'deposit\\_gift', 'deposit\\_assigned'],
};
const GAME_RESULTS = { accounts: ['game\\_result:%'], kinds: ['%'] };
const MANUAL = { accounts: ['manual'], kinds: ['%'] };
const AT_BANKS = { accounts: ['bank:%', 'gift'], kinds: ['%'] };

const PROMOTIONS = { accounts: ['bonus\\_cost', 'invite\\_cost', 'refund\\_cost'], kinds: ['%'] };

const money = (minor: bigint, currency: Currency): number => fromMinor(minor, currency);
const turned = (rows: readonly LedgerSumRow[], sign: 1n | -1n) =>
  rows.map(({ currency, amount }) => ({ currency, amount: money(sign * amount, currency) }));

function moneyCalls(declare: OperatorDeclare, deps: ExportDeps): void {
  const reads = deps.backgroundReads;
  declare(figures.readCash, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    const [rows, sums] = await Promise.all([listCash(reads, span), sumMoved(reads, span, AT_BANKS)]);
    return {
      ...days,
      ledger: turned(sums, -1n),
      rows: rows.map((row) => ({
        day: row.day,
        currency: row.currency,
        deposits: money(row.deposits, row.currency),
        unmatched: money(row.unmatched, row.currency),
        withdrawals: money(row.withdrawals, row.currency),
        sentBack: money(row.sent_back, row.currency),
        cameBack: money(row.came_back, row.currency),
        net: money(row.net, row.currency),
      })),
    };
  });
  declare(figures.readChannels, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    const [rows, sums] = await Promise.all([listByChannel(reads, span), sumMoved(reads, span, CREDITED)]);
    return {
      ...days,
      ledger: turned(sums, -1n),
      rows: rows.map((row) => ({ ...row, amount: money(row.amount, row.currency) })),
    };
  });
  declare(figures.readGames, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    const [rows, sums] = await Promise.all([listByGame(reads, span), sumMoved(reads, span, GAME_RESULTS)]);
    return {
      ...days,
      ledger: turned(sums, 1n),
      rows: rows.map(({ game, name, currency, ...row }) => ({
        game,
        name,
        currency,
        movedIn: money(row.moved_in, currency),
        movedOut: money(row.moved_out, currency),
        result: money(row.result, currency),
      })),
    };
  });
}

function timeCalls(declare: OperatorDeclare, deps: ExportDeps): void {
  const reads = deps.backgroundReads;
  declare(figures.readHours, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    const [rows, sums] = await Promise.all([listByHour(reads, span), sumMoved(reads, span, CREDITED)]);
    return {
      ...days,
      ledger: turned(sums, -1n),
      rows: rows.map((row) => ({ ...row, amount: money(row.amount, row.currency) })),
    };
  });
  declare(figures.readLiabilities, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    const rows = await listLiabilities(reads, span);
    return {
      ...days,
      rows: rows.map((row) => ({
        ...row,
        members: money(row.members, row.currency),
        unmatched: money(row.unmatched, row.currency),
      })),
    };
  });
  declare(figures.readWaiting, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    const rows = await listWaiting(reads, span);
    return {
      ...days,
      rows: rows.map(({ manual_median: manualMedian, ...row }) => ({ ...row, manualMedian })),
    };
  });
  declare(exports.exportLiabilities, async ({ params, query, actor, reply }) => {
    const { days } = await daysOf(deps, query);
    const source = await reportSource(deps, 'liabilities', days);
    return sendExport(deps, { actor, reply, name: 'liabilities', ...params, filters: query }, source);
  });
}

function costCall(declare: OperatorDeclare, deps: ExportDeps): void {
  const reads = deps.backgroundReads;
  declare(figures.readCosts, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    const [rows, sums] = await Promise.all([listCosts(reads, span), sumMoved(reads, span, PROMOTIONS)]);
    return {
      ...days,
      ledger: turned(sums, -1n),
      rows: rows.map((row) => ({
        ...row,
        granted: money(row.granted, row.currency),
        taken: money(row.taken, row.currency),
        cost: money(row.cost, row.currency),
      })),
    };
  });
}

function peopleCalls(declare: OperatorDeclare, deps: ExportDeps): void {
  const reads = deps.backgroundReads;
  declare(figures.readSources, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    const [rows, sums] = await Promise.all([listBySource(reads, span), sumMoved(reads, span, CREDITED)]);
    return {
      ...days,
      ledger: turned(sums, -1n),
      rows: rows.map((row) => ({ ...row, deposits: money(row.deposits, row.currency) })),
    };
  });
  declare(figures.readRetention, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    return { ...days, rows: await listCohorts(reads, span, deps.clock.now()) };
  });
  declare(figures.readAgents, async ({ query }) => {
    const { days, span } = await daysOf(deps, query);
    const [rows, sums] = await Promise.all([listByAgent(reads, span), sumMoved(reads, span, MANUAL)]);
    return {
      ...days,
      ledger: turned(sums, -1n),
      rows: rows.map(({ pay_ins: payIns, entries, ...row }) => ({
        ...row,
        payIns,
        entries: money(entries, row.currency),
      })),
    };
  });
}

const FILES = {
  cash: exports.exportCash,
  channels: exports.exportChannels,
  hours: exports.exportHours,
  waiting: exports.exportWaiting,
  games: exports.exportGames,
  sources: exports.exportSources,
  retention: exports.exportRetention,
  costs: exports.exportCosts,
  agents: exports.exportAgents,
} as const satisfies Record<Report, unknown>;

/** Returns the rows of a report over some days, both included, for a file. */
export async function reportSource(
  deps: Pick<ExportDeps, 'backgroundReads' | 'clock'>,
  report: Report | 'liabilities',
  days: { from: string; to: string },
): Promise<ExportSource> {
  const { span } = await daysOf(deps, days);
  return report === 'liabilities'
    ? exportLiabilities(deps.backgroundReads, span)
    : exportReport(report, span, deps.clock.now());
}

function fileCalls(declare: OperatorDeclare, deps: ExportDeps): void {
  for (const [name, call] of Object.entries(FILES))
    declare(call as (typeof FILES)['cash'], async ({ params, query, actor, reply }) => {
      const { days } = await daysOf(deps, query);
      const source = await reportSource(deps, name as Report, days);
      return sendExport(deps, { actor, reply, name, ...params, filters: query }, source);
    });
}

/** Answers the reports over days. */
export function figureCalls(declare: OperatorDeclare, deps: ExportDeps): void {
  moneyCalls(declare, deps);
  timeCalls(declare, deps);
  costCall(declare, deps);
  peopleCalls(declare, deps);
  fileCalls(declare, deps);
}
