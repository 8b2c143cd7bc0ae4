/** The parts of the test suite, in the order they run. */
export const PARTS = ['unit', 'database', 'e2e'] as const;
export type Part = (typeof PARTS)[number];

/** A test file: its path from the root, and its text. */
export type TestFile = { path: string; text: string };

/** What to run. `files` and `name` are undefined where they restrict nothing. */
export type Selection = {
  parts: Part[];
  changed: boolean;
  /** Paths from the root, of Vitest's tests and of Playwright's. */
  files?: string[];
  /** A regular expression, as text, that names of tests must match. */
  name?: string;
};

/** Returns the part a test file belongs to; undefined when the path is no test's. */
export function partOf(path: string): Part | undefined {
  if (/^e2e\/journeys\/.*\.spec\.ts$/.test(path)) return 'e2e';
  if (/^(apps\/server|bench)\/src\/.*\.test\.ts$/.test(path)) return 'database';
  return /^(apps|packages|tools)\/.*\.test\.tsx?$/.test(path) ? 'unit' : undefined;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Reads the words after `npm test --`. A part narrows the run to that part. Any other word selects the test files
 * whose path contains it, or, when no path does, the tests whose name contains it: then only files that spell the
 * name run, or every file when none does, since a name may be put together. A word with a slash and no space is
 * never a name: it was meant as a path. `--changed` selects the tests that import what the branch or the working copy
 * changed; it knows nothing of browser tests.
 * @param root the folder the paths start from; a word that begins with it is taken as the path below it
 * @throws Error for an unknown option, for a path of no test, and for `--changed` beside a path, a name or e2e
 */
export function select(args: string[], tests: TestFile[], root: string): Selection {
  const option = args.find((arg) => arg.startsWith('-') && arg !== '--changed');
  if (option) throw new Error(`There is no option ${option}. ${USAGE}`);
  const changed = args.includes('--changed');
  const named = PARTS.filter((part) => args.includes(part));
  const parts = named.length > 0 ? named : [...PARTS];
  const words = args.filter((arg) => arg !== '--changed' && !PARTS.some((part) => part === arg));
  const wanted = words.map((word) => (word.startsWith(`${root}/`) ? word.slice(root.length + 1) : word));
  if (changed && (wanted.length > 0 || named.includes('e2e')))
    throw new Error(`--changed excludes other arguments except unit or database. ${USAGE}`);
  if (changed) return { parts: parts.filter((part) => part !== 'e2e'), changed };
  if (wanted.length === 0) return { parts, changed };
  return { ...selectFiles(wanted, tests, parts), changed };
}

function selectFiles(wanted: string[], tests: TestFile[], parts: Part[]): Omit<Selection, 'changed'> {
  const ours = tests.filter(({ path }) => parts.some((part) => part === partOf(path)));
  const holding = (arg: string) => ours.filter(({ path }) => path.includes(arg.replace(/^\.\//, '')));
  const names = wanted.filter((arg) => holding(arg).length === 0);
  const byPath = wanted.flatMap(holding);
  const searched = byPath.length > 0 ? byPath : ours;
  const lost = names.find((name) => /^\S*\/\S*$/.test(name));
  if (lost) throw new Error(`No test file of this run has ${lost} in its path. ${USAGE}`);
  const spelling = searched.filter(({ text }) => names.some((name) => text.includes(name)));
  const chosen = names.length > 0 && spelling.length > 0 ? spelling : searched;
  const files = [...new Set(chosen.map(({ path }) => path))];
  return {
    parts: parts.filter((part) => files.some((path) => partOf(path) === part)),
    files,
    ...(names.length > 0 ? { name: names.map(escaped).join('|') } : {}),
  };
}

const USAGE =
  'npm test -- [unit] [database] [e2e] [--changed] [part of a path] [part of a test name], for example ' +
  'npm test -- withdrawals/payout.test.ts';
