import { readCamt } from './camt.ts';
import { readCsv } from './csv.ts';
import { type FileStatement, type StatementFormat, UnreadableStatement } from './format.ts';
import { readMt940 } from './mt940.ts';

const READERS: Record<StatementFormat, (text: string, decimals: number) => FileStatement[]> = {
  csv: readCsv,
  mt940: readMt940,
  'camt.053': readCamt,
};

/** Returns the text of a file in UTF-8, or else in the code page of Thai Windows, which spreadsheets there write. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-874').decode(bytes);
  }
}

/** Tells the format by the file's beginning. */
function formatOf(text: string): StatementFormat {
  if (/^\s*</.test(text)) return 'camt.053';
  return /^(?:\{1:|\s*:20:|\s*:\d{2}[A-Z]?:)/m.test(text.slice(0, 2_000)) ? 'mt940' : 'csv';
}

/**
 * Reads a bank's statement file of whatever format it has. Throws UnreadableStatement, with the first line that does
 * not fit, and TooManyLines.
 * @param decimals of the currency of the account it is read for
 */
export function readStatementFile(
  bytes: Uint8Array,
  decimals: number,
): { format: StatementFormat; statements: FileStatement[] } {
  const text = decode(bytes);
  if (text.includes('\0')) throw new UnreadableStatement(1, 'not a text');
  const format = formatOf(text);
  return { format, statements: READERS[format](text, decimals) };
}
