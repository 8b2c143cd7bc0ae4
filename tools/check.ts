/** Every gate that needs no running program; prints one line a gate, all of them, and ends with code 1 if any failed. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, unseen } from './lib/boundaries.ts';
import { filesBelow, ROOT } from './lib/files.ts';
import { type Ended, runNode } from './lib/programs.ts';
import { ensureWebBuilt } from './lib/web-build.ts';

/** One gate: a name and what judges. */
type Gate = { name: string; judge: () => Promise<Ended> };

function program(name: string, ...args: string[]): Gate {
  return { name, judge: () => runNode(args) };
}

/** One type check a workspace, each a process of its own. */
function typeGates(): Gate[] {
  const files = ['apps', 'packages', 'e2e', 'bench', 'tools'].flatMap(filesBelow);
  const folders = files.flatMap((path) => (path.endsWith('/tsconfig.json') ? [dirname(path)] : []));
  // The compiler takes a project without sources for a mistake.
  const filled = folders.filter((folder) =>
    files.some((path) => path.startsWith(folder) && /\.tsx?$/.test(path)),
  );
  return filled.map((folder) => program(`types ${folder}`, 'node_modules/typescript/bin/tsc', '-p', folder));
}

async function judgeBoundaries(): Promise<Ended> {
  const { breaches, modules } = await cruise(ROOT);
  const lines = breaches.map(({ rule, from, to, comment }) => `${from} → ${to}\n  ${rule}: ${comment}`);
  lines.push(...unseen(modules).map((path) => `${path} was not seen by dependency-cruiser.`));
  return { code: lines.length > 0 ? 1 : 0, output: lines.join('\n') };
}

/** Gates whose programs other parts of the repository own; each runs once it is there. */
function ownGates(): Gate[] {
  const own: [name: string, path: string][] = [
    ['tidy', 'tools/tidy.ts'],
    ['catalogues', 'apps/web/tools/check-catalogues.ts'],
    ['catalogues of the console', 'apps/console/tools/check-catalogues.ts'],
    ['openapi', 'tools/openapi.ts'],
    ['schema', 'apps/server/tools/schema.ts'],
  ];
  return own.filter(([, path]) => existsSync(join(ROOT, path))).map(([name, path]) => program(name, path));
}

/** Weights are those of the built app, so it is built first when its sources changed. */
function weightGates(): Gate[] {
  const path = 'apps/web/tools/check-weights.ts';
  if (!existsSync(join(ROOT, path))) return [];
  const judge = async () => {
    await ensureWebBuilt();
    return runNode([path]);
  };
  return [{ name: 'weights', judge }];
}

function gates(): Gate[] {
  return [
    program(
      'format and lint',
      'node_modules/@biomejs/biome/bin/biome',
      'ci',
      '--colors=off',
      '--max-diagnostics=40',
      '--error-on-warnings',
    ),
    ...typeGates(),
    { name: 'boundaries', judge: judgeBoundaries },
    program('unused code', 'node_modules/knip/bin/knip.js', '--no-progress'),
    ...ownGates(),
    ...weightGates(),
  ];
}

async function run(gate: Gate): Promise<boolean> {
  const startedAt = Date.now();
  const { code, output } = await gate.judge().catch((error: Error) => ({ code: 1, output: error.message }));
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${gate.name} (${seconds} s)`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}

/** `npm run check -- knip` and the like run only the gates whose name contains a word given. */
function chosen(words: string[]): Gate[] {
  return gates().filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
}

async function main(): Promise<number> {
  const waiting = chosen(process.argv.slice(2));
  let failed = waiting.length === 0 ? 1 : 0;
  const worker = async () => {
    for (let gate = waiting.shift(); gate; gate = waiting.shift()) {
      if (!(await run(gate))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, worker));
  console.log(failed === 0 ? 'Everything holds.' : `${failed} failed.`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
