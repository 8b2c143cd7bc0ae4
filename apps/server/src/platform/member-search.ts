import { normalisePhone } from '@krapao/contract/shared';
import type { Config } from './config.ts';

/** What a list is searched by: the text as typed, and the phone that it may be; both null without a search. */
export interface SearchText {
  text: string | null;
  phone: string | null;
}

/** Tells in which country phones are written. */
export interface SearchDeps {
  config: Pick<Config, 'variant'>;
}

/** Reads the search parameter of a list. A text that is no phone is its own, so that it finds none. */
export function searchOf({ config }: SearchDeps, typed: string | undefined): SearchText {
  const text = typed?.trim() || null;
  return { text, phone: text && (normalisePhone(text, config.variant) ?? text) };
}

/**
 * SQL of the ids of members whom a search names by their phone or id, as an array that the rows of a list are found by
 * with an index; of the parameters of the text and of the phone.
 */
export const searchedMembers = <const Text extends string, const Phone extends string>(
  text: Text,
  phone: Phone,
) =>
  `array(select id from member where phone = ${phone}
    union all select case when ${text} ~ '^[1-9]\\d{0,17}$' then ${text}::bigint end)` as const;
