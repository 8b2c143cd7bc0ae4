import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATEMENT_STATUSES } from '@krapao/contract/shared';
import { expect, test } from 'vitest';

const COMPONENTS = join(import.meta.dirname, '../../../../packages/ui/src/components');

/** One draws nothing of its own, the other over the whole screen. */
const UNSEEN = ['failure-boundary.tsx', 'waiting.tsx'];

const read = (file: string): string => readFileSync(file, 'utf8');
const samples = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => join(import.meta.dirname, name));
const components = readdirSync(COMPONENTS).filter((name) => name.endsWith('.tsx'));

/** The components that a file imports, by their file names. */
const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/from '(?:@krapao\/ui\/components|\.)\/([\w-]+\.tsx)'/g)].map(([, name]) => name!);

/** The components that the gallery draws, itself or within another. */
function shownComponents(): Set<string> {
  const shown = new Set<string>();
  const waiting = samples.flatMap(importsOf);
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    if (shown.has(name) || !components.includes(name)) continue;
    shown.add(name);
    waiting.push(...importsOf(join(COMPONENTS, name)));
  }
  return shown;
}

const SHARED_UNIONS: Record<string, readonly string[]> = { StatementStatus: STATEMENT_STATUSES };
const literals = (type: string): string[] => [...type.matchAll(/'([^']+)'/g)].map(([, value]) => value!);

/** The values that a type of a component's file allows, where they are few words; none for any other type. */
function valuesOf(type: string, source: string): readonly string[] {
  if (/^'[^']+'( \| '[^']+')*$/.test(type)) return literals(type);
  if (SHARED_UNIONS[type]) return SHARED_UNIONS[type];
  const table = /^keyof typeof (\w+)$/.exec(type)?.[1];
  if (table) {
    const body =
      new RegExp(`const ${table}[^=]*= \\{([\\s\\S]*?)\\n?\\}( as const)?( satisfies .*)?;`).exec(
        source,
      )?.[1] ?? '';
    return [...body.replaceAll(/\{[^}]*\}/g, '').matchAll(/(?:^|[,\s])(\w+):/g)].map(([, name]) => name!);
  }
  const alias = new RegExp(`type ${type.replaceAll(/\W/g, '')} = ([^;]+);`).exec(source)?.[1];
  return alias === undefined || alias === type ? [] : valuesOf(alias.trim(), source);
}

/** The states of a component file: `Name prop` of each flag, `Name prop=value` of each choice. */
function statesOf(file: string): string[] {
  const source = read(join(COMPONENTS, file));
  return [...source.matchAll(/interface (\w+)Props[^{]*\{([\s\S]*?)\n\}/g)].flatMap(([, name, body]) =>
    [...body!.matchAll(/^ {2}(\w+)\??: ([^;]+);/gm)].flatMap(([, prop, type]) =>
      type === 'boolean'
        ? [`${name} ${prop}`]
        : valuesOf(type!, source).map((value) => `${name} ${prop}=${value}`),
    ),
  );
}

/** What the tags of a source are given: the same names; a value that is reckoned counts as every value. */
function givenIn(source: string): string[] {
  return [...source.matchAll(/<([A-Z]\w*)\b/g)].flatMap(({ index, 0: start, 1: name }) => {
    let depth = 0;
    let end = index + start.length;
    for (; end < source.length && (depth > 0 || source[end] !== '>'); end++)
      depth += Number(source[end] === '{') - Number(source[end] === '}');
    const attributes = source.slice(index + start.length, end);
    return [...attributes.matchAll(/\s(\w+)(?:="([^"]*)"|=\{([^}]*)\}|(?=[\s/]|$))/g)]
      .filter(([, , , reckoned]) => reckoned !== 'false')
      .flatMap(([, prop, value, reckoned]) => [
        value === undefined ? `${name} ${prop}` : `${name} ${prop}=${value}`,
        ...(reckoned === undefined ? [] : [`${name} ${prop}=*`]),
      ]);
  });
}

test('every component is in the gallery, itself or within another', () => {
  const shown = shownComponents();
  expect(components.filter((name) => !UNSEEN.includes(name) && !shown.has(name))).toEqual([]);
});

test('every state of a component is in the gallery: each flag set, each choice of a tone or status', () => {
  const shown = shownComponents();
  const given = new Set(
    [...samples, ...[...shown].map((name) => join(COMPONENTS, name))].flatMap((file) => givenIn(read(file))),
  );
  const states = [...shown].flatMap(statesOf);
  expect(states.length).toBeGreaterThan(40);
  const missing = states.filter((state) => !given.has(state) && !given.has(state.replace(/=.*/, '=*')));
  expect(missing).toEqual([]);
});
