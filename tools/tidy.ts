/**
 * What Biome has no rule for: prints one sentence a breach, saying how to mend it, and ends with code 1.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './lib/files.ts';
import { breachesIn } from './lib/tidy-rules.ts';

const FOLDERS = ['apps', 'packages', 'e2e', 'bench', 'tools'];

const breaches: string[] = [];
for (const path of FOLDERS.flatMap(filesBelow)) {
  if (/\.(ts|tsx|mjs|cjs|css|sql)$/.test(path) && !path.includes('.gen.') && !path.endsWith('/schema.sql')) {
    breaches.push(...breachesIn(path, readFileSync(join(ROOT, path), 'utf8')));
  }
}
for (const breach of breaches) console.log(breach);
process.exitCode = breaches.length > 0 ? 1 : 0;
