import { basename } from 'node:path';

const SQL_LINES_MAX = 500;
const SQL_BODY_LINES_MAX = 70;
const SQL_LINE_MAX = 118;
/** Spelled apart so that this file does not break its own rule. */
const UNFINISHED = new RegExp(
  `\\b(${['TO', 'FIX'].map((start, at) => start + ['DO', 'ME'][at]).join('|')})\\b`,
);
const KEBAB = /^[a-z0-9]+([-.][a-z0-9]+)*\.sql$/;
const MIGRATION = /^\d{4}_[a-z0-9_]+\.sql$/;

/** Rows or a result of a query with an explicit type. */
const ASSERTED_ROWS = /(?<!untyped\(\w+\))\.query<|\.rows(\[0\]!?)?\)* as (?!const\b)/;
/** Statements of platform/database run on a database of any version, before its tables are known. */
const TYPED_QUERIES = /^(apps\/server\/src\/(?!platform\/database\/)|bench\/|e2e\/).*\.ts$/;

/** A test that fails on a busy machine; `bench/` measures how long something takes. */
const TIMED_TEST = /\b(Date|performance)\.now\(\) - .*\.toBeLessThan/;
const TESTS = /\.(test|spec)\.tsx?$/;

/** The head of a function, or the text between two `$$`. */
const SQL_FUNCTION_OR_BODY = /^create or replace function (\w+)|\$\$(.*?)\$\$/gims;

/** Judges the lines of an SQL file, the lengths of its bodies, and in an `sql` folder the comments of its functions. */
function sqlBreaches(path: string, text: string): string[] {
  const lines = text.split('\n');
  const breaches: string[] = [];
  lines.forEach(({ length }, at) => {
    if (length > SQL_LINE_MAX)
      breaches.push(
        `${path}:${at + 1}: ${length} characters; the most is ${SQL_LINE_MAX}. Begin a new line at a clause or a comma.`,
      );
  });
  let name = 'the block';
  for (const { index, 1: declared, 2: body } of text.matchAll(SQL_FUNCTION_OR_BODY)) {
    const at = text.slice(0, index).split('\n').length;
    if (declared) {
      name = declared;
      if (path.includes('/sql/') && !lines[at - 2]?.startsWith('--'))
        breaches.push(
          `${path}:${at}: write above ${name} in a comment what it does for its caller, verb first.`,
        );
    }
    const length = body?.trim().split('\n').length ?? 0;
    if (length > SQL_BODY_LINES_MAX)
      breaches.push(
        `${path}:${at}: the body of ${name} is ${length} lines long; the most is ${SQL_BODY_LINES_MAX}. ` +
          'Move a step of it into a function of its own.',
      );
  }
  return breaches;
}

/**
 * Judges one file by what Biome has no rule for: unfinished marks, tests of durations, and the names, lengths and comments of SQL files.
 * @param path relative to the root
 * @returns one sentence a breach
 */
export function breachesIn(path: string, text: string): string[] {
  const breaches: string[] = [];
  const name = basename(path);
  const lines = text.split('\n');
  if (name.endsWith('.sql')) {
    if (!KEBAB.test(name) && !MIGRATION.test(name))
      breaches.push(`${path}: name it in kebab-case, or 0001_what_it_does.sql.`);
    if (lines.length - 1 > SQL_LINES_MAX)
      breaches.push(`${path}: ${lines.length - 1} lines; the most is ${SQL_LINES_MAX}. Split it.`);
    breaches.push(...sqlBreaches(path, text));
  }
  lines.forEach((line, at) => {
    if (TYPED_QUERIES.test(path) && ASSERTED_ROWS.test(line))
      breaches.push(
        `${path}:${at + 1}: delete the type: a query has its rows from its text. See docs/recipes/query.md.`,
      );
    if (TESTS.test(path) && TIMED_TEST.test(line))
      breaches.push(
        `${path}:${at + 1}: expect what happens, not how fast: a busy machine is late. Measure speed in bench/.`,
      );
    if (UNFINISHED.test(line))
      breaches.push(`${path}:${at + 1}: finish it, or say in a sentence what holds today.`);
  });
  return breaches;
}
