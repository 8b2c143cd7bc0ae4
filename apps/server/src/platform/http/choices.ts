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

/**
 * Returns the values of a closed set that a filter leaves, in the order of the set; null where the filter says nothing.
 * A list of what is wanted serves partial indexes as well as a single value does, also where values were left out.
 */
export function chosenOf<const Value extends string>(
  text: string | undefined,
  values: readonly Value[],
): Value[] | null {
  const { only, not } = choicesOf(text);
  if (only === null && not.length === 0) return null;
  return values.filter((value) => (only?.includes(value) ?? true) && !not.includes(value));
}

/**
 * Divides the values of a filter for two conditions: equality for one value, `= any` for several. With equality
 * PostgreSQL reads an index in order, with `= any` of the same value it does not.
 */
export const oneOrSeveral = <Value extends string>(
  values: readonly Value[] | null,
): { one: Value | null; several: readonly Value[] | null } =>
  values?.length === 1 ? { one: values[0]!, several: null } : { one: null, several: values };

function decoded(value: string): string {
  try {
    const text = decodeURIComponent(value);
    if (!text.includes('\0')) return text;
  } catch {
    // Refused below, as a NUL is, which PostgreSQL does not take.
  }
  throw new Refusal('INVALID_REQUEST', undefined, 'a filter value that is encoded wrongly');
}
