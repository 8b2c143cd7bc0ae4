import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startCrowd } from '../crash/fixtures/intents.ts';
import { databaseUrlOf } from '../crash/fixtures/server.ts';
import { createPool } from '../platform/database/connect.ts';
import { emptyDatabase } from '../platform/database/testing.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { commandLine } from './fixtures/command-line.ts';

const env = await startTestEnv({ jobs: false });
const admin = commandLine(await databaseUrlOf(env.pool));
const folder = mkdtempSync(join(tmpdir(), 'krapao-drill-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a backup taken while members withdraw, restored into an empty database, passes the proof of the books', async () => {
  const file = join(folder, 'drill.backup');
  await env.set('withdraw.oneOpen', false);
  await env.set('withdraw.automaticMax', { BAHT: 0, LAK: 0 });
  const members = await Promise.all(
    Array.from({ length: 5 }, () => env.member({ amountMinor: 1_000_000_000n })),
  );
  const crowd = startCrowd(
    () => env.url,
    members.map((member) => member.token),
    8,
  );
  await until(async () => crowd.answered() > 200);
  await env.owner.query(
    `insert into operator_key (id, operator_id, name, permissions, key_hash, created_at, expires_at)
     select 'KY1', id, 'books', '{deposit.read}', 'hash', now(), now() + interval '1 year' from operator limit 1`,
  );
  const before = crowd.answered();
  expect(await admin(['backup', file])).toMatchObject({ code: 0, error: '' });
  expect(crowd.answered()).toBeGreaterThan(before);
  await crowd.stop();

  const empty = await emptyDatabase();
  const pool = createPool(empty.owner, { max: 2, applicationName: 'drill', statementTimeoutMs: 30_000 });
  const second = commandLine(await databaseUrlOf(pool));
  expect(await second(['restore', file])).toMatchObject({ code: 0 });
  expect(await second(['ledger', 'verify'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The books are right/),
  });
  const { rows: restored } = await pool.query(
    "select actor, after->>'createdAt' as \"createdAt\" from audit where action = 'restore'",
  );
  expect(restored).toEqual([{ actor: expect.stringMatching(/^cli:/), createdAt: expect.any(String) }]);
  const { rows } = await pool.query('select count(*)::int as withdrawals from withdrawal');
  expect(rows[0].withdrawals).toBeGreaterThanOrEqual(before);
  expect(rows[0].withdrawals).toBeLessThanOrEqual(crowd.answered());
  // Members shut out since the backup stay out, and no new member gets the id of a lost one.
  const next = "select nextval('member_id_seq') as id";
  const lost = (await env.pool.query(next)).rows[0].id;
  const open = 'select count(*)::int as open from session where ended_at is null';
  expect((await env.pool.query(open)).rows[0].open).toBe(members.length);
  expect((await pool.query(open)).rows[0].open).toBe(0);
  const valid = 'select count(*)::int as valid from operator_key where revoked_at is null';
  expect((await env.pool.query(valid)).rows[0].valid).toBe(1);
  expect((await pool.query(valid)).rows[0].valid).toBe(0);
  expect((await pool.query(next)).rows[0].id).toBeGreaterThan(lost + 10_000n);
  // A restored database is not restored over.
  expect(await second(['restore', file])).toMatchObject({ code: 1 });
  await pool.end();
});

test('a quiet installation, backed up and restored, has right books by the command itself', async () => {
  const file = join(folder, 'quiet.backup');
  const source = await emptyDatabase();
  const sourcePool = createPool(source.owner, {
    max: 1,
    applicationName: 'drill',
    statementTimeoutMs: 30_000,
  });
  const first = commandLine(await databaseUrlOf(sourcePool));
  expect(await first(['ledger', 'verify'])).toMatchObject({ code: 0 });
  expect(await first(['backup', file])).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o077).toBe(0);
  const target = await emptyDatabase();
  const targetPool = createPool(target.owner, {
    max: 1,
    applicationName: 'drill',
    statementTimeoutMs: 30_000,
  });
  const second = commandLine(await databaseUrlOf(targetPool));
  expect(await second(['restore', file])).toMatchObject({ code: 0 });
  expect((await second(['ledger', 'verify'])).out).toMatch(/^The books are right/);
  await sourcePool.end();
  await targetPool.end();
});

test.each(['members', 'statement', 'deposits', 'withdrawals', 'unmatched', 'audit'])(
  'the export of %s is a file for its owner alone, without sealed columns, and audited',
  async (name) => {
    const file = join(folder, `${name}.csv`);
    expect(await admin(['export', name, file])).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toMatch(/sealed|password|fingerprint/);
    const { rows } = await env.owner.query('select after from audit where subject = $1', [`export:${name}`]);
    expect(rows).toHaveLength(1);
  },
);
