import type { ValuesOf } from '../platform/database/db.ts';
import { type AttachedRows, ROW_FIELDS, ROW_TYPES } from './attached-rows.gen.ts';
import type { AttachedWrite, LedgerItem } from './item.ts';

const escaped = (text: string): string => `"${text.replace(/["\\]/g, (character) => character + character)}"`;

/** Encodes a value as PostgreSQL text, without quoting for the record or array around it. */
function valueText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (Array.isArray(value)) return `{${value.map((one) => escaped(valueText(one))).join(',')}}`;
  return String(value);
}

/** Encodes a row as text of its composite type, "(a,b,…)". Null is empty; every other value is quoted. */
function recordText(type: string, row: object): string {
  const parts = ROW_FIELDS[type]!.map(([field, nested]) => {
    const value = (row as Record<string, unknown>)[field];
    if (value === null || value === undefined) return '';
    return escaped(nested ? recordText(nested, value) : valueText(value));
  });
  return `(${parts.join(',')})`;
}

/** Encodes the row of an attached write. */
export const attachedText = ({ name, row }: AttachedWrite): string =>
  recordText(ROW_TYPES[name as keyof AttachedRows], row);

/** Encodes numbers as an array without quoting; most of a batch is numbers. */
const numbers = (values: readonly (bigint | number | null)[]): `{${string}}` =>
  `{${values.map((value) => (value === null ? 'NULL' : value)).join(',')}}`;

/** Encodes a batch as the parameters of `ledger_post_batch`, in their order. */
export function encodeBatch(items: readonly LedgerItem[], now: Date): ValuesOf<typeof POST_STATEMENT> {
  const accounts: bigint[] = [];
  const accountIndex = new Map<bigint, number>();
  const indexOf = (account: bigint): number => {
    const known = accountIndex.get(account);
    if (known) return known;
    accountIndex.set(account, accounts.push(account));
    return accounts.length;
  };
  const attachedNames = [...new Set(items.flatMap((item) => item.attached?.name ?? []))];
  const legs = items.flatMap((item) => item.legs);
  let first = 1;
  const legFirsts = items.map((item) => {
    const at = first;
    first += item.legs.length;
    return at;
  });
  const sources = legs.map((leg) => indexOf(leg.from));
  const targets = legs.map((leg) => indexOf(leg.to));
  const watches = items.map((item) => (item.watch === undefined ? 0 : indexOf(item.watch)));
  return [
    items.map((item) => item.reference),
    items.map((item) => item.kind),
    numbers(items.map((item) => item.memberId ?? null)),
    items.map((item) => item.hold?.op ?? null),
    items.map((item) => item.hold?.key ?? null),
    numbers(legFirsts),
    numbers(items.map((item) => item.legs.length)),
    numbers(watches),
    numbers(items.map((item) => (item.attached ? attachedNames.indexOf(item.attached.name) + 1 : 0))),
    items.map((item) => (item.attached ? attachedText(item.attached) : null)),
    numbers(items.map((item) => item.saved?.memberId ?? null)),
    items.map((item) => item.saved?.call ?? null),
    items.map((item) => item.saved?.key ?? null),
    items.map((item) => item.saved?.bodyHash ?? null),
    items.map((item) => item.saved?.state ?? null),
    items.map((item) => (item.saved ? JSON.stringify(item.saved.response) : null)),
    items.map((item) => (item.refusal ? JSON.stringify(item.refusal) : null)),
    numbers(sources),
    numbers(targets),
    numbers(legs.map((leg) => leg.amountMinor)),
    numbers(accounts),
    attachedNames,
    now,
  ];
}

/** The statement that posts a batch; prepared once per connection. */
export const POST_STATEMENT = `select states, entries, codes, balances, versions from ledger_post_batch(
  $1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::int[], $7::int[], $8::int[], $9::int[], $10::text[],
  $11::bigint[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
  $18::int[], $19::int[], $20::bigint[], $21::bigint[], $22::text[], $23::timestamptz)`;
