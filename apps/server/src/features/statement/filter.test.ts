import { HOUR_MS } from '@krapao/contract/durations';
import { describe, expect, test } from 'vitest';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { filteredPage, rowFilterOf } from './filter.ts';
import { BLOCK_ROWS } from './queries.ts';

const env = await startTestEnv({ jobs: false });

const list = (member: TestMember, filter: object, page = 1, limit = 10) =>
  env.call('POST', '/api/statement', { page, limit, ...filter }, { token: member.token });
const numbers = (body: { statements: { id: string }[] }, member: TestMember) =>
  body.statements.map(({ id }) => Number(id.replace(`ROW${member.id}N`, '')));

const TYPES = ['deposit', 'bonus', 'finish_bonus', 'withdraw', 'transfer'];
const START = Date.parse('2026-01-01T00:00:00+07:00');

/** One row an hour from New Year in Bangkok: types in turn, every eleventh failed, the newest three in progress. */
async function fill(member: TestMember, rows: number): Promise<void> {
  // In parts: on a busy machine so many at once take longer than a statement may.
  for (let first = 1; first <= rows; first += 100_000)
    await env.owner.query(
      `insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
     select $1::bigint, n, 'ROW' || $1 || 'N' || n, ($3::text[])[1 + n % 5],
       case when n > $2 - 3 then (array['PENDING','PROCESSING','REVIEW'])[1 + n % 3] when n % 11 = 0 then 'FAILED' else 'SUCCESS' end,
       'wallet', 'betflix', n, to_timestamp($4::bigint / 1000) + n * interval '1 hour', now()
     from generate_series($5::int, least($2::int, $5 + 99999)) n`,
      [member.id, rows, TYPES, START, first],
    );
}

interface Wanted {
  type?: string;
  status?: 'SUCCESS' | 'FAILED' | 'IN_PROGRESS';
  from?: string;
  to?: string;
}

/** What the filter lets through, newest first, by the rule the rows were made with. */
function expected(rows: number, { type, status, from, to }: Wanted): number[] {
  const found: number[] = [];
  for (let n = rows; n >= 1; n--) {
    const at = START + n * HOUR_MS;
    const is = n > rows - 3 ? 'IN_PROGRESS' : n % 11 === 0 ? 'FAILED' : 'SUCCESS';
    if (type && TYPES[n % 5] !== type) continue;
    if (status && is !== status) continue;
    if (from && at < Date.parse(`${from}T00:00:00+07:00`)) continue;
    if (to && at >= Date.parse(`${to}T00:00:00+07:00`) + 24 * HOUR_MS) continue;
    found.push(n);
  }
  return found;
}

const FILTERS: Wanted[] = [
  { type: 'deposit' },
  { status: 'SUCCESS' },
  { status: 'FAILED' },
  { status: 'IN_PROGRESS' },
  { from: '2026-02-10' },
  { to: '2026-02-10' },
  { from: '2026-02-10', to: '2026-02-10' },
  { type: 'transfer', status: 'FAILED', from: '2026-01-15', to: '2026-04-01' },
  { type: 'bonus', status: 'IN_PROGRESS' },
  { from: '2027-06-01' },
];

describe('a filtered statement', () => {
  const ROWS = Number(BLOCK_ROWS) * 3 + 77;

  test.each(FILTERS)('%j: each wanted row once, newest first, and how many on every page', async (filter) => {
    const member = await env.member();
    await fill(member, ROWS);
    const wanted = expected(ROWS, filter);
    const limit = 97;
    const pages = Math.max(1, Math.ceil(wanted.length / limit));
    const seen: number[] = [];
    for (let page = 1; page <= pages; page++) {
      const { status, body } = await list(member, filter, page, limit);
      expect([status, body.total]).toEqual([200, wanted.length]);
      seen.push(...numbers(body, member));
    }
    expect(seen).toEqual(wanted);
    expect((await list(member, filter, pages + 1, limit)).body).toEqual({
      statements: [],
      total: wanted.length,
    });
  });

  test('counts a row again when it becomes final, however old it is', async () => {
    const member = await env.member();
    await fill(member, ROWS);
    await env.owner.query("update statement set status = 'PENDING' where member_id = $1 and number = 5", [
      member.id,
    ]);
    const total = async (status: string) => (await list(member, { status })).body.total;
    const before = await total('SUCCESS');
    expect(await total('IN_PROGRESS')).toBe(4);
    await env.owner.query("update statement set status = 'SUCCESS' where member_id = $1 and number = 5", [
      member.id,
    ]);
    expect([await total('IN_PROGRESS'), await total('SUCCESS')]).toEqual([3, before + 1]);
    const { rows } = await env.owner.query(
      'select block from statement_block where member_id = $1 order by block',
      [member.id],
    );
    expect(rows.map(({ block }) => Number(block))).toEqual([0, 1, 2]);
  });

  test('is right for forty concurrent first calls', async () => {
    const member = await env.member();
    await fill(member, ROWS);
    const responses = await Promise.all(Array.from({ length: 40 }, () => list(member, { status: 'FAILED' })));
    const failed = expected(ROWS, { status: 'FAILED' });
    for (const { body } of responses)
      expect([body.total, numbers(body, member)]).toEqual([failed.length, failed.slice(0, 10)]);
  });

  test('is the member’s own, and empty for who has nothing', async () => {
    await fill(await env.member(), 30);
    expect((await list(await env.member(), { type: 'deposit' })).body).toEqual({ statements: [], total: 0 });
  });

  test.each([
    { type: 'gift' },
    { type: null },
    { status: 'PENDING' },
    { from: '2026-02-30' },
    { from: '2026-13-01' },
    { to: 'yesterday' },
    { to: '2026-1-1' },
    { from: 20260101 },
    { other: 1 },
  ])('refuses %j', async (filter) => {
    expect(await list(await env.member(), filter)).toMatchObject({
      status: 400,
      body: { message: 'INVALID_REQUEST' },
    });
  });
});

/** The tables a plan reads from end to end. */
const readWhole = (plan: string): string[] =>
  [...plan.matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g)].map(([, table]) => table!);

describe('a filtered statement of three hundred thousand rows', () => {
  test('reads no more for the last page than for the first, and never the whole table', async () => {
    const member = await env.member();
    await fill(member, 300_000);
    await env.owner.query('vacuum analyze statement, statement_block');
    let blocks = 0;
    // One connection, measured after the query has run there: a new one reads catalogs to plan SQL functions.
    const client = await env.pool.connect();
    const measuring = {
      query: async (sql: string, values: unknown[]) => {
        const response = await client.query(sql, values as never[]);
        if (sql.startsWith('select')) {
          const { rows } = await client.query(
            `explain (analyze, buffers, format json) ${sql}`,
            values as never[],
          );
          const plan = rows[0]['QUERY PLAN'][0].Plan;
          // Of the blocks nearly all are this member's: to read them in order is right.
          expect(readWhole(JSON.stringify(plan))).not.toContain('statement');
          blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        }
        return response;
      },
    };
    const reader = { id: member.id, language: 'th' } as const;
    for (const filter of [
      { type: 'deposit' },
      { status: 'SUCCESS' },
      { type: 'bonus', status: 'FAILED' },
    ] as const) {
      const wanted = rowFilterOf(filter)!;
      const { total } = await filteredPage({ pool: env.pool, reads: env.pool }, reader, wanted, {
        page: 1,
        limit: 10,
      });
      const costs: number[] = [];
      for (const page of [1, Math.floor(total / 20), Math.ceil(total / 10)]) {
        blocks = 0;
        const { rows } = await filteredPage({ pool: measuring, reads: measuring } as never, reader, wanted, {
          page,
          limit: 10,
        });
        expect(rows.length).toBeGreaterThan(0);
        costs.push(blocks);
      }
      for (const cost of costs) expect(cost).toBeLessThan(costs[0]! + 40);
      expect(costs[0]).toBeLessThan(150);
    }
    client.release();
  });
});

describe('the statement as CSV', () => {
  const csv = (member: TestMember | null, filter: unknown) =>
    fetch(`${env.url}/api/statement/csv`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'wallet-user',
        ...(member ? { authorization: `Bearer ${member.token}` } : {}),
      },
      body: JSON.stringify(filter),
    });
  const BOM = '\uFEFF';

  test('has the wanted rows and no other, with a byte order mark, Thai as it is, and no formula', async () => {
    const member = await env.member();
    await fill(member, 25);
    await env.owner.query(
      "update statement set reference_kind = 'promotion', reference_text = '=HYPERLINK(\"x\") โบนัสต้อนรับ' where member_id = $1 and number = 6",
      [member.id],
    );
    const reply = await csv(member, { type: 'bonus' });
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'no-store',
    ]);
    const text = Buffer.from(await reply.arrayBuffer()).toString('utf8');
    expect(text.startsWith(BOM)).toBe(true);
    const lines = text.slice(1).split('\r\n');
    expect(lines[0]).toBe('time,type,status,from,to,amount,currency,reference,description');
    expect(lines.slice(1, -1).map((line) => line.split(',')[7])).toEqual(
      [21, 16, 11, 6, 1].map((n) => `ROW${member.id}N${n}`),
    );
    expect(lines[4]).toBe(
      `01/01/2026 06:00:00,bonus,SUCCESS,wallet,betflix,0.06,BAHT,ROW${member.id}N6,"'=HYPERLINK(""x"") โบนัสต้อนรับ"`,
    );
  });

  test('is complete for a long statement and without a filter, and only has its heading without rows', async () => {
    const member = await env.member();
    await fill(member, 5_000);
    expect((await (await csv(member, {})).text()).split('\r\n')).toHaveLength(5_002);
    expect((await (await csv(await env.member(), {})).text()).split('\r\n')).toHaveLength(2);
  });

  test('is for its member only, of a filter that is one, and not without end', async () => {
    const refused = async (reply: Response) => [
      reply.status,
      ((await reply.json()) as { message: string }).message,
    ];
    expect(await refused(await csv(null, {}))).toEqual([401, 'invalid-token']);
    const member = await env.member();
    expect(await refused(await csv(member, { member: '1' }))).toEqual([400, 'INVALID_REQUEST']);
    expect(await refused(await csv(member, { from: '2026-02-30' }))).toEqual([400, 'INVALID_REQUEST']);
    const codes = await Promise.all(Array.from({ length: 8 }, async () => (await csv(member, {})).status));
    expect(codes).toContain(429);
  });
});
