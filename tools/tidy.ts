/**
 * What Biome has no rule for: prints one sentence a breach, saying how to mend it, and ends with code 1.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classBreaches } from './lib/css-modules.ts';
import { filesBelow, ROOT } from './lib/files.ts';
import { breachesIn } from './lib/tidy-rules.ts';
import { wordBreaches } from './lib/word-rules.ts';

const FOLDERS = ['apps', 'packages', 'e2e', 'bench', 'tools', 'docs'];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const breaches: string[] = [];
for (const path of FOLDERS.flatMap(filesBelow)) {
  if (
    /\.(ts|tsx|mjs|cjs|css|sql|md)$/.test(path) &&
    !path.includes('.gen.') &&
    !path.endsWith('/schema.sql')
  ) {
    const text = read(path);
    if (!path.endsWith('.md')) breaches.push(...breachesIn(path, text));
    breaches.push(...wordBreaches(path, text), ...classBreaches(path, text, read));
  }
}
for (const breach of breaches) console.log(breach);
process.exitCode = breaches.length > 0 ? 1 : 0;
