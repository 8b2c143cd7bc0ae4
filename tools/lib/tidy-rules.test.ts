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
  expect(breachesIn('a/upgrade-1.1.14.sql', '')).toEqual([]);
});

test('unfinished marks are refused', () => {
  expect(breachesIn('a/b.ts', `// ${'TO'}DO later\n`).join()).toContain('a/b.ts:1');
});

test('a test that expects something within a time is refused, one that it lasts passes', () => {
  const line = (matcher: string) => `expect(Date.now() - since).${matcher}(1_000);\n`;
  expect(breachesIn('a/b.test.ts', line('toBeLessThan')).join()).toContain('a/b.test.ts:1');
  expect(breachesIn('a/b.spec.ts', line('toBeLessThanOrEqual'))).toHaveLength(1);
  expect(breachesIn('a/b.test.ts', line('toBeGreaterThan'))).toEqual([]);
  expect(breachesIn('a/b.ts', line('toBeLessThan'))).toEqual([]);
});

test('an SQL line of 119 characters is refused, one of 118 passes', () => {
  const line = (length: number) => `-- ${'ข'.repeat(length - 3)}\n`;
  expect(breachesIn('a/b.sql', line(118))).toEqual([]);
  expect(breachesIn('a/b.sql', `\n${line(119)}`).join()).toContain('a/b.sql:2: 119 characters');
});

test('an SQL body of 71 lines is refused with the name of its function, one of 70 passes', () => {
  const routine = (lines: number) =>
    `-- Does it.\ncreate or replace function long_one() returns void language plpgsql as $$\nbegin\n${'  perform 1;\n'.repeat(lines - 2)}end $$;\n`;
  expect(breachesIn('a/sql/b.sql', `${routine(70)}\n${routine(70)}`)).toEqual([]);
  const [breach, ...rest] = breachesIn('a/sql/b.sql', `${routine(3)}\n${routine(71)}`);
  expect(breach).toContain('a/sql/b.sql:8: the body of long_one is 71 lines');
  expect(rest).toEqual([]);
});

test('a function in an sql folder needs a comment directly above it', () => {
  const routine = 'create or replace function bare() returns int language sql as $$ select 1 $$;\n';
  expect(breachesIn('a/sql/b.sql', `-- Returns one.\n${routine}`)).toEqual([]);
  expect(breachesIn('a/sql/b.sql', routine).join()).toContain('a/sql/b.sql:1: write above bare');
  expect(breachesIn('a/sql/b.sql', `-- Away from it.\n\n${routine}`)).toHaveLength(1);
  expect(breachesIn('a/b.sql', routine)).toEqual([]);
});

test('rows of a query take no explicit type', () => {
  const breach = 'apps/server/src/features/a/queries.ts:1: delete the type';
  for (const line of ['db.query<Row>(sql)', '(await db.query(sql)).rows as Row[]', 'result.rows[0] as Row'])
    expect(breachesIn('apps/server/src/features/a/queries.ts', line).join()).toContain(breach);
  for (const line of ['db.query(sql)', 'untyped(db).query<Row>(sql)', 'rows as const'])
    expect(breachesIn('apps/server/src/features/a/queries.ts', line)).toEqual([]);
  expect(breachesIn('apps/server/src/platform/database/routines.ts', 'client.query<Row>(sql)')).toEqual([]);
});
