/** Stops the build when the three catalogues disagree with each other, with the code, or with the list of codes. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CODES, IDENTITY_CODES, LANGUAGES, type Language } from '@krapao/contract/shared';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { readPo } from './catalogues.ts';

const roots = ['../src', '../../../packages/ui/src'].map((folder) => path.join(import.meta.dirname, folder));

/** Families whose ids the code puts together: `t(\`time.${unit}\`)`. */
const BUILT = [
  'coupon.of',
  'error.',
  'kycDocument.',
  'kycRefusal.',
  'month.',
  'time.',
  'type.',
  'weekday.',
  'weekdayShort.',
];

function sources(): string {
  return roots
    .flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => path.join(root, name)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.(d|test|gen)\.tsx?$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** Argument names of a message, sorted. */
function argumentsOf(text: string): string {
  const names = new Set<string>();
  const walk = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens) {
      if (!Array.isArray(token)) continue;
      names.add(String(token[0]));
      for (const branch of Object.values((token[2] ?? {}) as Record<string, unknown>)) walk(branch);
    }
  };
  walk(compileMessage(text));
  return [...names].sort().join(' ');
}

function compareLanguages(catalogues: Record<Language, Map<string, string>>): string[] {
  const problems: string[] = [];
  const all = new Set(LANGUAGES.flatMap((locale) => [...catalogues[locale].keys()]));
  for (const id of all) {
    const texts = LANGUAGES.map((locale) => catalogues[locale].get(id));
    LANGUAGES.forEach((locale, index) => {
      if (!texts[index]) problems.push(`${locale}.po: no text for ${id}`);
      else if (argumentsOf(texts[index]) !== argumentsOf(texts[0] ?? ''))
        problems.push(`${locale}.po: ${id} names other arguments than th.po`);
    });
  }
  return problems;
}

function compareWithCode(ids: Set<string>): string[] {
  const code = sources();
  const used = new Set([...code.matchAll(/['"]([a-zA-Z]+\.[\w-]+)['"]/g)].map((match) => match[1] as string));
  const requested = [...code.matchAll(/\bt\(\s*['"]([^'"]+)['"]/g)].map((match) => match[1] as string);
  const isBuilt = (id: string) => BUILT.some((family) => id.startsWith(family));
  return [
    ...[...ids].filter((id) => !used.has(id) && !isBuilt(id)).map((id) => `${id} is not used`),
    ...requested.filter((id) => !ids.has(id)).map((id) => `${id} is used but has no text`),
    ...ERROR_CODES.filter((name) => !ids.has(`error.${name}`)).map((name) => `the code ${name} has no text`),
  ];
}

function compareIdentity(catalogues: Record<Language, Map<string, string>>): string[] {
  return LANGUAGES.filter(
    (locale) => new Set(IDENTITY_CODES.map((name) => catalogues[locale].get(`error.${name}`))).size !== 1,
  ).map((locale) => `${locale}.po: the four identity codes must read alike`);
}

/** Every problem found, in words. */
export function cataloguesProblems(): string[] {
  const catalogues = Object.fromEntries(LANGUAGES.map((locale) => [locale, readPo(locale)])) as Record<
    Language,
    Map<string, string>
  >;
  return [
    ...compareLanguages(catalogues),
    ...compareWithCode(new Set(catalogues.th.keys())),
    ...compareIdentity(catalogues),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const problems = cataloguesProblems();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log(`catalogues agree: ${readPo('th').size} texts in ${LANGUAGES.length} languages`);
}
