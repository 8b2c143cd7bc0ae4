import { PERMISSIONS } from '@krapao/contract/operator';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { insertListed, LISTED } from '../testing/listed-rows.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
await env.owner.query("update operator_role set permissions = $1 where code = 'finance'", [[...PERMISSIONS]]);
const reader = await operators.operator('finance');
// Only the superuser can write rows without what they refer to.
const superuser = new pg.Client({ ...env.owner.options, user: 'postgres' });
await superuser.connect();
afterAll(() => superuser.end());
await env.member();
const TOTAL = 11;
const LIMIT = 4;

async function read(path: string, query: Record<string, string>) {
  const { status, body } = await operators.call(reader, 'GET', path + new URLSearchParams(query));
  expect([status, body.message]).toEqual([200, undefined]);
  const rows = Object.values(body).find(Array.isArray) as { id: string }[];
  return { ...body, ids: rows.map(({ id }) => id) };
}

/** Reads on to one side until there is no page any more. */
async function follow(path: string, query: Record<string, string>, side: 'previous' | 'next') {
  const pages: string[][] = [];
  let page = await read(path, query);
  for (; ; page = await read(path, { ...query, cursor: page[side] })) {
    pages.push(page.ids);
    if (!page[side]) return pages;
  }
}

test.each(Object.entries(LISTED))(
  'pages of %s follow each other both ways without a gap or a repeat',
  async (_, list) => {
    await superuser.query(insertListed(list, TOTAL, env.app.deps.secrets));
    for (const sort of list.sorts.length > 0 ? list.sorts : ['']) {
      const query = { limit: String(LIMIT), ...(sort && { sort }) };
      const all = await read(list.path, { ...query, limit: '100' });
      expect(all).toMatchObject({ isTotalExact: true, previous: null, next: null, last: null });
      expect(all.total).toBeGreaterThanOrEqual(TOTAL);
      expect(all.ids).toHaveLength(all.total);
      expect((await follow(list.path, query, 'next')).flat(), `by ${sort}`).toEqual(all.ids);
      const back = await follow(list.path, { ...query, cursor: 'last' }, 'previous');
      expect(back.toReversed().flat(), `by ${sort}, from the end`).toEqual(all.ids);
      expect(back[0]).toHaveLength(LIMIT);
    }
  },
);

test('slips that wait come first, oldest first, then the newest of the others', async () => {
  const { slips } = (await read('/api/operator/slips?', { limit: '100' })) as never as {
    slips: { status: string; createdAt: string }[];
  };
  const waiting = slips.filter(({ status }) => status === 'REVIEW');
  expect(slips.slice(0, waiting.length)).toEqual(waiting);
  const times = (rows: typeof slips) => rows.map(({ createdAt }) => createdAt);
  expect(times(waiting)).toEqual(times(waiting).toSorted());
  expect(times(slips.slice(waiting.length))).toEqual(
    times(slips.slice(waiting.length)).toSorted().toReversed(),
  );
});
