import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The repository's root folder. */
export const ROOT = join(import.meta.dirname, '..', '..');

const PASSED_OVER = new Set(['node_modules', 'dist', '.git', '.data', 'test-results', 'playwright-report']);

/** Every file below `folder` (relative to the root), as paths relative to the root, sorted. */
export function filesBelow(folder: string): string[] {
  const start = join(ROOT, folder);
  if (!existsSync(start)) return [];
  const found: string[] = [];
  const waiting = [start];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        if (!PASSED_OVER.has(entry.name)) waiting.push(path);
      } else if (entry.isFile()) {
        found.push(relative(ROOT, path));
      }
    }
  }
  return found.sort();
}
