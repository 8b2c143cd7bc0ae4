/**
 * Writes the API's description as the server's routes declare it to dist/openapi.json and lints it.
 * Ends with code 1 when a rule is broken.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './lib/files.ts';
import { runNode } from './lib/programs.ts';

const SOURCE = join(ROOT, 'apps', 'server', 'src', 'openapi.ts');
const TARGET = join(ROOT, 'dist', 'openapi.json');
const CONFIG = join(import.meta.dirname, 'redocly.yaml');

async function main(): Promise<number> {
  if (!existsSync(SOURCE)) {
    console.log('The server declares no document yet.');
    return 0;
  }
  const { openapiDocument } = await import(pathToFileURL(SOURCE).href);
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(TARGET, `${JSON.stringify(await openapiDocument(), null, 2)}\n`);
  const cli = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const { code, output } = await runNode([cli, 'lint', TARGET, '--config', CONFIG, '--format', 'stylish']);
  console.log(output.trim());
  return code;
}

process.exit(await main());
