import { dirname, join, normalize } from 'node:path';

/** What a document may point to. */
export type Repository = {
  /** The text of a file by its path from the root; '' for a folder or what is no text; undefined when there is none. */
  read: (path: string) => string | undefined;
  /** Scripts by workspace; those of the root package under ''. */
  scripts: Record<string, readonly string[]>;
  /** Names that `npm run bench --` takes. */
  benches: readonly string[];
  /** The paths of all files from the root. */
  files: readonly string[];
  /** The words of the source files: names of functions, types, tables and columns. */
  words: ReadonlySet<string>;
};

/** The anchor GitHub gives a heading. */
export function anchorOf(heading: string): string {
  const bare = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
  return bare
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

function anchorsIn(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ +(.+)$/gm);
  return new Set([...headings].map(([, heading]) => anchorOf(heading!)));
}

function linkProblem(path: string, target: string, { read }: Repository): string[] {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
  const [file = '', anchor] = target.split('#');
  const wanted = file === '' ? path : normalize(join(dirname(path), decodeURIComponent(file)));
  const found = read(wanted.replace(/\/$/, ''));
  if (found === undefined) return [`${path}: ${target} leads nowhere.`];
  if (anchor && wanted.endsWith('.md') && !anchorsIn(found).has(anchor))
    return [`${path}: ${wanted} has no heading #${anchor}.`];
  return [];
}

function commandProblems(path: string, text: string, { scripts, benches }: Repository): string[] {
  const commands = text.matchAll(
    /\bnpm run (?:-w (\S+) )?([a-z][\w:-]*)(?: -w (\S+))?(?: -- ([a-z][\w-]*))?/g,
  );
  return [...commands].flatMap(([command, before, script = '', after, word]) => {
    const known = scripts[before ?? after ?? ''] ?? [];
    if (!known.includes(script)) return [`${path}: there is no command ${command}.`];
    const isOddBench = script === 'bench' && word && !benches.includes(word);
    return isOddBench ? [`${path}: there is no bench ${word}.`] : [];
  });
}

/** Documents of the past, which name what was there. */
const OF_THE_PAST = /^(?:CHANGELOG\.md|docs\/decisions\/)/;
const SOURCE_PATH = /^[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|sql|mjs|css|po)$/;
const FOLDER = /^[\w.-]+(?:\/[\w.-]+)*\/$/;
/** camelCase or snake_case. */
const NAME = /^(?:[a-z]+[A-Z]\w*|[a-z]+(?:_[a-z]+)+)$/;

/** Paths in code, whole or from any folder on, and in recipes names, that are nowhere in the repository. */
function codeProblems(path: string, text: string, { files, words }: Repository): string[] {
  if (OF_THE_PAST.test(path)) return [];
  const codes = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
  const isThere = (code: string): boolean => {
    if (SOURCE_PATH.test(code)) return files.some((file) => `/${file}`.endsWith(`/${code}`));
    if (FOLDER.test(code)) return files.some((file) => `/${file}`.includes(`/${code}`));
    return !path.startsWith('docs/recipes/') || !NAME.test(code) || words.has(code);
  };
  return codes
    .filter((code) => !isThere(code))
    .map((code) => `${path}: ${code} is nowhere in the repository.`);
}

/** Returns one sentence for each relative link of a document that leads nowhere, and each command, path or name that is none. */
export function docProblems(path: string, text: string, repository: Repository): string[] {
  const prose = withoutCode(text);
  const links = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)].map(([, target]) => target!);
  const sources = [...prose.matchAll(/<(?:img|a)\b[^>]*\b(?:src|href)="([^"]+)"/g)].map(
    ([, target]) => target!,
  );
  return [
    ...[...links, ...sources].flatMap((target) => linkProblem(path, target, repository)),
    ...commandProblems(path, text, repository),
    ...codeProblems(path, text, repository),
  ];
}
