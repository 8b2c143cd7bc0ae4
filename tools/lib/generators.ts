import { LANGUAGES, languageTag } from '@krapao/contract/shared';

/** What a generator makes: files to write, by path from the root, and the manual steps left. */
export type Made = { files: Record<string, string>; next: string[] };

/** Reads a file of the repository by its path from the root; undefined when there is none. */
export type Read = (path: string) => string | undefined;

/** Generates the files for its arguments. Throws UsageError for invalid ones; writes nothing itself. */
export type Generator = { usage: string; about: string; make: (args: string[], read: Read) => Made };

/** What the person at the keyboard can mend, in one sentence. */
export class UsageError extends Error {}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
/** The languages by their English names, one argument of a generator each. */
const TEXTS = LANGUAGES.map((language) => languageNames.of(languageTag(language))!);
const TEXTS_USAGE = TEXTS.map((name) => `<${name}>`).join(' ');

const APPS = ['web', 'console'] as const;

/** Returns the words when there is one for each name; throws UsageError with the names of those missing. */
export function need(args: (string | undefined)[], names: string[]): string[] {
  const missing = names.filter((_, at) => !args[at]?.trim());
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.join(', ')}.`);
  return args as string[];
}

/** Throws UsageError when a word is not what it has to be. */
export function mustMatch(value: string, pattern: RegExp, what: string): void {
  if (!pattern.test(value)) throw new UsageError(`${value} is not ${what}.`);
}

/** Reads a file that has to be there. */
export function mustRead(read: Read, path: string): string {
  const text = read(path);
  if (text === undefined) throw new Error(`${path} is not there.`);
  return text;
}

/** Puts `addition` before the first place that matches; throws when the file no longer has such a place. */
export function insertBefore(text: string, place: RegExp, addition: string, path: string): string {
  const at = text.search(place);
  if (at < 0) throw new Error(`${path} has no place like ${place}: adapt tools/lib/generators.ts.`);
  return text.slice(0, at) + addition + text.slice(at);
}

/** Returns a catalogue with one entry more: behind the ids of its family that sort before it, else at the end. */
export function withText(po: string, id: string, text: string): string {
  const entries = po.trimEnd().split('\n\n');
  const idOf = (entry: string) => /^msgid "(.*)"$/m.exec(entry)?.[1] ?? '';
  if (entries.some((entry) => idOf(entry) === id)) throw new UsageError(`${id} has a text already.`);
  const family = id.slice(0, id.indexOf('.') + 1);
  const isAhead = (entry: string) => idOf(entry).startsWith(family) && idOf(entry) < id;
  const at = entries.findLastIndex(isAhead);
  const first = entries.findIndex((entry) => idOf(entry).startsWith(family));
  const place = at >= 0 ? at + 1 : first >= 0 ? first : entries.length;
  const entry = ['#. js-lingui-explicit-id', `msgid "${id}"`, `msgstr ${JSON.stringify(text)}`].join('\n');
  return `${entries.toSpliced(place, 0, entry).join('\n\n')}\n`;
}

/** Returns the catalogues of an app with one id more. */
function catalogues(app: string, id: string, texts: string[], read: Read): Record<string, string> {
  const entries = LANGUAGES.map((language, at) => {
    const path = `apps/${app}/src/locales/${language}.po`;
    return [path, withText(mustRead(read, path), id, texts[at]!)];
  });
  return Object.fromEntries(entries);
}

export const text: Generator = {
  usage: `<web|console> <id> ${TEXTS_USAGE}`,
  about: 'a text in every language',
  make(args, read) {
    const [app, id, ...texts] = need(args, ['the app', 'the id', ...TEXTS]);
    if (!APPS.some((one) => one === app)) throw new UsageError(`${app} is neither web nor console.`);
    mustMatch(id!, /^[a-zA-Z]+(\.[\w-]+)+$/, 'an id such as withdraw.confirm');
    return {
      files: catalogues(app!, id!, texts, read),
      next: [`Use t('${id}') in apps/${app}: the check refuses a text that nothing uses.`],
    };
  },
};

const CODES = 'packages/contract/src/shared/codes.ts';
const KINDS = 'apps/server/src/platform/refusal.ts';

/** Throws UsageError when the text of refusal.ts declares no such kind. */
function requireKind(text: string, kind: string): void {
  const [, union = ''] = /export type RefusalKind =([^;]+);/.exec(text) ?? [];
  const kinds = [...union.matchAll(/'([\w-]+)'/g)].map(([, name]) => name!);
  if (!kinds.includes(kind)) throw new UsageError(`${kind} is no kind: ${kinds.join(', ')}.`);
}

export const code: Generator = {
  usage: `<CODE> ${TEXTS_USAGE} [--operator] [--kind=conflict]`,
  about:
    'an error code with its texts; --operator: one that only the console meets; --kind: decides its status, else invalid',
  make(args, read) {
    const options = args.filter((arg) => arg.startsWith('--'));
    const [name, ...texts] = need(
      args.filter((arg) => !options.includes(arg)),
      ['the code', ...TEXTS],
    );
    mustMatch(name!, /^[A-Z][A-Z0-9_]*$/, 'a code such as NO_WALLET');
    const kind = options.find((option) => option.startsWith('--kind='))?.slice('--kind='.length) ?? 'invalid';
    const isOperators = options.includes('--operator');
    const codes = mustRead(read, CODES);
    if (codes.includes(`'${name}'`)) throw new UsageError(`${name} is a code already.`);
    const kinds = mustRead(read, KINDS);
    requireKind(kinds, kind);
    const line = `  '${name}',\n`;
    const place = isOperators ? /\] as const;\n\nexport type ErrorCode/ : /^ {2}'INVALID_REQUEST',/m;
    return {
      files: {
        [CODES]: insertBefore(codes, place, line, CODES),
        [KINDS]: insertBefore(kinds, /^};/m, `  ${name}: '${kind}',\n`, KINDS),
        ...catalogues(isOperators ? 'console' : 'web', `error.${name}`, texts, read),
      },
      next: [
        `List it in \`refusals\` of each call that answers it, and throw it there: refuse('${name}').`,
        ...(isOperators
          ? []
          : ['Say in WAYS of apps/server/src/api/catalogue.test.ts how a caller reaches it.']),
      ],
    };
  },
};

const SETTINGS = 'apps/server/src/platform/settings.ts';

/** Returns the settings table with one key more, behind the last key of its family. */
function withSetting(table: string, key: string, value: string, about: string): string {
  const start = table.indexOf('export const SETTING_DEFAULTS');
  const end = table.indexOf('\n};', start) + 1;
  const family = key.slice(0, key.indexOf('.') + 1);
  const lines = table.slice(start, end).split('\n');
  const last = lines.findLastIndex((line) => line.startsWith(`  '${family}`));
  const place = last < 0 ? lines.length - 1 : last + 1;
  const added = [`  /** ${about} */`, `  '${key}': ${value},`];
  return table.slice(0, start) + lines.toSpliced(place, 0, ...added).join('\n') + table.slice(end);
}

export const setting: Generator = {
  usage: `<key> <true|false|number|baht(number)> <what it does, in English> ${TEXTS_USAGE}`,
  about: 'a setting operators change while the server runs, with its name in the console',
  make(args, read) {
    const names = ['the key', 'the default', 'what it does', ...TEXTS];
    const [key, value, about, ...texts] = need(args, names);
    mustMatch(key!, /^[a-z]+\.[a-z][A-Za-z]*$/, 'a key such as withdraw.oneOpen');
    mustMatch(
      value!,
      /^(true|false|[\d_]+(\.\d+)?|baht\([\d_]+\))$/,
      'true, false, a number or baht(number)',
    );
    const table = mustRead(read, SETTINGS);
    if (table.includes(`'${key}'`)) throw new UsageError(`${key} is a setting already.`);
    return {
      files: {
        [SETTINGS]: withSetting(table, key!, value!, about!),
        ...catalogues('console', `setting.${key}`, texts, read),
      },
      next: [
        `Read it: settings.get('${key}').`,
        'In apps/server/src/features/settings/describe.ts: its group, when its first word is new; CHECKED, when a second operator must agree to a change.',
      ],
    };
  },
};

const MIGRATIONS = 'apps/server/database';

const numberOf = (path: string): number => Number(/^apps\/server\/database\/(\d{4})_/.exec(path)?.[1] ?? 0);

/** Generates a migration numbered after the last; `files` are the repository's paths below apps/server. */
export const migrationIn = (files: string[]): Generator => ({
  usage: '<name_with_underscores> <what it changes, in English>',
  about: 'an empty migration with the next number',
  make(args) {
    const [name, about] = need(args, ['the name', 'what it changes']);
    mustMatch(name!, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'a name such as member_line_id');
    const path = `${MIGRATIONS}/${String(Math.max(0, ...files.map(numberOf)) + 1).padStart(4, '0')}_${name}.sql`;
    return {
      files: { [path]: `-- ${about}\n` },
      next: [
        'Write its statements: tables, types and indexes only; servers of the version before must go on working.',
        'Functions, triggers and views go into the sql folder of their feature. Then: npm run fix.',
      ],
    };
  },
});
