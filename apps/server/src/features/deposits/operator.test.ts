import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const finance = await operators.operator('finance');
const member = await env.member();
const LIMIT = 5;
const TOTAL = 23;

/** Adds deposits, three of each moment and amount; a moment has microseconds, which no date of JavaScript has. */
const add = (from: number, to: number) =>
  env.owner.query(
    `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
     select 'DPTURN' || lpad(n::text, 5, '0'), $1, 'QR', 'KBANK', 'TURN' || n, 10000 + n / 3, false, 0,
       '2026-01-01'::timestamptz + n / 3 * interval '1 microsecond' from generate_series($2::int, $3::int) n`,
    [member.id, from, to],
  );
await add(1, TOTAL);

async function read(query: Record<string, string>) {
  const { status, body } = await operators.call(
    finance,
    'GET',
    `/api/operator/deposits?${new URLSearchParams({ limit: String(LIMIT), member: String(member.id), ...query })}`,
  );
  expect([status, body.message]).toEqual([200, undefined]);
  return { ...body, ids: body.deposits.map(({ id }: { id: string }) => Number(id.slice(6))) };
}

/** Reads on to one side until there is no page any more. */
async function follow(sort: string, first: string | null, side: 'previous' | 'next'): Promise<number[][]> {
  const seen: number[][] = [];
  let page = await read({ sort, ...(first && { cursor: first }) });
  for (; ; page = await read({ sort, cursor: page[side] })) {
    seen.push(page.ids);
    if (!page[side]) return seen;
  }
}

const UP = Array.from({ length: TOTAL }, (_, at) => at + 1);

test.each([
  ['createdAt', UP],
  ['-createdAt', UP.toReversed()],
  ['amount', UP],
  ['-amount', UP.toReversed()],
])('by %s, with ties, pages follow each other both ways without a gap or a repeat', async (sort, all) => {
  expect((await follow(sort, null, 'next')).flat()).toEqual(all);
  expect((await follow(sort, 'last', 'previous')).toReversed().flat()).toEqual(all);
});

test('the last page holds the rows of the first page of the opposite order', async () => {
  for (const [sort, opposite] of [
    ['createdAt', '-createdAt'],
    ['-amount', 'amount'],
  ]) {
    const last = await read({ sort: sort!, cursor: 'last' });
    expect(last).toMatchObject({ next: null, last: null, total: TOTAL, isTotalExact: true });
    expect(last.ids).toEqual((await read({ sort: opposite! })).ids.toReversed());
  }
});

test('rows added meanwhile move no row from its page', async () => {
  const first = await read({ sort: '-createdAt' });
  await add(TOTAL + 1, TOTAL + 4);
  const second = await read({ sort: '-createdAt', cursor: first.next });
  expect(second.ids).toEqual(UP.toReversed().slice(LIMIT, 2 * LIMIT));
  expect((await read({ sort: '-createdAt', cursor: second.previous })).ids).toEqual(first.ids);
  await env.owner.query("delete from deposit where id > 'DPTURN00023' and id like 'DPTURN%'");
});

test('a page that nothing is left of leads to the last one', async () => {
  expect(await read({ sort: 'amount', cursor: 'after:amount:99999999:DPX' })).toMatchObject({
    ids: [],
    previous: 'last',
    next: null,
  });
});

test('a cursor that no reply of this order named is refused', async () => {
  const forged = [
    'first',
    'after:',
    'after:createdAt:1:DP1; drop',
    'after:createdAt:yesterday:DP1',
    'before:createdAt:-1:DP1',
    'after:createdAt:999999999999999999:DP1',
    'after:amount:1:DP1',
    'after:name:A:DP1',
  ];
  for (const cursor of forged)
    expect(
      await operators.call(finance, 'GET', `/api/operator/deposits?${new URLSearchParams({ cursor })}`),
    ).toMatchObject({ status: 400, body: { message: 'INVALID_REQUEST' } });
});

test('above ten thousand rows the total is a bound without sums, and exact on request', async () => {
  const other = await env.member();
  // The coins and invites of ten thousand deposits are of no matter here, and take 20 s.
  await env.owner.query('alter table deposit disable trigger user');
  await env.owner.query(
    `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
     select 'DPMANY' || n, $1, 'QR', 'KBANK', 'MANY' || n, 100, false, 0, now() from generate_series(1, 10001) n`,
    [other.id],
  );
  await env.owner.query('alter table deposit enable trigger user');
  const many = { member: String(other.id) };
  expect(await read(many)).toMatchObject({ total: 10_000, isTotalExact: false, sums: [] });
  expect(await read({ ...many, countAll: 'true' })).toMatchObject({
    total: 10_001,
    isTotalExact: true,
    sums: [{ currency: 'BAHT', amount: 10_001 }],
  });
});
