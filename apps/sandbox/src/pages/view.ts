/** What every page is drawn from: the environment, the reader's language and its texts. */
import { isLanguage, type Language } from '@krapao/contract/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../environment/environment.ts';
import { type Say, speak } from './texts.ts';

export interface View {
  environment: Environment;
  lang: Language;
  say: Say;
  /** The request's own address, for links that only change a part of it. */
  url: URL;
  query: URLSearchParams;
}

const COOKIE = 'sandbox_lang';

/** One cookie's value, or undefined. */
export const cookieOf = (request: FastifyRequest, name: string): string | undefined =>
  request.headers.cookie
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([key]) => key === name)?.[1];

/** Remembers a language for a year; anything but th, la and en is ignored. */
export function rememberLanguage(reply: FastifyReply, lang: string): void {
  if (isLanguage(lang))
    reply.header('set-cookie', `${COOKIE}=${lang}; Path=/; Max-Age=31536000; SameSite=Lax`);
}

/** The view for a request: `?lang=` wins and is remembered, then the cookie, then Thai. */
export function viewOf(environment: Environment, request: FastifyRequest, reply: FastifyReply): View {
  const url = new URL(request.url, 'http://sandbox.invalid');
  const requested = url.searchParams.get('lang');
  if (requested) rememberLanguage(reply, requested);
  const wanted = requested ?? cookieOf(request, COOKIE) ?? 'th';
  const lang = isLanguage(wanted) ? wanted : 'th';
  return { environment, lang, say: speak(lang), url, query: url.searchParams };
}

/** The view's address with some parameters changed; null removes one. */
export function withQuery(view: View, changes: Record<string, string | null>): string {
  const query = new URLSearchParams(view.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return `${view.url.pathname}?${query}`;
}
