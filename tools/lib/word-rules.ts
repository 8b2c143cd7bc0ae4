/** A word that has a standard one in its place. */
interface Forbidden {
  /** Parts of an identifier, in lower case. */
  words: readonly string[];
  write: string;
  /** Also in comments: the word has no plain English use. */
  inComments?: boolean;
  /** Paths where the word is a partner's, a library's or the wire's. */
  except?: RegExp;
}

const FORBIDDEN: readonly Forbidden[] = [
  { words: ['town'], write: 'test environment', inComments: true },
  { words: ['thing', 'things'], write: 'subject', except: /\/http\/(server|declare)\.test/ },
  { words: ['act', 'acts'], write: 'action', except: /\.test\.tsx$|external\.test/ },
  { words: ['desk', 'desks'], write: 'operator, or console' },
  {
    words: ['room', 'rooms'],
    write: 'page; a room is a group of sockets',
    except:
      /\/live\/|\/chat\/|\/chat|limits\/|entity-ref|views\/views|subject-link|contract\/src\/member\/events|server\/src\/app\.ts|tools\/queries|^bench\//,
  },
  { words: ['talk', 'talks'], write: 'conversation' },
  { words: ['wish', 'wishes'], write: 'intent' },
  { words: ['programme'], write: 'bonus terms', inComments: true },
  { words: ['newcomer'], write: 'new member', inComments: true },
  { words: ['sighting', 'sightings'], write: 'evidence', inComments: true },
  { words: ['stranger', 'strangers'], write: 'other member, other account, or no session', inComments: true },
  {
    words: ['house', 'houses'],
    write: 'system account, or company',
    inComments: true,
    except: /^apps\/web\/|21-first-rows|environment\/(banks|state)|storm\/books/,
  },
  { words: ['mirror', 'mirrors'], write: 'game balance', inComments: true },
  { words: ['purse', 'purses'], write: 'refund balance', inComments: true },
  { words: ['companion', 'companions'], write: 'attached write', inComments: true },
  { words: ['resting'], write: 'cooling-off, or exclusion' },
  { words: ['world', 'worlds'], write: 'environment' },
  { words: ['told', 'said'], write: 'reported, notified, sent, response, or message' },
  { words: ['heard', 'hear', 'hears'], write: 'received', except: /external\.test|pgbouncer\.test/ },
  { words: ['looks'], write: 'appearance, or checks' },
  { words: ['leaving'], write: 'exiting, or account closure' },
  { words: ['asking', 'asker'], write: 'confirming, checking, or requesting' },
  { words: ['answer', 'answers'], write: 'response', except: /\.sql$|ledger\/(intent|saved-response)\.ts$/ },
];

/** An expression of a sentence that hides its subject or its verb. */
interface ForbiddenPhrase {
  phrase: RegExp;
  write: string;
  except?: RegExp;
}

/** Judged in comments, in strings of several words and in documents. */
const FORBIDDEN_PHRASES: readonly ForbiddenPhrase[] = [
  {
    phrase: /\b([Nn]obody|[Ww]hoever)\b/g,
    write: 'the role (the member, the operator, the caller), or "no member"',
    except: /mentions\.test|notifications\.test/,
  },
  { phrase: /\btold\b/gi, write: 'notified, reported, or returned' },
  { phrase: /\bhears?\b/gi, write: 'receives, or is notified' },
  { phrase: /\bby hand\b/gi, write: 'manually', except: /0011-queries|decisions\/README/ },
  { phrase: /\blet(s|ting)? go\b/gi, write: 'releases' },
];

/** Migrations, which never change, and files whose phrases are still to be revised. */
const PHRASES_SKIPPED =
  /server\/(database|src\/demo)\/|platform\/(database|files)\/|bench\/lists|docs\/(operate|cluster)\.md/;

/** Names that are stored or public: setting keys, columns, account kinds, permissions, events, a demo password. */
const PUBLIC =
  /\bdesk\.[a-z]\w+|krapao-demo-desk|\bfrom_stranger\b|\bfromStranger\b|\bmirror_?(account|version)\b|['`]mirror['`]|\brefund_purse\b|\bledger_companion\b|\bledger_account_house\b|\bchat\.answer\b|\bfirst_?answer(_at)?\b|\banswerMinutes\b|\bheard_at\b|'said'|'nobody'/gi;
/** Files about former names, and this rule's own. */
const SKIPPED =
  /word-rules|0137-words|glossary\.md|upgrade-from-|0204_|backup\/restore|migrate\.test|settings\/describe|fixtures\/boundaries|boundaries\.test/;

const COMMENT_OR_STRING =
  /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|--[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** The code of a file: comments and strings of several words are blanked, so that lines keep their numbers. */
const codeOf = (text: string): string =>
  text.replace(COMMENT_OR_STRING, (part) => (/^['"`]/.test(part) && !/\s/.test(part) ? part : blank(part)));

/** The prose of a file: its comments and its strings of several words; the rest is blanked. */
function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text;
  let prose = '';
  let end = 0;
  for (const { 0: part, index } of text.matchAll(COMMENT_OR_STRING)) {
    prose += blank(text.slice(end, index)) + (/^['"`]/.test(part) && !/\s/.test(part) ? blank(part) : part);
    end = index + part.length;
  }
  return prose + blank(text.slice(end));
}

/** One sentence for each forbidden phrase of a file. */
function phraseBreaches(path: string, text: string): string[] {
  if (PHRASES_SKIPPED.test(path)) return [];
  const prose = proseOf(path, text);
  return FORBIDDEN_PHRASES.filter(({ except }) => !except?.test(path)).flatMap(({ phrase, write }) =>
    [...prose.matchAll(phrase)].map(({ 0: found, index }) => {
      const line = prose.slice(0, index).split('\n').length;
      return `${path}:${line}: "${found}": write ${write}; subject, verb, object.`;
    }),
  );
}

const partsOf = (name: string): string[] => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];

/** The rule that a name breaks, if any. */
function ruleOf(name: string, path: string, isCode: boolean): Forbidden | undefined {
  const parts = partsOf(name).map((part) => part.toLowerCase());
  return FORBIDDEN.find(
    ({ words, inComments, except }) =>
      (isCode || inComments) && !except?.test(path) && parts.some((part) => words.includes(part)),
  );
}

/**
 * Judges the words of a file by the glossary: parts of identifiers, and in comments the words without a plain meaning.
 * @param path relative to the root
 * @returns one sentence for each line and word
 */
export function wordBreaches(path: string, text: string): string[] {
  if (SKIPPED.test(path)) return [];
  const plain = text.replaceAll(PUBLIC, blank);
  // A document is prose from its first line to its last.
  const code = (path.endsWith('.md') ? blank(plain) : codeOf(plain)).split('\n');
  const breaches = new Set<string>();
  plain.split('\n').forEach((line, at) => {
    for (const [isCode, words] of [
      [true, code[at]!],
      [false, line],
    ] as const) {
      for (const [name] of words.matchAll(/[A-Za-z_$][\w$]*/g)) {
        const rule = ruleOf(name, path, isCode);
        if (rule)
          breaches.add(
            `${path}:${at + 1}: ${name}: write "${rule.write}"; docs/glossary.md lists the terms.`,
          );
      }
    }
  });
  return [...breaches, ...phraseBreaches(path, plain)];
}
