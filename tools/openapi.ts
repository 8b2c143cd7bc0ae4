/**
 * Writes what the server declares, for members and for adapters, to dist/openapi-<reader>.json and lints it.
 * Ends with code 1 when a rule is broken.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './lib/files.ts';
import { runNode } from './lib/programs.ts';

const SOURCE = join(ROOT, 'apps', 'server', 'src', 'openapi.ts');
const CONFIG = join(import.meta.dirname, 'redocly.yaml');
const CLI = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');

async function main(): Promise<number> {
  const { openapiDocuments } = await import(pathToFileURL(SOURCE).href);
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const targets = Object.entries(await openapiDocuments()).map(([reader, document]) => {
    const target = join(ROOT, 'dist', `openapi-${reader}.json`);
    writeFileSync(target, `${JSON.stringify(document, null, 2)}\n`);
    return target;
  });
  const { code, output } = await runNode([
    CLI,
    'lint',
    ...targets,
    '--config',
    CONFIG,
    '--format',
    'stylish',
  ]);
  console.log(output.trim());
  return code;
}

process.exit(await main());
