import { PassThrough, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { exports } from '@krapao/contract/operator';
import type { Language } from '@krapao/contract/shared';
import type { FastifyReply } from 'fastify';
import { type Actor, actorName, writeAudit } from '../audit.ts';
import { exportQuery } from '../backup/csv.ts';
import type { Budgets } from '../budget.ts';
import type { Clock } from '../clock.ts';
import type { Pool, Reads } from '../database/db.ts';
import { type Page, type PageSource, readPages } from '../database/pages.ts';
import { entityRef } from '../entity-ref.ts';
import { beginDownload } from './download.ts';
import { headingOf } from './export-headings.ts';

export interface ExportDeps {
  pool: Pool;
  /** Reads of lists. */
  reads: Reads;
  /** Reads that may take their time. */
  backgroundReads: Reads;
  clock: Clock;
  budgets: Pick<Budgets, 'operatorExports'>;
}

/** What is exported: rows of a query whose columns bear the file's headings; sealed columns are never among them. */
export type ExportSource = PageSource;

interface Wanted {
  actor: Actor;
  reply: FastifyReply;
  /** What the trail and the file call it. */
  name: string;
  format: keyof typeof exports.EXPORT_TYPES;
  /** As they were requested, with the language of a workbook's headings: English by default. */
  filters: { language?: Language };
}

/** What the file is called, its format, and the language of a workbook's headings; a CSV file has the columns' names. */
interface FileTerms extends Pick<Wanted, 'name' | 'format'> {
  language: Language;
}

/** Money of a column in minor units as a figure, as SQL. */
export const moneySql = <const Amount extends string, const Unit extends string>(
  amount: Amount,
  currency: Unit,
) =>
  `round(${amount} / case ${currency} when 'BAHT' then 100.0 else 1 end, case ${currency} when 'BAHT' then 2 else 0 end)` as const;

/** A moment as Bangkok's clocks showed it, YYYY-MM-DD HH:MM:SS: spreadsheets know it for a time. As SQL. */
export const timeSql = <const Column extends string>(column: Column) =>
  `to_char(${column} at time zone 'Asia/Bangkok', 'YYYY-MM-DD HH24:MI:SS')` as const;

type Heading = Page['columns'][number];
type CellValue = string | number | Date | null;

/** What columns of times and of days are called, as {@link timeSql} and the reports write them. */
const TIME_NAME = /^(?:at|\w+_at)$/;
const DAY_NAME = /^(?:day|week)$/;
const TIME_VALUE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;

/** How a spreadsheet shows a column: times and days as such, wide enough to be read. */
const shownAs = ({ name, isNumber }: Heading, heading: string) => {
  const wide = (least: number) => ({ width: Math.max(least, heading.length + 2) });
  if (TIME_NAME.test(name)) return { numFmt: 'dd/mm/yyyy hh:mm:ss', ...wide(20) };
  if (DAY_NAME.test(name)) return { numFmt: 'dd/mm/yyyy', ...wide(12) };
  return wide(isNumber ? 14 : 18);
};

/** A figure as a number, a time of Bangkok's clocks as a date, all else as text that no spreadsheet runs or shortens. */
function cellOf(value: string | null, heading: Heading | undefined): CellValue {
  if (value === null || !heading) return value;
  if (heading.isNumber && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER) return Number(value);
  const isTime = TIME_NAME.test(heading.name) || DAY_NAME.test(heading.name);
  const [, day, time = '00:00:00'] = (isTime && TIME_VALUE.exec(value)) || [];
  // Spreadsheets know no time zones: what is read is what Bangkok's clocks showed.
  return day ? new Date(`${day}T${time}Z`) : value;
}

/** Rows for a workbook, the headings first. */
async function* workbookRows(
  headings: string[],
  first: Page,
  others: AsyncIterable<Page>,
): AsyncGenerator<CellValue[]> {
  yield headings;
  const cells = ({ columns, rows }: Page) =>
    rows.map((row) => row.map((value, at) => cellOf(value, columns[at])));
  yield* cells(first);
  for await (const page of others) yield* cells(page);
}

async function xlsxOf(reads: Reads, source: ExportSource, { name, language }: FileTerms): Promise<Readable> {
  // Loaded with the first workbook: most processes never write one.
  const { writeXlsxStream } = await import('hucre/xlsx');
  const pages = readPages(reads, source)[Symbol.asyncIterator]();
  // There is at least one page, which names the columns.
  const first: Page = (await pages.next()).value;
  const others = { [Symbol.asyncIterator]: () => pages };
  const headings = first.columns.map((column) =>
    headingOf(column.name, language, TIME_NAME.test(column.name)),
  );
  const columns = first.columns.map((column, at) => shownAs(column, headings[at]!));
  const file = writeXlsxStream(workbookRows(headings, first, others), {
    name,
    columns,
    freezePane: { rows: 1 },
  });
  return Readable.fromWeb(file as unknown as ReadableStream);
}

function csvOf(reads: Reads, source: ExportSource): Readable {
  const sink = new PassThrough();
  exportQuery(reads, source, sink).then(
    () => sink.end(),
    (error: Error) => sink.destroy(error),
  );
  return sink;
}

const fileOf = (reads: Reads, source: ExportSource, terms: FileTerms) =>
  terms.format === 'xlsx' ? xlsxOf(reads, source, terms) : csvOf(reads, source);

/** Returns a file of few rows, such as a report, whole. */
export async function exportBytes(reads: Reads, source: ExportSource, file: FileTerms): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await fileOf(reads, source, file)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/**
 * Streams rows as a file, memory flat; the trail says who took what before the first byte leaves. One at a time for
 * an operator, then REQUEST_LIMIT; Overloaded while too many others are under way.
 */
export async function sendExport(deps: ExportDeps, wanted: Wanted, source: ExportSource): Promise<string> {
  const { actor, reply, name, format } = wanted;
  const { language = 'en', ...filters } = wanted.filters;
  beginDownload(reply, deps.budgets.operatorExports, actorName(actor));
  const auditEntry = { action: 'export', subject: entityRef('export', name), after: { format, ...filters } };
  await writeAudit(deps.pool, actor, auditEntry, deps.clock.now());
  const file = await fileOf(deps.backgroundReads, source, { name, format, language });
  reply
    .type(exports.EXPORT_TYPES[format])
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.${format}"`);
  // The file takes the place of the text that the call's declaration names.
  return file as unknown as string;
}
