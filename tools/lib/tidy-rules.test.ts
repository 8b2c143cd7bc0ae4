import { expect, test } from 'vitest';
import { breachesIn } from './tidy-rules.ts';

test('an SQL file of 501 lines is refused', () => {
  expect(breachesIn('a/b.sql', 'x\n'.repeat(501)).join()).toContain('501 lines');
  expect(breachesIn('a/b.sql', 'x\n'.repeat(500))).toEqual([]);
});

test('SQL files are named in kebab-case; migrations keep their number', () => {
  expect(breachesIn('a/WriteWithdrawal.sql', '').join()).toContain('kebab-case');
  expect(breachesIn('a/write-withdrawal.sql', '')).toEqual([]);
  expect(breachesIn('a/0001_ledger_core.sql', '')).toEqual([]);
});

test('unfinished marks are refused', () => {
  expect(breachesIn('a/b.ts', `// ${'TO'}DO later\n`).join()).toContain('a/b.ts:1');
});
