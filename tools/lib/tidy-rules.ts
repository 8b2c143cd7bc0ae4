import { basename } from 'node:path';

const SQL_LINES_MAX = 500;
/** Spelled apart so that this file does not break its own rule. */
const UNFINISHED = new RegExp(
  `\\b(${['TO', 'FIX'].map((start, at) => start + ['DO', 'ME'][at]).join('|')})\\b`,
);
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*\.sql$/;
const MIGRATION = /^\d{4}_[a-z0-9_]+\.sql$/;

/**
 * Judges one file by what Biome has no rule for: unfinished marks, and the names and lengths of SQL files.
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
  }
  lines.forEach((line, at) => {
    if (UNFINISHED.test(line))
      breaches.push(`${path}:${at + 1}: finish it, or say in a sentence what holds today.`);
  });
  return breaches;
}
