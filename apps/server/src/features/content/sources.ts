import type { PoolClient } from '../../platform/database/db.ts';
import { plainText } from '../../platform/html.ts';
import { Refusal } from '../../platform/refusal.ts';
import { listSources, lockChoices, type SourceRow, saveSource } from './choice-queries.ts';

/** A name without markup; throws Refusal INVALID_REQUEST when nothing is left. */
export const named = (text: string): string => {
  const plain = plainText(text).trim();
  if (plain === '') throw new Refusal('INVALID_REQUEST');
  return plain;
};

/** Whether a row is what the caller has seen: none for null; whatever it is where the caller does not say. */
export const isAsSeen = (row: object | undefined, seen: object | null | undefined): boolean =>
  seen === undefined ||
  (seen === null
    ? row === undefined
    : row !== undefined &&
      Object.entries(seen).every(([name, value]) => (row as Record<string, unknown>)[name] === value));

/**
 * Names a source, or adds it at the end of those offered, unless the row is not as the caller has seen it; the caller's
 * transaction locks the list. Returns the row before and after, or null when it differs.
 * @throws Refusal INVALID_REQUEST for a text without a letter
 */
export async function changeSource(
  tx: PoolClient,
  { code, th, la, en, isOpen }: SourceRow,
  seen?: object | null,
): Promise<{ before: SourceRow | undefined; after: Omit<SourceRow, 'code'> } | null> {
  const after = { th: named(th), la: named(la), en: named(en), isOpen };
  await lockChoices(tx);
  const before = (await listSources(tx)).find((row) => row.code === code);
  if (!isAsSeen(before, seen)) return null;
  await saveSource(tx, { code, ...after });
  return { before, after };
}
