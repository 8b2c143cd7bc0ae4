import { expect, test } from 'vitest';
import { partOf, select as selectIn, type TestFile } from './test-selection.ts';

const TESTS: TestFile[] = [
  { path: 'apps/server/src/features/withdrawals/payout.test.ts', text: "test('pays once', …)" },
  { path: 'apps/server/src/features/wallet/wallet.test.ts', text: "test('answers the balance', …)" },
  { path: 'packages/contract/src/shared/money.test.ts', text: "test('rounds down (always)', …)" },
  { path: 'e2e/journeys/wallet.spec.ts', text: "test('shows the balance', …)" },
];
const ROOT = '/home/me/krapao';
const select = (args: string[], tests: TestFile[]) => selectIn(args, tests, ROOT);
const paths = (...args: string[]) => select(args, TESTS).files;

test('a test file belongs to the part that runs it', () => {
  expect(TESTS.map(({ path }) => partOf(path))).toEqual(['database', 'database', 'unit', 'e2e']);
  expect(partOf('apps/web/src/features/pin/pin.test.tsx')).toBe('unit');
  expect(partOf('e2e/test.ts')).toBeUndefined();
  expect(partOf('tools/test.ts')).toBeUndefined();
});

test('nothing named runs everything, a part runs that part', () => {
  expect(select([], TESTS)).toEqual({ parts: ['unit', 'database', 'e2e'], changed: false });
  expect(select(['e2e', 'unit'], TESTS)).toEqual({ parts: ['unit', 'e2e'], changed: false });
});

test('a path selects files of every part, and no test name', () => {
  expect(select(['wallet'], TESTS)).toEqual({
    parts: ['database', 'e2e'],
    changed: false,
    files: ['apps/server/src/features/wallet/wallet.test.ts', 'e2e/journeys/wallet.spec.ts'],
  });
  expect(paths('./packages/contract/src/shared/money.test.ts')).toEqual([TESTS[2]!.path]);
  expect(paths('payout', 'money')).toEqual([TESTS[0]!.path, TESTS[2]!.path]);
});

test('an absolute path inside the checkout selects what its relative path does', () => {
  expect(paths(`${ROOT}/packages/contract/src/shared/money.test.ts`)).toEqual([TESTS[2]!.path]);
  expect(paths(`${ROOT}/apps`)).toEqual([TESTS[0]!.path, TESTS[1]!.path]);
});

test('a path that no test file has is refused, and never taken as a name for which every file runs', () => {
  const refused = (...args: string[]) => expect(() => paths(...args)).toThrow('No test file of this run has');
  refused('withdrawals/payuot.test.ts');
  refused('apps/server/src/features/wallet/wallet.ts');
  refused('/home/other/krapao/packages/contract/src/shared/money.test.ts');
  refused('wallet', 'packages/contract/nowhere');
  refused('unit', 'features/wallet/wallet.test.ts');
  expect(select(['GET /api/wallet'], TESTS).name).toBe('GET /api/wallet');
});

test('a part beside a path narrows it', () => {
  expect(paths('database', 'wallet')).toEqual(['apps/server/src/features/wallet/wallet.test.ts']);
});

test('a test name selects the files that spell it, literally', () => {
  expect(select(['rounds down (always)'], TESTS)).toMatchObject({
    parts: ['unit'],
    files: ['packages/contract/src/shared/money.test.ts'],
    name: 'rounds down \\(always\\)',
  });
});

test('a test name beside a path selects tests of that path', () => {
  expect(select(['wallet', 'the balance'], TESTS)).toMatchObject({
    files: ['apps/server/src/features/wallet/wallet.test.ts', 'e2e/journeys/wallet.spec.ts'],
    name: 'the balance',
  });
  expect(select(['wallet', 'answers the balance'], TESTS).files).toEqual([TESTS[1]!.path]);
});

test('a name that no file spells may be put together, so every file is searched', () => {
  expect(select(['unit', 'adds 1 and 2'], TESTS)).toMatchObject({
    files: [TESTS[2]!.path],
    name: 'adds 1 and 2',
  });
});

test('changed files select no browser test and stand alone', () => {
  expect(select(['--changed'], TESTS)).toEqual({ parts: ['unit', 'database'], changed: true });
  expect(select(['--changed', 'unit'], TESTS)).toEqual({ parts: ['unit'], changed: true });
  expect(() => select(['--changed', 'e2e'], TESTS)).toThrow('excludes other arguments');
  expect(() => select(['--changed', 'wallet'], TESTS)).toThrow('excludes other arguments');
});

test('an unknown option is refused with the usage', () => {
  expect(() => select(['--watch'], TESTS)).toThrow('There is no option --watch. npm test -- [unit]');
});
