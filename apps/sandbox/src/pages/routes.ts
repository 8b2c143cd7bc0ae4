/** All pages for people, their files, and the stream that tells them what changed. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import formbody from '@fastify/formbody';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { onlyLocal } from '../control/local.ts';
import { BANKS } from '../environment/banks.ts';
import type { Environment, Happening } from '../environment/environment.ts';
import { controlPages } from './control.ts';
import { gamePages } from './games/routes.ts';
import { html } from './html.ts';
import { page, sendPage } from './layout.ts';
import { officePages } from './office.ts';
import { phoneRoutes } from './phone/routes.ts';
import { viewOf } from './view.ts';

const PUBLIC = fileURLToPath(new URL('../public', import.meta.url));
const FONTS = join(
  dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/google-sans/package.json'))),
  'files',
);
const FONT_FILE = /^\/google-sans-(thai|lao|latin|latin-ext)-wght-normal\.woff2$/;

/** Registers pages, assets and the live stream. Only this machine may post forms. */
export async function pageRoutes(
  app: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  await app.register(formbody);
  await app.register(fastifyStatic, { root: PUBLIC, prefix: '/assets/', cacheControl: false, index: false });
  await app.register(fastifyStatic, {
    root: FONTS,
    prefix: '/assets/fonts/',
    decorateReply: false,
    index: false,
    maxAge: '1d',
    allowedPath: (path) => FONT_FILE.test(path),
  });
  app.get('/assets/banks.css', (_request, reply) =>
    reply.type('text/css').send(BANKS.map(({ code, color }) => `.bank-${code}{--c:${color}}`).join('\n')),
  );
  app.get('/live', (request, reply) => streamHappenings(environment, request, reply));
  app.register(async (pages) => {
    pages.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'GET') return onlyLocal(request, reply);
    });
    await pages.register(phoneRoutes, { environment });
    await pages.register(gamePages, { environment });
    await pages.register(officePages, { environment });
    await pages.register(controlPages, { environment });
  });
  app.setNotFoundHandler((request, reply) => {
    const view = viewOf(environment, request, reply);
    const body = html`<div class="nothing"><h1>${view.say('state.notFound')}</h1></div>`;
    return sendPage(reply, page(view, { active: 'phone', title: 'state.notFound', body }), 404);
  });
}

/** Server-sent events: the kind of each happening as it happens, nothing more; pages fetch what they show. */
function streamHappenings(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  reply.raw.write('retry: 2000\n\n');
  const listen = ({ kind }: Happening) => void reply.raw.write(`data: ${kind}\n\n`);
  environment.bus.on('happening', listen);
  request.raw.on('close', () => environment.bus.off('happening', listen));
  return reply;
}
