import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './files.ts';
import { noticeOf } from './notice.ts';
import { runNode } from './programs.ts';

/** A checked-in file that is made from other files. */
type Generated = { path: string; make: () => Promise<string> };

/** Runs a function of a module in a Node of its own, so that it reads the sources as they are now. */
async function print(module: string, name: string): Promise<string> {
  const url = pathToFileURL(join(ROOT, module)).href;
  const script = `process.stdout.write((await import(${JSON.stringify(url)})).${name}());`;
  const { code, output, stdout } = await runNode(['--input-type=module', '--eval', script]);
  if (code !== 0) throw new Error(`${module} failed:\n${output}`);
  return stdout;
}

const GENERATED: Generated[] = [
  ...['apps/web', 'apps/console'].map((app) => ({
    path: `${app}/src/locales/message-ids.gen.ts`,
    make: () => print(`${app}/tools/message-types.ts`, 'messageTypes'),
  })),
  ...(['th', 'la', 'en'] as const).map((language) => ({
    path: `docs/console/${language}.md`,
    make: () => print('apps/console/tools/help-pages.ts', `help${language[0]!.toUpperCase()}${language[1]}`),
  })),
  { path: 'docs/settings.md', make: () => print('apps/server/src/settings-page.ts', 'settingsPage') },
  { path: 'docs/webhook-events.md', make: () => print('apps/server/src/webhooks-page.ts', 'webhooksPage') },
  {
    path: 'apps/server/src/platform/sql/alert-kinds.gen.sql',
    make: () => print('apps/server/tools/alert-kinds.ts', 'alertKindsSql'),
  },
  {
    path: 'NOTICE',
    make: async () => noticeOf(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))),
  },
];

/** The files that are made from the database, by path. */
async function fromDatabase(): Promise<{ path: string; text: string }[]> {
  const { code, output, stdout } = await runNode(['apps/server/tools/schema.ts']);
  if (code !== 0) throw new Error(`apps/server/tools/schema.ts failed:\n${output}`);
  return Object.entries(JSON.parse(stdout) as Record<string, string>).map(([path, text]) => ({ path, text }));
}

/**
 * Returns the generated files that differ from what the sources make of them, each with the text it should have.
 * @throws Error when a generator fails
 */
export async function staleFiles(): Promise<{ path: string; text: string }[]> {
  const made = GENERATED.map(async ({ path, make }) => ({ path, text: await make() }));
  const all = [...(await Promise.all(made)), ...(await fromDatabase())];
  return all.filter(({ path, text }) => {
    const file = join(ROOT, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
}

/** Writes every stale generated file and returns their paths. */
export async function generate(): Promise<string[]> {
  const stale = await staleFiles();
  for (const { path, text } of stale) writeFileSync(join(ROOT, path), text);
  return stale.map(({ path }) => path);
}
