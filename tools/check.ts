/**
 * Every gate that needs no running program; prints one line a gate, with the remedy below what a gate complains of, and
 * ends with code 1 if any failed.
 */
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { cruise, unseen } from './lib/boundaries.ts';
import { filesBelow, ROOT } from './lib/files.ts';
import { type Ended, runNode } from './lib/programs.ts';
import { ensureWebBuilt } from './lib/web-build.ts';

/** One gate: a name, what judges, and what to do about its complaints. */
type Check = { name: string; remedy: string; judge: () => Promise<Ended> };

function program(name: string, remedy: string, ...args: string[]): Check {
  return { name, remedy, judge: () => runNode(args) };
}

/** One type check a workspace, each a process of its own. */
function typeChecks(): Check[] {
  const files = ['apps', 'packages', 'e2e', 'bench', 'tools'].flatMap(filesBelow);
  const folders = files.flatMap((path) => (path.endsWith('/tsconfig.json') ? [dirname(path)] : []));
  // The compiler takes a project without sources for a mistake.
  const filled = folders.filter((folder) =>
    files.some((path) => path.startsWith(folder) && /\.tsx?$/.test(path)),
  );
  const remedy = (folder: string) => `correct them manually; again: npm run check -- "types ${folder}"`;
  return filled.map((folder) =>
    program(`types ${folder}`, remedy(folder), 'node_modules/typescript/bin/tsc', '-p', folder),
  );
}

async function judgeBoundaries(): Promise<Ended> {
  const { breaches, modules } = await cruise(ROOT);
  const lines = breaches.map(({ rule, from, to, comment }) => `${from} → ${to}\n  ${rule}: ${comment}`);
  lines.push(...unseen(modules).map((path) => `${path} was not seen by dependency-cruiser.`));
  return { code: lines.length > 0 ? 1 : 0, output: lines.join('\n') };
}

/** Gates that are programs of this repository. */
function ownChecks(): Check[] {
  return [
    program('tidy', 'each sentence says what to do; again: npm run check -- tidy', 'tools/tidy.ts'),
    program('generated files', 'npm run fix', 'tools/generated.ts'),
    program(
      'links in documents',
      'correct the link or the command; again: npm run check -- links',
      'tools/doc-links.ts',
    ),
    ...['web', 'console'].map((app) =>
      program(
        `catalogues of ${app}`,
        `npm run new -- text ${app} <id> <Thai> <Lao> <English> for a missing text; npm run fix after a manual change`,
        `apps/${app}/tools/check-catalogues.ts`,
      ),
    ),
    program(
      'openapi',
      'mend the declaration in packages/contract; again: npm run check -- openapi',
      'tools/openapi.ts',
    ),
  ];
}

/** Weights are those of the built app, so it is built first when its sources changed. */
const WEIGHTS: Check = {
  name: 'weights',
  remedy: 'load what is not needed at first by import(); limits: apps/web/tools/check-weights.ts',
  judge: async () => {
    await ensureWebBuilt();
    return runNode(['apps/web/tools/check-weights.ts']);
  },
};

function checks(): Check[] {
  return [
    program(
      'format and lint',
      'npm run fix, then correct manually what it leaves',
      'node_modules/@biomejs/biome/bin/biome',
      'ci',
      '--colors=off',
      '--max-diagnostics=40',
      '--error-on-warnings',
    ),
    ...typeChecks(),
    {
      name: 'boundaries',
      remedy: 'move the code, or pass in what it needs; who may import whom: docs/architecture.md',
      judge: judgeBoundaries,
    },
    program(
      'unused code',
      'delete it; again: npm run check -- unused',
      'node_modules/knip/bin/knip.js',
      '--no-progress',
    ),
    ...ownChecks(),
    WEIGHTS,
  ];
}

async function run(check: Check): Promise<boolean> {
  const startedAt = Date.now();
  const { code, output } = await check.judge().catch((error: Error) => ({ code: 1, output: error.message }));
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${check.name} (${seconds} s)`);
  if (code !== 0) console.log(`${output.trimEnd()}\n       Remedy: ${check.remedy}`);
  return code === 0;
}

/** `npm run check -- knip` and the like run only the gates whose name contains a word given. */
function chosen(args: string[]): Check[] {
  return checks().filter(({ name }) => args.length === 0 || args.some((arg) => name.includes(arg)));
}

async function main(): Promise<number> {
  const waiting = chosen(process.argv.slice(2));
  if (waiting.length === 0) {
    console.log(
      `There is no such gate. Gates: ${checks()
        .map(({ name }) => name)
        .join(', ')}.`,
    );
    return 1;
  }
  let failed = 0;
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      if (!(await run(check))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, worker));
  console.log(failed === 0 ? 'Everything holds.' : `${failed} failed.`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
