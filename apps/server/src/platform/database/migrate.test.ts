import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { LOCKS_AWAITED } from '../../testing/locks.ts';
import { until } from '../../testing/test-env.ts';
import { startJobs } from '../jobs.ts';
import { createPool } from './connect.ts';
import { loadRelease } from './fixtures/release.ts';
import { migrate, type SchemaFiles } from './migrate.ts';
import { schemaText } from './schema-text.ts';
import { emptyDatabase, testDatabase } from './testing.ts';

const { owner, app, config } = await testDatabase();

function files(entries: Record<string, string>): SchemaFiles {
  const folder = mkdtempSync(join(tmpdir(), 'krapao-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(entries)) writeFileSync(join(folder, name), text);
  return { folder };
}

async function request(target: pg.PoolConfig, sql: string): Promise<unknown[]> {
  const client = new pg.Client(target);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

test('the template is migrated: nothing is left to apply', async () => {
  expect(await migrate(config.owner)).toEqual([]);
});

/** Each table, type, sequence and routine of a database. */
const schemaOf = async (target: pg.PoolConfig): Promise<string[]> =>
  (await schemaText(target)).split(/\n\n|\n(?=-- function)/).map((part) => part.trim());

/** What a server of 1.1.14 calls and this one does not; it stays for one release. */
const FORMER = [
  'bank_line_add',
  'bank_line_row',
  'coupon_claim_row',
  'deposit_claim_row',
  'game_result_row',
  'guard_coin_day',
  'guard_coupon_claim',
  'guard_deposit_claim',
  'guard_game_result',
  'guard_qr_payment',
  'guard_wish_end',
  'guard_wish_rest',
  'guard_withdrawal',
  'ledger_post',
  'line_put',
  'qr_payment_row',
  'sighting_put',
  'wish_end_row',
  'wish_rest_row',
  'withdrawal_row',
  'write_coin_day',
  'write_coupon_claim',
  'write_deposit_claim',
  'write_game_result',
  'write_qr_payment',
  'write_unmatched_line',
  'write_wish_end',
  'write_wish_rest',
  'write_withdrawal',
];

test('a database of 1.1.14 with data is upgraded in place to what a new one is', async () => {
  const { owner: target } = await emptyDatabase();
  const client = new pg.Client(target);
  await client.connect();
  await loadRelease(client);
  await client.query(
    `insert into alert (kind, thing, detail, opened_at) values ('kept', '1', 'from 1.1.14', now())`,
  );
  await client.end();
  const names = readdirSync(join(import.meta.dirname, '../../../database'))
    .filter((name) => /^\d/.test(name))
    .map((name) => name.replace('.sql', ''));
  expect((await migrate(target)).filter((name) => !name.endsWith('.sql'))).toEqual(names.sort());
  const [upgraded, fresh] = [await schemaOf(target), await schemaOf(config.owner)];
  expect(fresh.filter((part) => !upgraded.includes(part))).toEqual([]);
  const former = upgraded.filter((part) => !fresh.includes(part));
  expect(former.map((part) => /^(?:create type|-- function) (\w+)/.exec(part)?.[1]).sort()).toEqual(FORMER);
  expect(await migrate(target)).toEqual([]);
  expect(await request(target, "select detail from alert where kind = 'kept'")).toEqual([
    { detail: 'from 1.1.14' },
  ]);
});

test('first texts are corrected, and those that an operator has written stay', async () => {
  const { owner: target } = await emptyDatabase();
  await migrate(target);
  const client = new pg.Client(target);
  await client.connect();
  onTestFinished(() => client.end());
  const lao = async () =>
    (await client.query("select code, notice ->> 'la' as text from rejection_reason order by code")).rows;
  const english = async (key: string) => {
    const sql = `select c.body, r.words -> 'en' as first from content c join content_revision r using (key)
      where c.key = $1 and c.language = 'en' and r.revision = 1`;
    return (await client.query(sql, [key])).rows[0];
  };
  const corrected = [await lao(), await english('contact'), await english('notice')];
  // As they were: one reason and one key edited by an operator, the others not.
  await client.query(
    `update rejection_reason set notice = notice || jsonb_build_object('la', notice ->> 'la' || '.'),
       changed_by = case code when 'account-name' then 'som' else 'system' end
     where code in ('account-name', 'member-asked')`,
  );
  await client.query(
    `update content set body = replace(body::text, '24 hours a day', '24 hours')::jsonb where key = 'contact'`,
  );
  const former = 'The bonus can end when the balance falls to {percentFail}% or below.';
  await client.query(
    `update content set body = to_jsonb($1::text) where key = 'notice' and language = 'en'`,
    [former],
  );
  await client.query(
    `insert into content_revision (key, revision, words, published_by, published_at)
     select key, 2, jsonb_object_agg(language, body), 'som', now() from content where key = 'notice' group by key`,
  );
  await client.query('begin');
  await client.query(
    readFileSync(join(import.meta.dirname, '../../../database/0295_first_texts.sql'), 'utf8'),
  );
  await client.query('commit');
  const [reasons, contact, notice] = corrected;
  expect(await lao()).toEqual(
    reasons.map((row: { code: string; text: string }) =>
      row.code === 'account-name' ? { ...row, text: `${row.text}.` } : row,
    ),
  );
  expect(contact).toMatchObject({
    body: { contactText: 'Our team is here for you 24 hours a day, every day' },
  });
  expect(contact.first).toEqual(contact.body);
  expect(await english('contact')).toEqual(contact);
  expect(await english('notice')).toEqual({ ...notice, body: former });
});

test('a database of a version before 1.1.14 is refused, and stays as it is', async () => {
  const { owner: target } = await emptyDatabase();
  await migrate(target, files({ '0001_ledger.sql': 'create table ledger_asset (id int)' }));
  await expect(migrate(target)).rejects.toThrow('start version 1.1.14');
  expect(await request(target, "select to_regclass('member') as member")).toEqual([{ member: null }]);
});

test('every table belongs to the owner role', async () => {
  const { rows } = await owner.query(
    "select distinct tableowner from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  expect(rows).toEqual([{ tableowner: 'krapao_owner' }]);
});

test('files run in the order of their numbers, functions and several statements included', async () => {
  const { owner: target } = await emptyDatabase();
  const folder = files({
    '0002_second.sql': 'insert into item values (twice(4));',
    '0001_first.sql': `create table item (id int);
      create function twice(n int) returns int language plpgsql as $$ begin return n * 2; end $$;`,
  });
  expect(await migrate(target, folder)).toEqual(['0001_first', '0002_second']);
  expect(await request(target, 'select id from item')).toEqual([{ id: 8 }]);
});

test('an error names its file and keeps nothing of it', async () => {
  const { owner: target } = await emptyDatabase();
  const folder = files({
    '0001_good.sql': 'create table good (id int);',
    '0002_bad.sql': 'create table bad (id int); create table good (id int);',
  });
  await expect(migrate(target, folder)).rejects.toThrow('0002_bad');
  expect(await request(target, "select to_regclass('good') as good, to_regclass('bad') as bad")).toEqual([
    { good: 'good', bad: null },
  ]);
});

test('an older program takes a database that a newer one has migrated, and adds what only it brings', async () => {
  const { owner: target } = await emptyDatabase();
  const first = { '0001_first.sql': 'create table first (id int);' };
  await migrate(target, files({ ...first, '0003_third.sql': 'create table third (id int);' }));
  expect(await migrate(target, files(first))).toEqual([]);
  const branch = files({ ...first, '0002_second.sql': 'create table second (id int);' });
  expect(await migrate(target, branch)).toEqual(['0002_second']);
});

test('a file that meets a lock held for long lets go of its own and is applied when the other is done', async () => {
  const { owner: target } = await emptyDatabase();
  const tables = { '0001_tables.sql': 'create table one (id int); create table two (id int);' };
  await migrate(target, files(tables));
  // Two others: one that wanted both tables would be in a deadlock with the file, which PostgreSQL ends by itself.
  const [holder, waiter] = [new pg.Client(target), new pg.Client(target)];
  await Promise.all([holder.connect(), waiter.connect()]);
  await holder.query('begin; lock table two in access exclusive mode');
  const later = { '0002_later.sql': 'alter table one add at int; alter table two add at int;' };
  const migrating = migrate(target, files({ ...tables, ...later }));
  // While the file waits for the second table it holds the first; this ends only because it lets go.
  await until(async () => (await request(target, LOCKS_AWAITED)).length > 0);
  await waiter.query('begin; lock table one in access exclusive mode; commit');
  await holder.query('commit');
  await Promise.all([holder.end(), waiter.end()]);
  expect(await migrating).toEqual(['0002_later']);
});

test('a file outside the numbering is refused', async () => {
  const { owner: target } = await emptyDatabase();
  await expect(migrate(target, files({ 'hotfix.sql': 'select 1' }))).rejects.toThrow('hotfix.sql');
});

test('servers starting at once apply every file once', async () => {
  const { owner: target } = await emptyDatabase();
  const folder = files({ '0001_once.sql': 'create table once (id int); select pg_sleep(0.05);' });
  const applied = await Promise.all([1, 2, 3].map(() => migrate(target, folder)));
  expect(applied.flat()).toEqual(['0001_once']);
});

test('the app role enqueues in its own transaction and works the job off', async () => {
  const client = await app.connect();
  await client.query('begin');
  await client.query("select graphile_worker.add_job('greet', json_build_object('name', 'lost'))");
  await client.query('rollback');
  client.release();
  await app.query(
    "select graphile_worker.add_job('greet', json_build_object('name', 'kept'), job_key := 'k')",
  );
  const pool = createPool(config.app, {
    // One is for listening: the end of a job waits for the other.
    max: 2,
    applicationName: 'test worker',
    statementTimeoutMs: 0,
    log: () => undefined,
  });
  const names: string[] = [];
  const greeted = Promise.withResolvers<void>();
  const jobs = await startJobs(
    pool,
    [
      {
        tasks: {
          async greet(payload) {
            names.push((payload as { name: string }).name);
            greeted.resolve();
          },
          async hourly() {},
        },
        everyMinute: [],
        everyHour: ['hourly'],
      },
    ],
    greeted.reject,
  );
  await greeted.promise;
  await jobs.stop();
  await pool.end();
  expect(names).toEqual(['kept']);
  expect((await owner.query('select count(*)::int as n from graphile_worker.jobs')).rows).toEqual([{ n: 0 }]);
  expect(
    (await owner.query('select count(*)::int as n from graphile_worker._private_known_crontabs')).rows,
  ).toEqual([{ n: 1 }]);
});
