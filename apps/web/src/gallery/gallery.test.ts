import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const COMPONENTS = join(import.meta.dirname, '../../../../packages/ui/src/components');

/** One draws nothing of its own, the other over the whole screen. */
const UNSEEN = ['failure-boundary.tsx', 'waiting.tsx'];

/** The components that a file imports, by their file names. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(?:@krapao\/ui\/components|\.)\/([\w-]+\.tsx)'/g)].map(
    ([, name]) => name!,
  );

test('every component is in the gallery, itself or within another', () => {
  const samples = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.tsx'));
  const shown = new Set<string>();
  const waiting = samples.flatMap((name) => importsOf(join(import.meta.dirname, name)));
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    if (shown.has(name) || samples.includes(name)) continue;
    shown.add(name);
    waiting.push(...importsOf(join(COMPONENTS, name)));
  }
  const components = readdirSync(COMPONENTS).filter((name) => name.endsWith('.tsx'));
  expect(components.filter((name) => !UNSEEN.includes(name) && !shown.has(name))).toEqual([]);
});
