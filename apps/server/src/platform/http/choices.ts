import { Refusal } from '../refusal.ts';

/** The values of a filter with several values. */
export interface Choices {
  /** Rows must have one of these; null: any. */
  only: string[] | null;
  /** Rows must have none of these. */
  not: string[];
}

/**
 * Reads the values of a filter as the contract's `SeveralOf` and `SeveralTexts` describe them. Refuses with
 * INVALID_REQUEST a value that is encoded wrongly.
 * @param groups names that stand for several values
 */
export function choicesOf(
  text: string | undefined,
  groups: Readonly<Record<string, readonly string[]>> = {},
): Choices {
  const choices: Choices = { only: null, not: [] };
  for (const item of text ? text.split(',') : []) {
    const isLeftOut = item.startsWith('!');
    const value = decoded(isLeftOut ? item.slice(1) : item);
    const group = Object.hasOwn(groups, value) ? groups[value] : undefined;
    const values = group ?? [value];
    if (isLeftOut) choices.not.push(...values);
    else choices.only = [...(choices.only ?? []), ...values];
  }
  return choices;
}

function decoded(value: string): string {
  try {
    const text = decodeURIComponent(value);
    if (!text.includes('\0')) return text;
  } catch {
    // Refused below, as a NUL is, which PostgreSQL does not take.
  }
  throw new Refusal('INVALID_REQUEST', undefined, 'a filter value that is encoded wrongly');
}
