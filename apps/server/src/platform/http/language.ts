import type { Language, Variant } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';

const TAGS: Record<string, Language> = { th: 'th', lo: 'la', en: 'en' };

/**
 * The language the member has chosen: in the cookie `language`, upper case, or as the only one his app accepts, which
 * is how a page of another origin says it. Else the variant's own: what a browser prefers by itself does not count.
 */
export function languageOf(request: Pick<FastifyRequest, 'headers'>, variant: Variant): Language {
  const match = /(?:^|;\s*)language=(TH|LA|EN)(?:;|$)/.exec(request.headers.cookie ?? '');
  if (match) return match[1]!.toLowerCase() as Language;
  return TAGS[request.headers['accept-language'] ?? ''] ?? variant;
}
