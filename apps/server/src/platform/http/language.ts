import type { Language, Variant } from '@krapao/contract/shared';
import type { FastifyRequest } from 'fastify';

/** The language the member has chosen (cookie `language`, upper case), else the variant's own. */
export function languageOf(request: Pick<FastifyRequest, 'headers'>, variant: Variant): Language {
  const match = /(?:^|;\s*)language=(TH|LA|EN)(?:;|$)/.exec(request.headers.cookie ?? '');
  return match ? (match[1]!.toLowerCase() as Language) : variant;
}
