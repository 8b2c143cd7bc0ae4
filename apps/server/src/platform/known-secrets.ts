/** What a secret of production must be: long enough for its kind, and none that documentation or habit hands out. */

/**
 * Kinds of secrets by who chose them. `material`: keys are derived from it. `shared`: chosen for signing or opening
 * something, by us or with a partner. `issued`: handed out by a partner, who decides how long it is.
 */
export type SecretKind = 'material' | 'shared' | 'issued';

const LENGTH_MIN: Record<SecretKind, number> = { material: 32, shared: 16, issued: 8 };

/** Words of placeholder secrets. */
const WORDS = [
  ...[
    'secret',
    'secrets',
    'password',
    'passw0rd',
    'passwd',
    'passphrase',
    'pass',
    'pwd',
    'key',
    'keys',
    'token',
  ],
  ...[
    'change',
    'changeme',
    'replace',
    'replaceme',
    'fixme',
    'todo',
    'tbd',
    'placeholder',
    'example',
    'sample',
  ],
  ...[
    'default',
    'dummy',
    'fake',
    'test',
    'tests',
    'testing',
    'demo',
    'insecure',
    'unsafe',
    'sandbox',
    'krapao',
  ],
  ...[
    'admin',
    'administrator',
    'root',
    'user',
    'guest',
    'letmein',
    'welcome',
    'qwerty',
    'qwertyuiop',
    'asdf',
  ],
  ...[
    'asdfgh',
    'iloveyou',
    'abc',
    'foo',
    'bar',
    'baz',
    'null',
    'none',
    'undefined',
    'empty',
    'value',
    'string',
  ],
  ...[
    'your',
    'my',
    'our',
    'me',
    'the',
    'this',
    'that',
    'a',
    'an',
    'it',
    'is',
    'in',
    'to',
    'for',
    'of',
    'with',
  ],
  ...[
    'here',
    'please',
    'before',
    'use',
    'must',
    'be',
    'very',
    'super',
    'top',
    'some',
    'long',
    'random',
    'strong',
  ],
  ...['enter', 'insert', 'put', 'set', 'app', 'application', 'api', 'jwt', 'webhook', 'callback', 'metrics'],
  ...['gateway', 'bank', 'sms', 'slip', 'prod', 'production', 'dev', 'development', 'local', 'localhost'],
];
const ONLY_WORDS = new RegExp(
  `^(?:${WORDS.toSorted((a, b) => b.length - a.length).join('|')}|\\d{1,4}|x+)+$`,
);
/** Fewer different characters than this are a repetition. */
const DIFFERENT_MIN = 5;
const REPEATED = /^(.{1,12}?)\1+$/s;
/** Returns whether most characters follow each other in order, as in `abcdefgh` or `12345678`. */
const STEPS_OF_TEN = 8;

function isSequence(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at++)
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) === 1) steps++;
  return steps * 10 >= (text.length - 1) * STEPS_OF_TEN;
}

/** Whether a text is a well-known placeholder, a sandbox value, a repetition or a sequence. */
export function isPlaceholder(text: string): boolean {
  const plain = text.toLowerCase();
  const bare = plain.replace(/[^\p{L}\p{N}]/gu, '').slice(0, 200);
  return (
    plain.includes('sandbox') ||
    new Set(plain).size < DIFFERENT_MIN ||
    REPEATED.test(plain) ||
    isSequence(plain) ||
    ONLY_WORDS.test(bare)
  );
}

/** Returns whether a secret is strong enough for production, without its agent placeholder. */
export function isStrong(kind: SecretKind, text: string): boolean {
  const own = text.replaceAll('{agent}', '');
  return own.length >= LENGTH_MIN[kind] && !isPlaceholder(own);
}
