import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createPool } from './connect.ts';
import { applyRoutines, SOURCE } from './routines.ts';
import { emptyDatabase, testDatabase } from './testing.ts';

let pool: pg.Pool;
beforeAll(async () => {
  const { owner } = await emptyDatabase();
  pool = createPool(owner, { max: 4, applicationName: 'test routines', statementTimeoutMs: 30_000 });
  await pool.query(`create table routine_file (path text primary key, sha256 text not null, applied_at timestamptz not null default now());
    create table routine_set (sha256 text primary key, applied_at timestamptz not null default now())`);
});
afterAll(() => pool.end());

/** A source folder with these routine files. */
function source(entries: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'krapao-routines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(entries)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const returning = (name: string, value: number): string =>
  `create or replace function ${name}() returns int language sql as $$ select ${value} $$;`;
const resultOf = async (name: string): Promise<number> =>
  (await pool.query(`select ${name}() as value`)).rows[0].value;

test('every file is applied once, and again only when its text has changed', async () => {
  const [a, b] = ['features/a/sql/a.sql', 'platform/sql/b.sql'];
  const first = source({ [a]: returning('a', 1), [b]: returning('b', 1) });
  expect(await applyRoutines(pool, { source: first })).toEqual([b, a]);
  expect(await applyRoutines(pool, { source: first })).toEqual([]);
  const second = source({ [a]: returning('a', 2), [b]: returning('b', 1) });
  expect(await applyRoutines(pool, { source: second })).toEqual([a]);
  expect([await resultOf('a'), await resultOf('b')]).toEqual([2, 1]);
});

test('a server of the release before leaves the newer routines; a developer gets the older text back', async () => {
  const path = 'features/c/sql/c.sql';
  const [older, newer] = [source({ [path]: returning('c', 1) }), source({ [path]: returning('c', 2) })];
  for (const files of [older, newer]) await applyRoutines(pool, { source: files });
  expect(await applyRoutines(pool, { source: older })).toEqual([]);
  expect(await resultOf('c')).toBe(2);
  expect(await applyRoutines(pool, { source: older, returnsToOlder: true })).toEqual([path]);
  expect(await resultOf('c')).toBe(1);
});

test.each([
  [
    'does not parse',
    'create or replace function d() returns int language plpgsql as $$ begin retur 1; end $$;',
  ],
  [
    'names what does not exist',
    'create or replace function d() returns int language sql as $$ select n from nowhere $$;',
  ],
])('a routine that %s is refused, and nothing of its set is kept', async (_why, text) => {
  const files = { 'features/d/sql/d.sql': text, 'features/d/sql/before.sql': returning('before_d', 1) };
  await expect(applyRoutines(pool, { source: source(files) })).rejects.toThrow();
  const { rows } = await pool.query("select to_regproc('d') as d, to_regproc('before_d') as before");
  expect(rows).toEqual([{ d: null, before: null }]);
});

test('servers starting at once apply a set once', async () => {
  const files = source({ 'features/e/sql/e.sql': returning('e', 1) });
  const applied = await Promise.all([1, 2, 3].map(() => applyRoutines(pool, { source: files })));
  expect(applied.flat()).toEqual(['features/e/sql/e.sql']);
});

test('every routine of the database stands in exactly one file', async () => {
  const { owner } = await testDatabase();
  const { rows } = await owner.query<{ name: string }>(
    `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`,
  );
  const defined: string[] = [];
  for await (const path of glob('**/sql/*.sql', { cwd: SOURCE }))
    for (const [, name] of readFileSync(join(SOURCE, path), 'utf8').matchAll(
      /create or replace function (\w+)/g,
    ))
      defined.push(name!);
  expect(defined.sort()).toEqual(rows.map(({ name }) => name).sort());
});
