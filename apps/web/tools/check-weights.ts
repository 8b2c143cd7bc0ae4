/** Stops when the built login page weighs more than its budget. Weights are gzip bytes, as sent at the highest level. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { LANGUAGES, type Language } from '@krapao/contract/shared';

const client = path.join(import.meta.dirname, '../dist/client');

const BUDGETS_KB = { script: 80, style: 6, fonts: 45 };

const gzipBytes = (content: Buffer | string): number => gzipSync(content, { level: 9 }).length;
const read = (address: string): Buffer => readFileSync(path.join(client, address));

/** What one written page loads before it can be used, in bytes. */
export function pageWeights(language: Language, page: string) {
  const html = read(`prerendered/${language}/${page}.html`).toString();
  const scripts = html.match(/\/[\w./-]+\.js(?=[" ])/g) ?? [];
  const style = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1]).join('');
  const inline = [...html.matchAll(/<script[^>]*>([\s\S]+?)<\/script>/g)].map((match) => match[1]).join('');
  const linked = [...html.matchAll(/href="(\/[^"]+\.css)"/g)]
    .map((match) => read(match[1] as string))
    .join('');
  const script = { th: 'thai', la: 'lao', en: null }[language];
  const faces = ['latin', script].filter((name) => name !== null);
  const fonts = faces.map(
    (name) => new RegExp(`/[^"')]*/${name}-[\\w-]+\\.woff2`).exec(style)?.[0] as string,
  );
  return {
    script: [...new Set(scripts)].reduce((sum, file) => sum + gzipBytes(read(file)), gzipBytes(inline)),
    style: gzipBytes(style + linked),
    fonts: fonts.reduce((sum, file) => sum + read(file).length, 0),
    html: gzipBytes(html),
  };
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

function main(): void {
  if (!existsSync(client)) throw new Error('build first: npm run build -w @krapao/web');
  let isTooHeavy = false;
  for (const language of LANGUAGES) {
    const weights = pageWeights(language, 'login');
    for (const [name, budget] of Object.entries(BUDGETS_KB)) {
      const bytes = weights[name as keyof typeof BUDGETS_KB];
      const isOver = bytes > budget * 1000;
      isTooHeavy ||= isOver;
      console.log(
        `login ${language} ${name}: ${kilobytes(bytes)} of ${budget} kB${isOver ? ', too heavy' : ''}`,
      );
    }
  }
  if (isTooHeavy) process.exit(1);
}

if (process.argv[1] === import.meta.filename) main();
