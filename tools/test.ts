/**
 * Runs tests and ends with the line `N passed, N failed`; with code 1 on any failure, and when a run of all browser
 * tests ran fewer than e2e/floor.json demands. `npm test -- <parts, paths, names or --changed>` runs some of them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './lib/files.ts';
import { runNode, showNode } from './lib/programs.ts';
import { partOf, type Selection, select, type TestFile } from './lib/test-selection.ts';
import { browserSum, NOTHING, type Sum, selectedSum, together, vitestSum } from './lib/test-sums.ts';
import { throwawayFolder } from './lib/throwaway.ts';
import { ensureWebBuilt } from './lib/web-build.ts';

const BROWSER_CONFIG = 'e2e/playwright.config.ts';
const BROWSER_FLOOR = 'e2e/floor.json';

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The commit the branch left main at; undefined without a main branch, so that only the working copy counts. */
function branchBase(): string | undefined {
  for (const main of ['origin/main', 'main']) {
    const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', main], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    if (status === 0) return stdout.trim();
  }
  return undefined;
}

/** Arguments that narrow a Vitest run to a selection. */
function vitestSelection({ changed, files, name }: Selection): string[] {
  if (changed) return [`--changed=${branchBase() ?? 'HEAD'}`];
  return [
    ...(files ?? []).filter((path) => partOf(path) !== 'e2e'),
    ...(name === undefined ? [] : [`--testNamePattern=${name}`]),
  ];
}

async function runVitest(selection: Selection, reports: string): Promise<Sum> {
  const projects = selection.parts.filter((part) => part !== 'e2e');
  if (projects.length === 0) return NOTHING;
  const report = join(reports, 'vitest.json');
  const code = await showNode([
    'node_modules/vitest/vitest.mjs',
    'run',
    // unit is several projects: those that render components have an environment each.
    ...projects.map((project) => `--project=${project}*`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...vitestSelection(selection),
  ]);
  return vitestSum(readReport(report), code);
}

async function runBrowser({ files, name }: Selection, reports: string): Promise<Sum> {
  if (!existsSync(join(ROOT, BROWSER_CONFIG))) return NOTHING;
  const report = join(reports, 'browser.json');
  const chosen = (files ?? []).filter((path) => partOf(path) === 'e2e');
  const code = await showNode(
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '-c',
      BROWSER_CONFIG,
      '--reporter=line,json',
      ...chosen,
      ...(name === undefined ? [] : [`--grep=${name}`, '--pass-with-no-tests']),
    ],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  const floor = files ? { minimum: 0 } : readReport(join(ROOT, BROWSER_FLOOR));
  return browserSum(readReport(report), code, floor);
}

async function run(selection: Selection): Promise<Sum> {
  const reports = throwawayFolder();
  const sums = [await runVitest(selection, reports)];
  if (selection.parts.includes('e2e')) {
    await ensureWebBuilt();
    sums.push(await runBrowser(selection, reports));
  }
  const sum = together(sums);
  return selection.files ? selectedSum(sum) : sum;
}

function testFiles(): TestFile[] {
  const paths = ['apps', 'packages', 'bench', 'tools', 'e2e']
    .flatMap(filesBelow)
    .filter((path) => partOf(path));
  return paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** What the programs started by tests consist of. */
const PROGRAMS = [
  'apps/server/src/app.ts',
  'apps/server/src/demo.ts',
  'apps/server/src/demo/history.ts',
  'apps/sandbox/src/app.ts',
];

/**
 * Lets the some two hundred programs of a run find their modules compiled: a server then takes 2.0 s of processor time
 * to start instead of 3.2. Node writes the cache when a program ends by itself, which killed ones do not.
 */
async function compileModules(): Promise<void> {
  const imports = PROGRAMS.map((path) => `import './${path}';`);
  const { code, output } = await runNode(['--input-type=module', '--eval', imports.join('')]);
  if (code !== 0) throw new Error(`the programs could not be loaded:\n${output}`);
}

async function main(): Promise<number> {
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compiled');
  try {
    const selection = select(process.argv.slice(2), testFiles(), ROOT);
    if (!selection.files) await compileModules();
    const { passed, failed, skipped, complaints } = await run(selection);
    for (const complaint of complaints) console.log(complaint);
    if (skipped > 0) console.log(`${skipped} skipped`);
    console.log(`${passed} passed, ${failed} failed`);
    return failed > 0 ? 1 : 0;
  } catch (error) {
    console.log((error as Error).message);
    console.log('0 passed, 1 failed');
    return 1;
  }
}

process.exitCode = await main();
