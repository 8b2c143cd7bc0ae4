import type { CompanionValue, LedgerItem } from './item.ts';

/** Values as PostgreSQL record text, "(a,b,…)": null is empty, everything else quoted. */
export function recordText(values: readonly CompanionValue[]): string {
  const parts = values.map((value) => {
    if (value === null) return '';
    const text = value instanceof Date ? value.toISOString() : String(value);
    return `"${text.replace(/["\\]/g, (character) => character + character)}"`;
  });
  return `(${parts.join(',')})`;
}

/** Numbers as array text; they need no quoting, which is most of what a batch sends. */
const numbers = (values: readonly (bigint | number | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : value)).join(',')}}`;

/** A batch as the parameters of ledger_post_batch, in its order. */
export function encodeBatch(items: readonly LedgerItem[], now: Date): unknown[] {
  const accounts: bigint[] = [];
  const accountIndex = new Map<bigint, number>();
  const indexOf = (account: bigint): number => {
    const known = accountIndex.get(account);
    if (known) return known;
    accountIndex.set(account, accounts.push(account));
    return accounts.length;
  };
  const companionNames = [...new Set(items.flatMap((item) => item.companion?.name ?? []))];
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
    numbers(items.map((item) => (item.companion ? companionNames.indexOf(item.companion.name) + 1 : 0))),
    items.map((item) => (item.companion ? recordText(item.companion.values) : null)),
    numbers(items.map((item) => item.saved?.memberId ?? null)),
    items.map((item) => item.saved?.call ?? null),
    items.map((item) => item.saved?.key ?? null),
    items.map((item) => item.saved?.bodyHash ?? null),
    items.map((item) => item.saved?.state ?? null),
    items.map((item) => (item.saved ? JSON.stringify(item.saved.answer) : null)),
    items.map((item) => (item.refusal ? JSON.stringify(item.refusal) : null)),
    numbers(sources),
    numbers(targets),
    numbers(legs.map((leg) => leg.amountMinor)),
    numbers(accounts),
    companionNames,
    now,
  ];
}

/** The statement behind every batch; prepared once a connection. */
export const POST_STATEMENT = `select states, entries, codes, balances, versions from ledger_post_batch(
  $1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::int[], $7::int[], $8::int[], $9::int[], $10::text[],
  $11::bigint[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
  $18::int[], $19::int[], $20::bigint[], $21::bigint[], $22::text[], $23::timestamptz)`;
