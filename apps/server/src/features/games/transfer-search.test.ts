import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reads } from '../../platform/database/db.ts';
import { choicesOf } from '../../platform/http/choices.ts';
import { sliceOf } from '../../platform/http/cursor.ts';
import { insertRecent, LISTED } from '../../testing/listed-rows.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { listForOperators, TRANSFER_KEYS } from './operator-queries.ts';

const env = await startTestEnv({ jobs: false });
const superuser = new pg.Client({ ...env.owner.options, user: 'postgres' });
const ROWS = 20_000;

beforeAll(async () => {
  await superuser.connect();
  for (const name of ['members', 'transfers'])
    await superuser.query(insertRecent(LISTED[name]!, ROWS, env.app.deps.secrets));
  await superuser.query(`
    set session_replication_role = replica;
    update provider_transfer set member_id = 700000000 + substr(id, 4)::bigint / 5 where id like 'TFL%';
    analyze`);
}, 60_000);
afterAll(() => superuser.end());

interface Step {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Step[];
}
const most = (step: Step): number =>
  Math.max(
    step['Actual Loops'] * (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)),
    ...(step.Plans ?? []).map(most),
  );

const search = (db: Reads, text: string) => {
  const none = choicesOf(undefined);
  const filter = { state: none, game: none, memberId: null, from: null, to: null, text, phone: text };
  return listForOperators(db, filter, sliceOf({}, TRANSFER_KEYS, '-createdAt'), 10_000);
};

test('transfers are searched by id, member or phone with a few rows read', async () => {
  const { rows } = await superuser.query('select id::text, phone from member where id = 700000100');
  const plans: { query: string; read: number }[] = [];
  const explained = {
    query: async (query: string, values: unknown[]) => {
      const { rows } = await env.owner.query(`explain (analyze, format json) ${query}`, values);
      plans.push({ query: query.slice(0, 40), read: most(rows[0]['QUERY PLAN'][0].Plan) });
      return { rows: [] };
    },
  } as unknown as Reads;
  for (const [text, found] of [
    ['tfl77', 1],
    [rows[0].id, 5],
    [rows[0].phone, 5],
    ['0', 0],
    ['nothing', 0],
    ['9'.repeat(30), 0],
  ] as const) {
    expect((await search(env.pool, text)).rows).toHaveLength(found);
    await search(explained, text);
  }
  expect(plans).toHaveLength(12);
  expect(plans.filter(({ read }) => read > 150)).toEqual([]);
});
