/**
 * Runs every test and ends with the line `N passed, N failed`; with code 1 on any failure, and when fewer browser
 * tests ran than e2e/floor.json demands. `npm test -- unit database e2e` runs only the parts named.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/files.ts';
import { showNode } from './lib/programs.ts';
import { browserSum, NOTHING, type Sum, together, vitestSum } from './lib/test-sums.ts';
import { throwawayFolder } from './lib/throwaway.ts';
import { ensureWebBuilt } from './lib/web-build.ts';

const PARTS = ['unit', 'database', 'e2e'] as const;
type Part = (typeof PARTS)[number];

const BROWSER_CONFIG = 'e2e/playwright.config.ts';
const BROWSER_FLOOR = 'e2e/floor.json';

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

async function runVitest(projects: Part[], reports: string): Promise<Sum> {
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
  ]);
  return vitestSum(readReport(report), code);
}

async function runBrowser(reports: string): Promise<Sum> {
  if (!existsSync(join(ROOT, BROWSER_CONFIG))) return NOTHING;
  const report = join(reports, 'browser.json');
  const code = await showNode(
    ['node_modules/@playwright/test/cli.js', 'test', '-c', BROWSER_CONFIG, '--reporter=line,json'],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  const floor = readReport(join(ROOT, BROWSER_FLOOR));
  return browserSum(readReport(report), code, floor);
}

function partsFrom(args: string[]): Part[] {
  const odd = args.filter((arg) => !PARTS.some((part) => part === arg));
  if (odd.length > 0) throw new Error(`Which tests? Any of: ${PARTS.join(', ')}; not ${odd.join(', ')}.`);
  return args.length > 0 ? PARTS.filter((part) => args.includes(part)) : [...PARTS];
}

async function run(parts: Part[]): Promise<Sum> {
  const reports = throwawayFolder();
  const sums = [
    await runVitest(
      parts.filter((part) => part !== 'e2e'),
      reports,
    ),
  ];
  if (parts.includes('e2e')) {
    await ensureWebBuilt();
    sums.push(await runBrowser(reports));
  }
  return together(sums);
}

async function main(): Promise<number> {
  // Some two hundred programs are started in a run: each finds its modules compiled.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compiled');
  try {
    const parts = partsFrom(process.argv.slice(2));
    const { passed, failed, skipped, complaints } = await run(parts);
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
