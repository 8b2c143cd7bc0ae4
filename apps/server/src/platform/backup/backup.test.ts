import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool, type Database } from '../database/connect.ts';
import { loadRelease } from '../database/fixtures/release.ts';
import { migrate } from '../database/migrate.ts';
import { emptyDatabase, testDatabase } from '../database/testing.ts';
import { inDatabase } from '../database/testing-server.ts';
import { backup } from './backup.ts';
import { restore, verifyBackup } from './restore.ts';
import { writeCompressed, writeTo } from './sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'krapao-backup-'));
const migrations = join(folder, 'migrations');
const TEXTS = ['ข้อความ ລາວ ₭', 'tab\tand\nnewline', '\\.', '\\.\n\\.', 'back\\slash', '', null, '\\N', '\n'];
const pools: pg.Pool[] = [];
let source: Database;
let owner: pg.Pool;
let files = 0;

const SCHEMA = `
  create table parent (id bigint generated always as identity primary key, note text, raw bytea, amount numeric,
    at timestamptz, tags text[], twice bigint generated always as (id * 2) stored, elder bigint references parent);
  create table child (id bigint generated always as identity primary key, parent_id bigint not null references parent);
  create table a_pair (child_id bigint references child, parent_id bigint references parent);
  create table fixed (code text primary key);
  insert into fixed values ('seeded'), ('seeded too');
  create function refuse() returns trigger language plpgsql as $$ begin raise 'closed'; end $$;
  create trigger fixed_refuse before insert on fixed for each row when (new.code = 'no') execute function refuse();`;

function newFile(): string {
  files += 1;
  return join(folder, `${files}.krapao`);
}

function poolOf({ owner: settings }: Database): pg.Pool {
  const pool = createPool(settings, { max: 4, applicationName: 'test backup', statementTimeoutMs: 30_000 });
  pools.push(pool);
  return pool;
}

beforeAll(async () => {
  mkdirSync(migrations);
  writeFileSync(join(migrations, '0001_all.sql'), SCHEMA);
  source = await emptyDatabase();
  await migrate(source.owner, { folder: migrations });
  // Written after the backup's version, and unknown to it.
  writeFileSync(join(migrations, '0002_later.sql'), 'create table later (id int);');
  owner = poolOf(source);
  const insert = `insert into parent (note, raw, amount, at, tags, elder)
    values ($1, '\\x00ff0a5c', 1.500, now(), array[$1, 'x'], $2)`;
  for (const [at, note] of TEXTS.entries()) await owner.query(insert, [note, at === 0 ? null : 1]);
  await owner.query(
    'insert into child (parent_id) select id from parent; insert into a_pair select id, 1 from child',
  );
  await owner.query("delete from fixed where code = 'seeded'");
  await owner.query("select graphile_worker.add_job('later', '{}', run_at := now() + interval '1 day')");
  await owner.query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone'");
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  rmSync(folder, { recursive: true, force: true });
});

async function contentOf(pool: pg.Pool): Promise<unknown[]> {
  const queries = [
    'select * from parent order by id',
    'select * from child order by id',
    'select * from a_pair order by child_id',
    'select * from fixed',
    'select task_identifier, run_at, key, attempts from graphile_worker.jobs order by id',
  ];
  return Promise.all(queries.map(async (sql) => (await pool.query(sql)).rows));
}

test('what is restored equals what was backed up, seeds, jobs and odd text included', async () => {
  const file = newFile();
  const manifest = await backup(source, file);
  expect(manifest.tables.find(({ name }) => name === 'public.parent')?.rows).toBe(TEXTS.length);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const target = await emptyDatabase();
  expect(await restore(target, file, migrations)).toEqual(manifest);
  const pool = poolOf(target);
  expect(await contentOf(pool)).toEqual(await contentOf(owner));
  const jobs = await pool.query('select locked_at, locked_by from graphile_worker._private_jobs');
  expect(jobs.rows).toEqual([{ locked_at: null, locked_by: null }]);
});

test('the restored database goes on: counters, triggers, later migrations', async () => {
  const file = newFile();
  await backup(source, file);
  const target = await emptyDatabase();
  await restore(target, file, migrations);
  const pool = poolOf(target);
  const { rows } = await pool.query("insert into parent (note) values ('next') returning id");
  expect(rows[0].id).toBe(BigInt(TEXTS.length + 1));
  await expect(pool.query("insert into fixed values ('no')")).rejects.toThrow('closed');
  const { rows: applied } = await pool.query('select name from kysely_migration order by 1');
  expect(applied.map(({ name }) => name)).toEqual(['0001_all', '0002_later']);
});

test('a backup taken under running writes is one moment: parents and children agree', async () => {
  let running = true;
  const write = async () => {
    while (running) {
      await owner.query(`with p as (insert into parent (note) values ('running') returning id),
        c as (insert into child (parent_id) select id from p returning id, parent_id)
        insert into a_pair select id, parent_id from c`);
    }
  };
  const writers = [write(), write()];
  const taken: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const file = newFile();
    await backup(source, file);
    taken.push(file);
  }
  running = false;
  await Promise.all(writers);
  const target = await emptyDatabase();
  await restore(target, taken.at(-1) ?? '', migrations);
  const { rows } = await poolOf(target).query(
    'select (select count(*) from parent) as parents, (select count(*) from child) as children',
  );
  expect(rows[0].parents).toBe(rows[0].children);
  expect(rows[0].parents).toBeGreaterThan(BigInt(TEXTS.length));
  const counts = await Promise.all(taken.map((file) => verifyBackup(file)));
  for (const { tables } of counts) {
    const rowsOf = (name: string) => tables.find((table) => table.name === name)?.rows;
    expect(rowsOf('public.a_pair')).toBe(rowsOf('public.child'));
  }
});

test('a damaged or cut file is refused before the database is touched', async () => {
  const file = newFile();
  await backup(source, file);
  const text = gunzipSync(readFileSync(file)).toString('utf8');
  const target = await emptyDatabase();
  const damages = {
    changed: gzipSync(text.replace('ข้อความ', 'ข้อควาน')),
    'without a row': gzipSync(text.replace(/(public\.child.*\n).*\n/, '$1')),
    cut: readFileSync(file).subarray(0, 900),
    'cut between tables': gzipSync(text.slice(0, text.lastIndexOf('\\.\n'))),
    foreign: gzipSync('something else\n'),
    'no archive': Buffer.from('plain text'),
  };
  for (const [name, bytes] of Object.entries(damages)) {
    const damaged = newFile();
    writeFileSync(damaged, bytes);
    await expect(restore(target, damaged, migrations), name).rejects.toThrow(
      /damaged|no backup|cannot be read/,
    );
  }
  await restore(target, file, migrations);
});

test('a database with tables is refused, and so is a version this program does not know', async () => {
  const file = newFile();
  await backup(source, file);
  await expect(restore(source, file, migrations)).rejects.toThrow('needs an empty database');
  await expect(restore(await emptyDatabase(), file)).rejects.toThrow('does not know the backup');
});

test('a backup overwrites nothing and leaves nothing half-written', async () => {
  const file = newFile();
  writeFileSync(file, 'precious');
  await expect(backup(source, file)).rejects.toThrow('is there already');
  expect(readFileSync(file, 'utf8')).toBe('precious');
  const nowhere = join(folder, 'no-such-folder', 'x.krapao');
  await expect(backup(source, nowhere)).rejects.toThrow('ENOENT');
  const absent = newFile();
  await expect(backup({ owner: inDatabase(source.owner, 'no_such_database') }, absent)).rejects.toThrow();
  expect(existsSync(absent) || existsSync(`${absent}.part`)).toBe(false);
});

test('of two backups to one name at once one is written whole, and the other is refused', async () => {
  const file = newFile();
  const results = await Promise.allSettled([backup(source, file), backup(source, file)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringContaining('another command writes it') },
  });
  await expect(verifyBackup(file)).resolves.toBeDefined();
  expect(existsSync(`${file}.part`)).toBe(false);
});

test.skipIf(!existsSync('/dev/full'))('a full disk fails the backup instead of stalling it', async () => {
  const noise = randomBytes(1 << 20);
  const writeMuch = async (sink: Writable) => {
    for (let time = 0; time < 64; time += 1) await writeTo(sink, noise);
  };
  await expect(writeCompressed(await open('/dev/full', 'w'), writeMuch)).rejects.toThrow('ENOSPC');
});

test('the real schema, migrated and seeded, survives the round trip', async () => {
  const { config } = await testDatabase();
  const first = newFile();
  const manifest = await backup(config, first);
  const target = await emptyDatabase();
  await restore(target, first);
  const second = newFile();
  const { tables } = await backup(target, second);
  // A restore marks the fence, so that payouts wait.
  const isFence = ({ name }: { name: string }) => name === 'public.payout_fence';
  expect(tables.filter((table) => !isFence(table))).toEqual(
    manifest.tables.filter((table) => !isFence(table)),
  );
  expect(tables.find(isFence)?.rows).toBe(1);
});

test('a backup of 1.1.14 comes back in today’s tables, and payouts wait', async () => {
  const former = await emptyDatabase();
  const pool = poolOf(former);
  await migrate(former.owner, { folder: migrations });
  await pool.query('drop schema public cascade; create schema public');
  await loadRelease(pool);
  const file = newFile();
  const manifest = await backup(former, file);
  const target = await emptyDatabase();
  expect(await restore(target, file)).toEqual(manifest);
  const { rows: fence } = await poolOf(target).query('select payouts_are_open() as is_open');
  expect(fence).toEqual([{ is_open: false }]);
  // Some of the first texts are corrected by migrations.
  const rows = async (of: pg.Pool) =>
    (
      await of.query(
        `select key, language, body from content where key not in ('conditions', 'notice')
           and (key, language) not in (('agreements', 'la'), ('contact', 'en'), ('help', 'la')) order by 1, 2`,
      )
    ).rows;
  expect(await rows(poolOf(target))).toEqual(await rows(pool));
  const help = async (of: pg.Pool) =>
    (
      await of.query(
        "select strpos(body::text, 'ລົມກັບພະນັກງານ') > 0 as former from content where key = 'help' and language = 'la'",
      )
    ).rows;
  expect([await help(pool), await help(poolOf(target))]).toEqual([[{ former: true }], [{ former: false }]]);
  const breaks = async (of: pg.Pool) =>
    (
      await of.query(
        "select body->>2 like '%take a break%' as has, body->>2 like '%contact support%' as former from content where key = 'conditions' and language = 'en'",
      )
    ).rows;
  expect(await breaks(pool)).toEqual([{ has: true, former: true }]);
  expect(await breaks(poolOf(target))).toEqual([{ has: true, former: false }]);
});
