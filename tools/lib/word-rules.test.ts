import { expect, test } from 'vitest';
import { wordBreaches } from './word-rules.ts';

const FORMER = 'wish';

test('a former term is refused in every form of an identifier, with the word to write', () => {
  for (const name of [FORMER, `${FORMER}Key`, `ended_${FORMER}`, `READ_${FORMER.toUpperCase()}`])
    expect(wordBreaches('apps/a.ts', `\nconst ${name} = 1;\n`)).toEqual([
      `apps/a.ts:2: ${name}: write "intent"; docs/glossary.md lists the terms.`,
    ]);
});

test('a longer word that contains a former term passes', () => {
  expect(wordBreaches('apps/a.ts', `const ${FORMER}bone = { nothing: 1, factor: 2, actor: 3 };`)).toEqual([]);
});

test('plain English passes in comments and sentences, an identifier in a string does not', () => {
  expect(wordBreaches('apps/a.ts', `// Members ${FORMER} for it.\nsay('as you ${FORMER} it');`)).toEqual([]);
  expect(wordBreaches('apps/a.ts', `read('${FORMER}');`)).toHaveLength(1);
});

test('a term without a plain meaning is refused in comments as well', () => {
  expect(wordBreaches('apps/a.ts', '// A newcomer registers.').join()).toContain('new member');
});

test('setting keys and the words of the live socket stay', () => {
  expect(wordBreaches('apps/a.ts', "settings.get('desk.makerChecker')")).toEqual([]);
  expect(wordBreaches('apps/server/src/platform/live/sockets.ts', 'socket.join(room)')).toEqual([]);
});

test('documents are judged as prose: only terms without a plain meaning are refused', () => {
  expect(wordBreaches('docs/a.md', 'Every newcomer has said so.')).toEqual([
    'docs/a.md:1: newcomer: write "new member"; docs/glossary.md lists the terms.',
  ]);
});

test('stored names that keep a former term pass', () => {
  const sql = "select mirror_account, from_stranger from x where kind = 'mirror' or kind = 'refund_purse'";
  expect(wordBreaches('apps/a.sql', sql)).toEqual([]);
});

test('a phrase without a role or a verb is refused in comments, sentences and documents', () => {
  const breach =
    'apps/a.ts:1: "whoever": write the role (the member, the operator, the caller), or "no member"';
  expect(wordBreaches('apps/a.ts', '// Pays whoever won.').join()).toContain(breach);
  expect(wordBreaches('apps/a.test.ts', "test('operators are told at once', () => {});")).toHaveLength(1);
  expect(wordBreaches('docs/a.md', 'The slip is booked by hand.')).toHaveLength(1);
});

test('a wire value, an identifier and a migration may contain a forbidden phrase', () => {
  expect(wordBreaches('apps/a.ts', "const assigned = 'nobody';")).toEqual([]);
  expect(wordBreaches('apps/server/database/0210_a.sql', '-- Paid by hand.')).toEqual([]);
});
