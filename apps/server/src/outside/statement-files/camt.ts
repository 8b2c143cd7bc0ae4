import { BANGKOK_OFFSET_MS, DAY_MS } from '@krapao/contract/durations';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import {
  daysAfter,
  endOf,
  FILE_LINES_MAX,
  type FileLine,
  type FileStatement,
  minorOf,
  type Period,
  pastMidnight,
  periodOf,
  referenceOf,
  startOfDay,
  TooManyLines,
  timesOfDay,
  UnreadableStatement,
  withDays,
} from './format.ts';

/** An element: text, or its children by name, with attributes under `@name`. */
type Node = string | { [name: string]: Node | Node[] };

const LISTS = new Set(['Stmt', 'Ntry', 'TxDtls', 'NtryDtls', 'Bal']);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Entities are where XML grows without bound; a statement needs the five plain ones only.
  processEntities: false,
  isArray: (name) => LISTS.has(name),
});

/** The element at the end of a path; undefined where there is none. */
function at(node: Node | undefined, ...path: string[]): Node | undefined {
  let found: Node | Node[] | undefined = node;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (Array.isArray(found) ? found[0] : found) as Node;
    found = typeof found === 'object' ? found[name] : undefined;
  }
  return Array.isArray(found) ? found[0] : found;
}
const listOf = (node: Node | undefined, name: string): Node[] => {
  const found = typeof node === 'object' ? node[name] : undefined;
  return found === undefined ? [] : Array.isArray(found) ? found : [found];
};
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const textOf = (node: Node | undefined): string => {
  const text = typeof node === 'string' ? node : typeof node === 'object' ? node['#text'] : undefined;
  return typeof text === 'string'
    ? text.trim().replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name) => ENTITIES[name]!)
    : '';
};
/** The text at the first path that has one. */
const firstText = (node: Node | undefined, ...paths: string[]): string =>
  paths.map((path) => textOf(at(node, ...path.split('/')))).find((text) => text !== '') ?? '';

function amountOf(node: Node | undefined, decimals: number): bigint {
  const minor = minorOf(textOf(node), decimals);
  if (minor === null) throw new UnreadableStatement(1, 'an amount out of shape');
  return minor;
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOfDay(text));
/** The moment that a day with a time names, in Bangkok where it has no offset; NaN for any other text. */
const momentOf = (text: string): number =>
  /^\d{4}-\d{2}-\d{2}[T ]/.test(text)
    ? Date.parse(/(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}+07:00`)
    : Number.NaN;

/** The day and times of an entry; a time without an offset is Bangkok's. */
function bookedAt(entry: Node): Pick<FileLine, 'day' | 'at' | 'until'> {
  const moment = firstText(entry, 'BookgDt/DtTm');
  if (moment !== '') {
    const time = new Date(momentOf(moment));
    if (Number.isNaN(time.getTime())) throw new UnreadableStatement(1, 'a time out of shape');
    return { at: time, day: new Date(time.getTime() + BANGKOK_OFFSET_MS).toISOString().slice(0, 10) };
  }
  const day = firstText(entry, 'BookgDt/Dt', 'ValDt/Dt').slice(0, 10);
  const times = /^\d{4}-\d{2}-\d{2}$/.test(day) ? timesOfDay(day, null) : null;
  if (!times || Number.isNaN(times.at.getTime())) throw new UnreadableStatement(1, 'an entry without a day');
  return { day, ...times };
}

const direction = (node: Node): FileLine['direction'] => {
  const mark = firstText(node, 'CdtDbtInd');
  if (mark !== 'CRDT' && mark !== 'DBIT') throw new UnreadableStatement(1, 'neither credit nor debit');
  return mark === 'CRDT' ? 'IN' : 'OUT';
};

const lineOf = (entry: Node, details: Node | undefined, amountMinor: bigint): FileLine => {
  const way = direction(entry);
  const other = way === 'IN' ? 'DbtrAcct' : 'CdtrAcct';
  const ours = referenceOf(firstText(details, 'Refs/EndToEndId', 'Refs/InstrId'));
  return {
    direction: way,
    amountMinor,
    ...bookedAt(entry),
    reference: referenceOf(
      firstText(details, 'Refs/AcctSvcrRef', 'Refs/TxId') || firstText(entry, 'AcctSvcrRef', 'NtryRef'),
    ),
    ours: ours === '-' ? null : ours,
    account: firstText(details, `RltdPties/${other}/Id/Othr/Id`, `RltdPties/${other}/Id/IBAN`).slice(0, 60),
  };
};

/** The movements of an entry: one, or those it was booked of where each has an amount and they come to the entry's. */
function linesOf(entry: Node, decimals: number): FileLine[] {
  const amountMinor = amountOf(at(entry, 'Amt'), decimals);
  const details = listOf(entry, 'NtryDtls').flatMap((group) => listOf(group, 'TxDtls'));
  if (details.length > 1) {
    const parts = details.map((part) => at(part, 'Amt') ?? at(part, 'AmtDtls', 'TxAmt', 'Amt'));
    const minors = parts.every(Boolean) ? parts.map((part) => amountOf(part, decimals)) : [];
    if (minors.reduce((sum, minor) => sum + minor, 0n) === amountMinor && !minors.includes(0n))
      return details.map((part, index) => lineOf(entry, part, minors[index]!));
  }
  return amountMinor === 0n ? [] : [lineOf(entry, details[0], amountMinor)];
}

/** A booked balance by one of its codes, with its day; undefined where the file has none. */
function balanceOf(statement: Node, codes: readonly string[], decimals: number) {
  const balance = listOf(statement, 'Bal').find((one) => codes.includes(firstText(one, 'Tp/CdOrPrtry/Cd')));
  if (!balance) return undefined;
  const minor = amountOf(at(balance, 'Amt'), decimals);
  const day = firstText(balance, 'Dt/Dt').slice(0, 10);
  return { minor: direction(balance) === 'OUT' ? -minor : minor, day: isDay(day) ? day : null };
}
type Balance = ReturnType<typeof balanceOf>;

/** Whether a statement names both ends of its period: entries outside of it are then another statement's. */
const hasBounds = (statement: Node): boolean =>
  ['FrToDt/FrDtTm', 'FrToDt/ToDtTm'].every((path) => firstText(statement, path) !== '');

/** The period that a statement names, an end at midnight excluded; else what its balances lead over; null: neither. */
function namedPeriod(statement: Node, opening: Balance, closing: Balance): Period | null {
  const [first = '', last = ''] = ['FrToDt/FrDtTm', 'FrToDt/ToDtTm'].map((path) =>
    firstText(statement, path),
  );
  const from = isDay(first) ? startOfDay(first) : momentOf(first);
  const to = isDay(last) ? startOfDay(last) + DAY_MS : endOf(momentOf(last));
  const led = closing?.day ? periodOf(daysAfter(opening?.day ?? null, closing.day)) : null;
  if (Number.isNaN(to)) return led && !Number.isNaN(from) ? { ...led, from } : led;
  if (Number.isNaN(from)) return { from: Math.min(led?.from ?? to, to), to };
  // Banks that write one midnight for both mean its day.
  if (from === to && pastMidnight(from) === 0) return { from, to: from + DAY_MS };
  if (from > to) throw new UnreadableStatement(1, 'a period that ends before it begins');
  return { from, to };
}

function statementOf(statement: Node, decimals: number): FileStatement {
  // Pending and informational entries are not booked; version 8 puts the status one element deeper.
  const booked = listOf(statement, 'Ntry').filter((entry) => firstText(entry, 'Sts/Cd', 'Sts') === 'BOOK');
  const lines = booked.flatMap((entry) => linesOf(entry, decimals));
  const opening = balanceOf(statement, ['OPBD', 'PRCD'], decimals);
  const closing = balanceOf(statement, ['CLBD'], decimals);
  const days = [...new Set(lines.map(({ day }) => day))];
  const named = namedPeriod(statement, opening, closing);
  const currency = firstText(statement, 'Acct/Ccy', 'Bal/Amt/@Ccy', 'Ntry/Amt/@Ccy');
  return {
    account: firstText(statement, 'Acct/Id/Othr/Id', 'Acct/Id/IBAN') || null,
    currency: currency || null,
    period: !named ? periodOf(days) : hasBounds(statement) ? named : withDays(named, days),
    balances: opening && closing ? { openingMinor: opening.minor, closingMinor: closing.minor } : null,
    lines,
  };
}

/** Reads the statements of an ISO 20022 camt.053 file, versions 2 to 13. Throws UnreadableStatement and TooManyLines. */
export function readCamt(text: string, decimals: number): FileStatement[] {
  if (/<!DOCTYPE/i.test(text)) throw new UnreadableStatement(1, 'a document type');
  const sound = XMLValidator.validate(text);
  if (sound !== true) throw new UnreadableStatement(sound.err.line, sound.err.msg);
  const statements = listOf(at(parser.parse(text) as Node, 'Document', 'BkToCstmrStmt'), 'Stmt');
  if (statements.length === 0) throw new UnreadableStatement(1, 'no statement');
  const count = statements.reduce((sum, one) => sum + listOf(one, 'Ntry').length, 0);
  if (count > FILE_LINES_MAX) throw new TooManyLines();
  const read = statements.map((one) => statementOf(one, decimals));
  if (read.reduce((sum, one) => sum + one.lines.length, 0) > FILE_LINES_MAX) throw new TooManyLines();
  return read;
}
