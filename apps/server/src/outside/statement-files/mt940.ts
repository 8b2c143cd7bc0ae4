import {
  dayOf,
  daysAfter,
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

/** One field of a message: its tag without colons, its text, and the line it begins on. */
interface Field {
  tag: string;
  text: string;
  line: number;
}

/** A statement line, field 61: value date, entry date, mark, funds code, amount, type, references. */
const ENTRY =
  /^(?<date>\d{6})(?<entry>\d{4})?(?<mark>R?[CD])[A-Z]?(?<amount>\d{1,12},\d{0,3})[A-Z][A-Z0-9]{3}(?<ours>[^\n]*?)(?:\/\/(?<theirs>[^\n]*))?(?:\n|$)/;
/** A balance, fields 60 and 62: mark, date, currency, amount. */
const BALANCE = /^(?<mark>[CD])(?<date>\d{6})(?<currency>[A-Z]{3})(?<amount>\d{1,15},\d{0,3})$/;

function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const match = /^:(\d{2}[A-Z]?):(.*)$/.exec(line);
    const last = fields.at(-1);
    if (match) fields.push({ tag: match[1]!, text: match[2]!, line: index + 1 });
    // Lines between fields go on with the one before; the brackets of SWIFT's envelope and a lone dash do not.
    else if (last && line !== '-' && !/^[{}-]/.test(line)) last.text += `\n${line}`;
  }
  return fields;
}

const dateOf = (text: string): string | null =>
  dayOf(2000 + Number(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4, 6)));

/** The day a line was booked: the entry date has no year and may lie across the year from the value date. */
function bookedOn(date: string, entry: string | undefined): string | null {
  const value = dateOf(date);
  if (!value || !entry) return value;
  const [month, day] = [Number(entry.slice(0, 2)), Number(entry.slice(2))];
  const apart = month - Number(date.slice(2, 4));
  const year = Number(value.slice(0, 4)) + (apart > 6 ? -1 : apart < -6 ? 1 : 0);
  return dayOf(year, month, day);
}

function lineOf(field: Field, decimals: number): FileLine {
  const found = ENTRY.exec(field.text)?.groups;
  const day = found && bookedOn(found.date!, found.entry);
  const amountMinor = found && minorOf(found.amount!.replace(',', '.'), decimals);
  if (!found || !day || !amountMinor) throw new UnreadableStatement(field.line, 'field 61 out of shape');
  const ours = referenceOf(found.ours ?? '');
  const theirs = referenceOf(found.theirs ?? '');
  return {
    // A reversal goes the other way: RC takes a credit back.
    direction: found.mark === 'C' || found.mark === 'RD' ? 'IN' : 'OUT',
    amountMinor,
    ...timesOfDay(day, null)!,
    day,
    reference: theirs === '-' ? ours : theirs,
    ours: ours === '-' ? null : ours,
    account: '',
  };
}

/** A balance in minor units, below 0 for a debit. */
function balanceOf(field: Field, decimals: number) {
  const found = BALANCE.exec(field.text.trim())?.groups;
  const day = found && dateOf(found.date!);
  const minor = found && minorOf(found.amount!.replace(',', '.'), decimals);
  if (!found || !day || minor === undefined || minor === null)
    throw new UnreadableStatement(field.line, `field ${field.tag} out of shape`);
  return { day, currency: found.currency!, minor: found.mark === 'D' ? -minor : minor };
}

function statementOf(fields: readonly Field[], decimals: number): FileStatement {
  const named = (tags: readonly string[]) => fields.filter(({ tag }) => tags.includes(tag));
  const [opening, closing] = [named(['60F', '60M'])[0], named(['62F', '62M']).at(-1)];
  const account = named(['25', '25P'])[0];
  if (!account || !opening || !closing)
    throw new UnreadableStatement(fields[0]?.line ?? 1, 'account or balance missing');
  const [first, last] = [balanceOf(opening, decimals), balanceOf(closing, decimals)];
  const lines = named(['61']).map((field) => lineOf(field, decimals));
  return {
    account: account.text.split('\n')[0]!.trim(),
    currency: last.currency,
    period: periodOf([...new Set([...daysAfter(first.day, last.day), ...lines.map(({ day }) => day)])]),
    balances: { openingMinor: first.minor, closingMinor: last.minor },
    lines,
  };
}

/**
 * Reads the customer statements of a SWIFT MT940 file, one for each field 20. The bank's reference follows `//`.
 * Throws UnreadableStatement and TooManyLines.
 */
export function readMt940(text: string, decimals: number): FileStatement[] {
  const fields = fieldsOf(text);
  if (fields.filter(({ tag }) => tag === '61').length > FILE_LINES_MAX) throw new TooManyLines();
  const messages: Field[][] = [];
  for (const field of fields) {
    if (field.tag === '20') messages.push([]);
    messages.at(-1)?.push(field);
  }
  if (messages.length === 0) throw new UnreadableStatement(1, 'no statement');
  return messages.map((message) => statementOf(message, decimals));
}
