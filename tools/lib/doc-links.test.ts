import { expect, test } from 'vitest';
import { anchorOf, docProblems, type Repository } from './doc-links.ts';

const FILES: Record<string, string> = {
  'README.md': '',
  docs: '',
  'docs/a.md': '# A page\n\n## When it is wrong\n\n```\n# no heading\n```\n',
  'docs/pictures/a.png': '',
};
const REPOSITORY: Repository = {
  read: (path) => FILES[path],
  scripts: { '': ['start', 'bench', 'check'], '@krapao/web': ['gallery'] },
  benches: ['ledger'],
  files: ['README.md', 'apps/server/src/partners.ts', 'apps/server/src/outside/bank/bank.ts'],
  words: new Set(['respondOnce', 'bank_account']),
};
const problems = (text: string, path = 'docs/b.md') => docProblems(path, text, REPOSITORY);

test('anchors are those GitHub makes of headings', () => {
  expect(anchorOf('When `ledger verify` names a row')).toBe('when-ledger-verify-names-a-row');
  expect(anchorOf('Sign-in, logs and secrets')).toBe('sign-in-logs-and-secrets');
});

test('links to files, folders, headings and other sites are taken', () => {
  expect(
    problems('[a](a.md) [b](./a.md#when-it-is-wrong) ![c](pictures/a.png) [d](https://x.example)'),
  ).toEqual([]);
  expect(problems('[docs](docs/) <img src="docs/pictures/a.png">', 'README.md')).toEqual([]);
});

test('a link that leads nowhere is named, in prose and in HTML, not in code', () => {
  expect(problems('[a](gone.md)')).toEqual(['docs/b.md: gone.md leads nowhere.']);
  expect(problems('<img src="gone.png">')).toEqual(['docs/b.md: gone.png leads nowhere.']);
  expect(problems('`[a](gone.md)`\n\n```\n[a](gone.md)\n```\n')).toEqual([]);
});

test('a heading that is not there is named', () => {
  expect(problems('[a](a.md#no-heading)')).toEqual(['docs/b.md: docs/a.md has no heading #no-heading.']);
});

test('a command that is none is named, also in code', () => {
  expect(
    problems('`npm run check` and `npm run bench -- ledger` and npm run gallery -w @krapao/web'),
  ).toEqual([]);
  expect(problems('```\nnpm run chekc\n```')).toEqual(['docs/b.md: there is no command npm run chekc.']);
  expect(problems('`npm run bench -- luck`')).toEqual(['docs/b.md: there is no bench luck.']);
});

test('a path in code is there, from any folder on; documents of the past name what was there', () => {
  expect(problems('`partners.ts`, `bank/bank.ts`, `outside/bank/` and `<feature>/queries.ts`')).toEqual([]);
  const gone = '`ners.ts` and `bank/wire/`';
  expect(problems(gone)).toEqual([
    'docs/b.md: ners.ts is nowhere in the repository.',
    'docs/b.md: bank/wire/ is nowhere in the repository.',
  ]);
  expect(problems(gone, 'docs/decisions/0001-a.md')).toEqual([]);
  expect(problems(gone, 'CHANGELOG.md')).toEqual([]);
});

test('a recipe names only what the source files contain', () => {
  const text = '`respondOnce` `bank_account` `answerOnce` `desk_account` `deps.pool`';
  expect(problems(text, 'docs/recipes/a.md')).toEqual([
    'docs/recipes/a.md: answerOnce is nowhere in the repository.',
    'docs/recipes/a.md: desk_account is nowhere in the repository.',
  ]);
  expect(problems(text)).toEqual([]);
});
