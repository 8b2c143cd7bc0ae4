import { LANGUAGES, type Language, languageTag, type Variant } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';

const COOKIE = new RegExp(`(?:^|;\\s*)language=(${LANGUAGES.join('|').toUpperCase()})(?:;|$)`);

/**
 * The language the member has chosen: in the cookie `language`, upper case, or as the only one their app accepts, which
 * is how a page of another origin says it. Else the variant's own: what a browser prefers by itself does not count.
 */
export function languageOf(request: Pick<FastifyRequest, 'headers'>, variant: Variant): Language {
  const match = COOKIE.exec(request.headers.cookie ?? '');
  if (match) return match[1]!.toLowerCase() as Language;
  return LANGUAGES.find((code) => languageTag(code) === request.headers['accept-language']) ?? variant;
}
