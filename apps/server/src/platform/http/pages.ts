import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Language } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { languageOf } from './language.ts';
import { answerMissing } from './server.ts';

const PRERENDERED = ['login', 'register', 'howto', 'contact'] as const;
const LANGUAGES: readonly Language[] = ['th', 'la', 'en'];

/** `la` is the product's word for Lao; HTML knows it as `lo`. */
const htmlLanguage = (language: Language): string => (language === 'la' ? 'lo' : language);

/** The theme the member has chosen over the system's, so that the first paint is right already. */
function themeOf(request: FastifyRequest): string {
  return /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? 'system';
}

/** The pages as built: the shell in each language, and public ones prerendered. */
function readPages(folder: string): Map<string, string> {
  const shell = readFileSync(join(folder, 'index.html'), 'utf8');
  const pages = new Map<string, string>();
  for (const language of LANGUAGES) {
    pages.set(
      `${language} shell`,
      shell.replace(/<html lang="\w+"/, `<html lang="${htmlLanguage(language)}"`),
    );
    for (const page of PRERENDERED) {
      const file = join(folder, 'prerendered', language, `${page}.html`);
      if (existsSync(file)) pages.set(`${language} /${page}`, readFileSync(file, 'utf8'));
    }
  }
  return pages;
}

/** The built member app: hashed files for ever, pages fresh, public ones prerendered in the visitor's language. */
export async function servePages(app: FastifyInstance, folder: string, config: Config): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    serveDotFiles: false,
    setHeaders: (reply, path) => {
      const lasting = /[/\\]assets[/\\]/.test(path);
      void reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const pages = readPages(folder);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    const isPage =
      request.method === 'GET' && !/^\/(api|hooks|socket\.io|assets)\b/.test(path) && !/\.\w+$/.test(path);
    if (!isPage) return answerMissing(reply);
    const language = languageOf(request, config.variant);
    const html = pages.get(`${language} ${path.replace(/\/$/, '')}`) ?? pages.get(`${language} shell`)!;
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'cookie')
      .send(html.replace('data-theme="system"', `data-theme="${themeOf(request)}"`));
  });
}
