import { parse } from 'csv-parse/sync';
import {
  dayOf,
  FILE_LINES_MAX,
  type FileLine,
  type FileStatement,
  minorOf,
  periodOf,
  referenceOf,
  TooManyLines,
  timesOfDay,
  UnreadableStatement,
} from './format.ts';

/** How many rows a file may have, with those that are no movements. */
const RECORDS_MAX = 4 * FILE_LINES_MAX;

/** The headings of each column, in the order they are preferred; compared without case, spaces and signs. */
const HEADINGS = {
  date: ['transactiondate', 'bookingdate', 'date', 'วันที่ทำรายการ', 'วันที่', 'ວັນທີ'],
  time: ['transactiontime', 'time', 'เวลา', 'ເວລາ'],
  in: [
    'credit',
    'creditamount',
    'deposit',
    'in',
    'ฝากเงิน',
    'ฝาก',
    'เครดิต',
    'เงินเข้า',
    'ฝากเงินเครดิต',
    'ເງິນເຂົ້າ',
  ],
  out: [
    'debit',
    'debitamount',
    'withdrawal',
    'out',
    'ถอนเงิน',
    'ถอน',
    'เดบิต',
    'เงินออก',
    'ถอนเงินเดบิต',
    'ເງິນອອກ',
  ],
  amount: ['amount', 'จำนวนเงิน', 'ຈຳນວນເງິນ'],
  /** Which side of the account an amount without a sign is on. */
  side: ['drcr', 'crdr', 'debitcredit', 'creditdebit', 'dc', 'cd', 'เดบิตเครดิต'],
  reference: [
    'reference',
    'referenceno',
    'ref',
    'refno',
    'transactionid',
    'เลขที่อ้างอิง',
    'เลขอ้างอิง',
    'ເລກອ້າງອີງ',
  ],
  ours: ['customerreference', 'ourreference', 'endtoendid'],
  account: ['counterpartyaccount', 'fromaccount', 'account', 'เลขที่บัญชี', 'ເລກບັນຊີ'],
} as const;
type ColumnName = keyof typeof HEADINGS;
type Columns = Partial<Record<ColumnName, number>>;

const plain = (heading: string): string => heading.toLowerCase().replaceAll(/[\s_./()-]/g, '');

function columnsOf(cells: readonly string[]): Columns | null {
  const headings = cells.map(plain);
  const columns: Columns = {};
  for (const [name, wanted] of Object.entries(HEADINGS)) {
    const at = wanted.map((heading) => headings.indexOf(heading)).find((index) => index >= 0);
    if (at !== undefined) columns[name as ColumnName] = at;
  }
  const hasMoney = columns.amount !== undefined || (columns.in !== undefined && columns.out !== undefined);
  return columns.date !== undefined && hasMoney ? columns : null;
}

/** The day and, behind it, the time of a cell: 2026-11-25, 25/11/2026, 25-11-2569 14:05. */
function readDate(text: string): { day: string; time: string | null } | null {
  const [date = '', time] = text.trim().split(/[\sT]+/);
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(date);
  const local = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(date);
  const day = iso
    ? dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
    : local && dayOf(Number(local[3]), Number(local[2]), Number(local[1]));
  return day ? { day, time: time ?? null } : null;
}

const DEBIT = /^(d(r|b|ebit)?|เดบิต|ถอน|ถอนเงิน)$/;
const CREDIT = /^(c(r|redit)?|เครดิต|ฝาก|ฝากเงิน)$/;

/** Money in or out of a row with one amount, by its side of the account where the file has one, by its sign otherwise. */
function directionOf(amount: string, side: string | null): FileLine['direction'] | null {
  const isNegative = amount.startsWith('-');
  if (side === null) return isNegative ? 'OUT' : 'IN';
  if (DEBIT.test(side)) return 'OUT';
  // As in columns of their own: a negative credit corrects an earlier one.
  if (CREDIT.test(side)) return isNegative ? 'OUT' : 'IN';
  return null;
}

const isNothing = (text: string): boolean => /^[-0.\s]*$/.test(text);

/** Whether a row has any amount, or was cut before its amounts; one that only carries a balance forward has none. */
const isMovement = (cells: readonly string[], { amount, in: came, out: went }: Columns): boolean =>
  (came === undefined || went === undefined ? [amount] : [came, went]).some((column) => {
    const cell = cells[column ?? -1];
    return cell === undefined || !isNothing(cell);
  });

/** Money in or out of a row; null where the row has none that can be read. */
function readMoney(
  cell: (name: ColumnName) => string,
  columns: Columns,
  decimals: number,
): Pick<FileLine, 'direction' | 'amountMinor'> | null {
  const minor = (text: string) => minorOf(text.replaceAll(/[,\s]/g, '').replace(/^[+-]/, ''), decimals);
  if (columns.in === undefined || columns.out === undefined) {
    const amountMinor = minor(cell('amount'));
    const direction = directionOf(cell('amount'), columns.side === undefined ? null : plain(cell('side')));
    return amountMinor && direction ? { direction, amountMinor } : null;
  }
  const [came, went] = [cell('in'), cell('out')];
  if (isNothing(came) === isNothing(went)) return null;
  const amountMinor = minor(isNothing(came) ? went : came);
  // A negative credit corrects an earlier one; banks print debits with and without a sign.
  const direction = isNothing(came) || came.startsWith('-') ? 'OUT' : 'IN';
  return amountMinor ? { direction, amountMinor } : null;
}

function lineOf(cells: readonly string[], columns: Columns, decimals: number, number: number): FileLine {
  const cell = (name: ColumnName): string => cells[columns[name] ?? -1]?.trim() ?? '';
  const date = readDate(cell('date'));
  const times = date && timesOfDay(date.day, cell('time') || date.time);
  const money = readMoney(cell, columns, decimals);
  if (!date || !times || !money) throw new UnreadableStatement(number, 'a row out of shape');
  return {
    ...money,
    ...times,
    day: date.day,
    reference: referenceOf(cell('reference')),
    ours: cell('ours').slice(0, 100) || null,
    account: cell('account').slice(0, 60),
  };
}

/** Text between signs that separate cells: whichever the headings use most. */
function delimiterOf(text: string): string {
  const head = text.slice(0, 4_000);
  const count = (sign: string) => head.split(sign).length;
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0]!;
}

/**
 * Reads a CSV file of one account. Rows above the headings and rows without a date or an amount below are left out, as
 * banks put names, sums and balances there. Throws UnreadableStatement and TooManyLines.
 * @param decimals of the account's currency
 */
export function readCsv(text: string, decimals: number): FileStatement[] {
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      delimiter: delimiterOf(text),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 20_000,
      to: RECORDS_MAX + 1,
    }) as unknown as typeof records;
  } catch (error) {
    throw new UnreadableStatement((error as { lines?: number }).lines ?? 1, String(error));
  }
  // The rows after these were not read.
  if (records.length > RECORDS_MAX) throw new TooManyLines();
  const head = records.findIndex(({ record }) => columnsOf(record));
  if (head < 0) throw new UnreadableStatement(1, 'no headings');
  const columns = columnsOf(records[head]!.record)!;
  const rows = records
    .slice(head + 1)
    .filter(({ record }) => record[columns.date!]?.trim() && isMovement(record, columns));
  if (rows.length > FILE_LINES_MAX) throw new TooManyLines();
  const lines = rows.map(({ record, info }) => lineOf(record, columns, decimals, info.lines));
  const period = periodOf([...new Set(lines.map(({ day }) => day))]);
  return [{ account: null, currency: null, period, balances: null, lines }];
}
