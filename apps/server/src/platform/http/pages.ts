import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { MEMBER_PATHS, PUBLIC_PATHS, TERMINATED_PATH } from '@krapao/contract/pages';
import { LANGUAGES, type Language } from '@krapao/contract/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { languageOf } from './language.ts';
import { respondMissing } from './server.ts';

/** Addresses that lead to a page; any other gets the app's own page for it, as not found. */
const KNOWN = new Set<string>(['', '/user', TERMINATED_PATH, ...PUBLIC_PATHS, ...MEMBER_PATHS]);
const THEMES = ['system', 'light', 'dark'] as const;
const SHELL = 'shell';

type Encoding = 'br' | 'gzip' | 'plain';

/** One page in each encoding; a compressed one is made at its first request, as compressing them all would delay the start. */
type Page = (encoding: Encoding) => string | Buffer;

/** The theme the member has chosen over the system's, so that the first paint is right already. */
function themeOf(request: FastifyRequest): string {
  return /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? 'system';
}

const PACK = {
  br: (plain: string) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (plain: string) => gzipSync(plain, { level: 9 }),
  plain: (plain: string) => plain,
} as const;

function pageOf(html: string, theme: string): Page {
  const plain = html.replace('data-theme="system"', `data-theme="${theme}"`);
  const packed = new Map<Encoding, string | Buffer>();
  return (encoding) => {
    const known = packed.get(encoding) ?? PACK[encoding](plain);
    packed.set(encoding, known);
    return known;
  };
}

/** The text of one page as built: a public one prerendered, or the shell for all others. */
function readPage(folder: string, language: Language, name: string): string {
  const written = join(folder, 'prerendered', language, `${name}.html`);
  return readFileSync(existsSync(written) ? written : join(folder, 'index.html'), 'utf8');
}

const NAMES = [...PUBLIC_PATHS.map((path) => path.slice(1)), SHELL];

/** The pages as built, by "language page theme". */
function readPages(folder: string): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const language of LANGUAGES) {
    for (const name of NAMES) {
      const html = readPage(folder, language, name);
      for (const theme of THEMES) pages.set(`${language} ${name} ${theme}`, pageOf(html, theme));
    }
  }
  return pages;
}

/**
 * The scripts that the built pages contain, as sources of a Content Security Policy ('sha256-…', W3C CSP Level 3), each
 * once. The policy allows these texts and no other inline script.
 */
export function inlineScripts(folder: string): string[] {
  const html = LANGUAGES.flatMap((language) => NAMES.map((name) => readPage(folder, language, name))).join(
    '',
  );
  const texts = [...html.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => text!,
  );
  return [...new Set(texts)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

/** The smallest encoding the browser takes. */
function encodingOf(request: FastifyRequest): Encoding {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'plain';
}

/** Throws one sentence when the member app in a folder was built with another value of a setting than it is served with. */
export function requireSameSettings(folder: string, config: Readonly<Record<string, unknown>>): void {
  const file = join(folder, '../built-with.json');
  if (!existsSync(file)) return;
  const built = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  for (const [name, value] of Object.entries(built))
    if (config[name] !== value)
      throw new Error(
        `The member app was built with ${name}=${value}, and ${name}=${config[name]} is set: build it again with what is set.`,
      );
}

/**
 * Serves the built member app: hashed files are cached permanently, pages are not; public pages are prerendered in
 * the visitor's language.
 */
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
      /^(GET|HEAD)$/.test(request.method) &&
      !/^\/(api|hooks|socket\.io|assets)\b/.test(path) &&
      !/\.\w+$/.test(path);
    if (!isPage) return respondMissing(reply);
    const plain = path.replace(/\/+$/, '');
    const name = PUBLIC_PATHS.find((known) => known === plain)?.slice(1) ?? SHELL;
    const page = pages.get(`${languageOf(request, config.variant)} ${name} ${themeOf(request)}`)!;
    const encoding = encodingOf(request);
    if (encoding !== 'plain') void reply.header('content-encoding', encoding);
    return reply
      .code(KNOWN.has(plain) ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'cookie, accept-encoding')
      .send(page(encoding));
  });
}
