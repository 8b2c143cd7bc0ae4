import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { respondMissing } from './server.ts';

/** The pictures that come with the member app, where operators see what members see; nothing where it was not built. */
async function serveArt(app: FastifyInstance, memberPages: string): Promise<void> {
  const root = join(memberPages, 'art');
  if (!existsSync(root)) return;
  await app.register(fastifyStatic, {
    root,
    prefix: '/art/',
    index: false,
    preCompressed: true,
    serveDotFiles: false,
    decorateReply: false,
    setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
  });
}

/** Serves the built console: hashed files are cached permanently, its page is never cached. */
export async function serveConsole(
  app: FastifyInstance,
  folder: string,
  memberPages: string | undefined,
): Promise<void> {
  if (memberPages) await serveArt(app, memberPages);
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
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    const isPage =
      request.method === 'GET' &&
      !/^\/(api|assets|docs|healthz|readyz|metrics)\b/.test(path) &&
      !/\.\w+$/.test(path);
    if (!isPage) return respondMissing(reply);
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
}
