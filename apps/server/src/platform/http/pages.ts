import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { languageOf } from './language.ts';
import { answerMissing } from './server.ts';

const PRERENDERED = ['login', 'register', 'howto', 'contact'] as const;
const LANGUAGES = ['th', 'la', 'en'] as const;

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
  const shell = readFileSync(join(folder, 'index.html'), 'utf8');
  const pages = new Map<string, string>();
  for (const language of LANGUAGES) {
    for (const page of PRERENDERED) {
      const file = join(folder, 'prerendered', language, `${page}.html`);
      if (existsSync(file)) pages.set(`${language} /${page}`, readFileSync(file, 'utf8'));
    }
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    const isPage =
      request.method === 'GET' && !/^\/(api|hooks|socket\.io|assets)\b/.test(path) && !/\.\w+$/.test(path);
    if (!isPage) return answerMissing(reply);
    const html = pages.get(`${languageOf(request, config.variant)} ${path.replace(/\/$/, '')}`) ?? shell;
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'cookie')
      .send(html);
  });
}
