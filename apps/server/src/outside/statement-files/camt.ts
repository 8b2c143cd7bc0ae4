import { BANGKOK_OFFSET_MS } from '@krapao/contract/durations';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import {
  daysOf,
  FILE_LINES_MAX,
  type FileLine,
  type FileStatement,
  minorOf,
  referenceOf,
  TooManyLines,
  timesOfDay,
  UnreadableStatement,
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

/** The day and times of an entry; a time without an offset is Bangkok's. */
function bookedAt(entry: Node): Pick<FileLine, 'day' | 'at' | 'until'> {
  const moment = firstText(entry, 'BookgDt/DtTm');
  if (moment !== '') {
    const time = new Date(/(Z|[+-]\d{2}:\d{2})$/.test(moment) ? moment : `${moment}+07:00`);
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

/** What opening and closing booked balance differ by; null where the file lacks one. */
function changeOf(statement: Node, decimals: number): bigint | null {
  const signed = (codes: readonly string[]): bigint | null => {
    const balance = listOf(statement, 'Bal').find((one) => codes.includes(firstText(one, 'Tp/CdOrPrtry/Cd')));
    if (!balance) return null;
    const minor = amountOf(at(balance, 'Amt'), decimals);
    return direction(balance) === 'OUT' ? -minor : minor;
  };
  const [opening, closing] = [signed(['OPBD', 'PRCD']), signed(['CLBD'])];
  return opening === null || closing === null ? null : closing - opening;
}

function statementOf(statement: Node, decimals: number): FileStatement {
  // Pending and informational entries are not booked; version 8 puts the status one element deeper.
  const booked = listOf(statement, 'Ntry').filter((entry) => firstText(entry, 'Sts/Cd', 'Sts') === 'BOOK');
  const lines = booked.flatMap((entry) => linesOf(entry, decimals));
  const bounds = ['FrToDt/FrDtTm', 'FrToDt/ToDtTm'].map((path) => firstText(statement, path).slice(0, 10));
  const closing = listOf(statement, 'Bal').map((balance) => firstText(balance, 'Dt/Dt').slice(0, 10));
  const named = [...bounds, ...(bounds[1] ? [] : closing.slice(-1))];
  const currency = firstText(statement, 'Acct/Ccy', 'Bal/Amt/@Ccy', 'Ntry/Amt/@Ccy');
  return {
    account: firstText(statement, 'Acct/Id/Othr/Id', 'Acct/Id/IBAN') || null,
    currency: currency || null,
    days: daysOf([...named.filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day)), ...lines.map(({ day }) => day)]),
    changeMinor: changeOf(statement, decimals),
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
