import { PassThrough, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { exports } from '@krapao/contract/operator';
import type { FastifyReply } from 'fastify';
import { type Actor, actorName, writeAudit } from '../audit.ts';
import { exportQuery } from '../backup/csv.ts';
import type { Budgets } from '../budget.ts';
import type { Clock } from '../clock.ts';
import type { Pool } from '../database/db.ts';
import { type PageSource, readPages } from '../database/pages.ts';
import { entityRef } from '../entity-ref.ts';
import { beginDownload } from './download.ts';

export interface ExportDeps {
  pool: Pool;
  /** A pool whose statements may take their time. */
  backgroundPool: Pool;
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
  /** As they were asked for. */
  filters: object;
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

/** Rows for a workbook: figures as numbers, all else as text that no spreadsheet runs or shortens. */
async function* workbookRows(pool: Pool, source: ExportSource): AsyncGenerator<(string | number | null)[]> {
  let isFirst = true;
  for await (const { columns, rows } of readPages(pool, source)) {
    if (isFirst) yield columns.map(({ name }) => name);
    isFirst = false;
    for (const row of rows)
      yield row.map((value, at) =>
        value !== null && columns[at]?.isNumber && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER
          ? Number(value)
          : value,
      );
  }
}

async function xlsxOf(pool: Pool, source: ExportSource, name: string): Promise<Readable> {
  // Loaded with the first workbook: most processes never write one.
  const { writeXlsxStream } = await import('hucre/xlsx');
  const file = writeXlsxStream(workbookRows(pool, source), { name, freezePane: { rows: 1 } });
  return Readable.fromWeb(file as unknown as ReadableStream);
}

function csvOf(pool: Pool, source: ExportSource): Readable {
  const sink = new PassThrough();
  exportQuery(pool, source, sink).then(
    () => sink.end(),
    (error: Error) => sink.destroy(error),
  );
  return sink;
}

/**
 * Streams rows as a file, memory flat; the trail says who took what before the first byte leaves. One at a time for
 * an operator, then REQUEST_LIMIT; Overloaded while too many others are under way.
 */
export async function sendExport(deps: ExportDeps, wanted: Wanted, source: ExportSource): Promise<string> {
  const { actor, reply, name, format, filters } = wanted;
  beginDownload(reply, deps.budgets.operatorExports, actorName(actor));
  const auditEntry = { action: 'export', subject: entityRef('export', name), after: { format, ...filters } };
  await writeAudit(deps.pool, actor, auditEntry, deps.clock.now());
  const file =
    format === 'xlsx' ? await xlsxOf(deps.backgroundPool, source, name) : csvOf(deps.backgroundPool, source);
  reply
    .type(exports.EXPORT_TYPES[format])
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.${format}"`);
  // The file takes the place of the text that the call's declaration names.
  return file as unknown as string;
}
