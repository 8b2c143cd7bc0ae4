import { join } from 'node:path';
import { filesBelow, ROOT } from './files.ts';
import { runNode } from './programs.ts';

/** One import that breaks a rule of .dependency-cruiser.cjs. */
export type Breach = { rule: string; from: string; to: string; comment: string };

/** What dependency-cruiser saw. */
export type Cruise = { breaches: Breach[]; modules: string[] };

type Violation = {
  from: string;
  to: string;
  rule: { name: string };
  comment?: string;
  cycle?: { name: string }[];
};
type Report = {
  summary: { violations: Violation[]; ruleSetUsed?: { forbidden?: { name: string; comment?: string }[] } };
  modules: { source: string }[];
};

/** The folders that are judged. */
export const CRUISED = ['apps', 'packages', 'e2e', 'bench', 'tools'];

/**
 * Reads every import below a folder and judges it by the rules.
 * @param base absolute; paths in rules are taken from here
 * @throws with the tool's output when it fails
 */
export async function cruise(base: string): Promise<Cruise> {
  const program = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const config = join(ROOT, '.dependency-cruiser.cjs');
  const { output, stdout } = await runNode(
    [program, '--output-type', 'json', '--config', config, ...CRUISED],
    base,
  );
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser failed:\n${output}`);
  const report: Report = JSON.parse(stdout);
  const comments = new Map(
    report.summary.ruleSetUsed?.forbidden?.map((rule) => [rule.name, rule.comment ?? '']),
  );
  const breaches = report.summary.violations.map(({ from, to, rule }) => {
    return { rule: rule.name, from, to, comment: comments.get(rule.name) ?? '' };
  });
  return { breaches, modules: report.modules.map((module) => module.source) };
}

/** TypeScript files of ours that dependency-cruiser did not see: a gate that sees nothing passes everything. */
export function unseen(modules: string[]): string[] {
  const seen = new Set(modules);
  const ours = CRUISED.flatMap(filesBelow).filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'));
  return ours.filter((path) => !path.startsWith('tools/fixtures/') && !seen.has(path));
}
