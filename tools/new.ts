/** `npm run new -- <what> …`: generates the files of a change that always has the same files, and wires them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { call, feature } from './lib/call-generator.ts';
import { filesBelow, ROOT } from './lib/files.ts';
import { generate } from './lib/generated.ts';
import { code, type Generator, migrationIn, setting, text, UsageError } from './lib/generators.ts';
import { runNode } from './lib/programs.ts';

const GENERATORS: Record<string, Generator> = {
  feature,
  call,
  code,
  text,
  setting,
  migration: migrationIn(filesBelow('apps/server')),
};

const usageOf = (name: string): string => `npm run new -- ${name} ${GENERATORS[name]?.usage}`;

const help = (): string =>
  Object.entries(GENERATORS)
    .map(([name, { about }]) => `${usageOf(name)}\n    ${about}`)
    .join('\n');

function read(path: string): string | undefined {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

async function format(paths: string[]): Promise<void> {
  const known = paths.filter((path) => path.endsWith('.ts'));
  if (known.length === 0) return;
  const { code: status, output } = await runNode([
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--write',
    '--colors=off',
    ...known,
  ]);
  if (status !== 0) console.log(output.trim());
}

async function main([kind = '', ...args]: string[]): Promise<number> {
  const generator = Object.hasOwn(GENERATORS, kind) ? GENERATORS[kind] : undefined;
  if (!generator) {
    console.error(help());
    return 1;
  }
  try {
    const { files, next } = generator.make(args, read);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true });
      writeFileSync(join(ROOT, path), content);
    }
    await format(Object.keys(files));
    for (const path of [...Object.keys(files), ...(await generate())]) console.log(path);
    console.log(['', 'Next:', ...next.map((step) => `- ${step}`)].join('\n'));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n${usageOf(kind)}`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
