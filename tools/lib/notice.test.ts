import { expect, test } from 'vitest';
import { noticeOf } from './notice.ts';

test('lists what production installs, by licence, once a version', () => {
  const notice = noticeOf({
    packages: {
      '': { version: '1.0.0' },
      'apps/web': { version: '1.0.0' },
      'node_modules/@krapao/web': { link: true },
      'node_modules/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/c/node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/@x/y': { version: '3.0.0', license: 'ISC' },
      'node_modules/tool': { version: '1.0.0', license: 'MIT', dev: true },
    },
  });
  expect(notice).toContain('\n\nISC\n  @x/y 3.0.0\n\nMIT\n  a 1.0.0\n  b 2.0.0\n');
  expect(notice).not.toContain('tool');
  expect(notice).not.toContain('krapao/web');
});

test('a package without a licence is refused by name', () => {
  expect(() => noticeOf({ packages: { 'node_modules/odd': { version: '1.0.0' } } })).toThrow(
    'odd states no licence',
  );
});
