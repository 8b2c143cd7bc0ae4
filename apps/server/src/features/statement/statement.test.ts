import { describe, expect, test } from 'vitest';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { countStatement, listStatement } from './queries.ts';

const env = await startTestEnv({ jobs: false });

const list = (member: TestMember, page: unknown, limit: unknown) =>
  env.call('POST', '/api/statement', { page, limit }, { token: member.token });
const numbers = (body: { statements: { id: string }[] }, member: TestMember) =>
  body.statements.map(({ id }) => Number(id.replace(`ROW${member.id}N`, '')));

/** Rows as attached writes write them, numbered from 1. */
async function fill(member: TestMember, rows: number): Promise<void> {
  await env.owner.query(
    `insert into statement (member_id, number, id, type, status, source, target, amount, reference_kind, reference_text, created_at, updated_at)
     select $1::bigint, n, 'ROW' || $1 || 'N' || n, (array['deposit','bonus','finish_bonus','withdraw','transfer'])[1 + n % 5],
       (array['SUCCESS','FAILED','PENDING','PROCESSING','REVIEW'])[1 + n % 5], 'wallet', 'betflix', n,
       case when n % 5 = 1 then 'refund' end, case when n % 5 = 1 then 'ten' end, now(), now()
     from generate_series(1, $2::int) n`,
    [member.id, rows],
  );
}

describe('the statement', () => {
  test('is newest first, page by page, each row once, with the total on every page', async () => {
    const member = await env.member();
    await fill(member, 25);
    const pages = await Promise.all([1, 2, 3].map((page) => list(member, page, 10)));
    expect(pages.map(({ body }) => [body.total, body.statements.length])).toEqual([
      [25, 10],
      [25, 10],
      [25, 5],
    ]);
    expect(pages.flatMap(({ body }) => numbers(body, member))).toEqual(
      Array.from({ length: 25 }, (_, index) => 25 - index),
    );
  });

  test('gives one row by its id, to its member alone', async () => {
    const [member, other] = [await env.member(), await env.member()];
    await fill(member, 3);
    const one = (who: TestMember, id: string) =>
      env.call('POST', '/api/statement', { page: 1, limit: 1, id }, { token: who.token });
    const id = `ROW${member.id}N2`;
    expect((await one(member, id)).body).toMatchObject({ statements: [{ id, amount: 0.02 }], total: 1 });
    for (const response of [await one(other, id), await one(member, 'none')])
      expect(response.body).toEqual({ statements: [], total: 0 });
  });

  test('beyond its end is an empty page with the total', async () => {
    const member = await env.member();
    await fill(member, 25);
    for (const page of [4, 1_000_000])
      expect((await list(member, page, 10)).body).toEqual({ statements: [], total: 25 });
    expect((await list(await env.member(), 1, 10)).body).toEqual({ statements: [], total: 0 });
  });

  test('gives any page size from 1 to 100', async () => {
    const member = await env.member();
    await fill(member, 120);
    for (const limit of [1, 10, 100])
      expect((await list(member, 1, limit)).body.statements).toHaveLength(limit);
    expect(numbers((await list(member, 120, 1)).body, member)).toEqual([1]);
  });

  test.each([
    [0, 10],
    [-1, 10],
    [1.5, 10],
    ['1', 10],
    [null, 10],
    [1_000_001, 10],
    [1, 0],
    [1, 101],
    [1, -1],
    [1, '10'],
    [1, null],
    [[1], 10],
    [1, 1e300],
  ])('refuses page %j with limit %j', async (page, limit) => {
    expect(await list(await env.member(), page, limit)).toMatchObject({
      status: 400,
      body: { message: 'INVALID_REQUEST' },
    });
  });

  test('names the reference a row has, and nothing else', async () => {
    const member = await env.member();
    await fill(member, 2);
    const [second, first] = (await list(member, 1, 10)).body.statements;
    expect(first).toEqual({
      id: `ROW${member.id}N1`,
      statementType: 'bonus',
      status: 'FAILED',
      from: 'wallet',
      to: 'betflix',
      amount: 0.01,
      createdAt: expect.any(String),
      refund: { description: 'ten' },
    });
    expect(Object.keys(second)).not.toContain('refund');
  });

  test('is the member’s own', async () => {
    const [member, other] = [await env.member(), await env.member()];
    await fill(member, 3);
    expect((await list(other, 1, 100)).body).toEqual({ statements: [], total: 0 });
  });
});

describe('a statement of a hundred thousand rows', () => {
  test('is read by the primary key: any page costs what the first one costs', async () => {
    const member = await env.member();
    await fill(member, 100_000);
    await env.owner.query('analyze statement');
    const seen: string[] = [];
    const client = await env.pool.connect();
    const explaining = {
      query: async (sql: string, values: unknown[]) => {
        // Run once before it is measured: a new connection reads 700 blocks of catalogs to plan SQL functions.
        const response = await client.query(sql, values as never[]);
        const { rows } = await client.query(
          `explain (analyze, buffers, format json) ${sql}`,
          values as never[],
        );
        const plan = rows[0]['QUERY PLAN'][0].Plan;
        seen.push(JSON.stringify(plan));
        expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], JSON.stringify(plan)).toBeLessThan(60);
        return response;
      },
    };
    const total = await countStatement(explaining as never, member.id);
    for (const page of [1n, 5_000n, 10_000n])
      expect(
        await listStatement(
          explaining as never,
          { id: member.id, language: 'th' },
          { newest: total, page, limit: 10n },
        ),
      ).toHaveLength(10);
    client.release();
    expect(seen).toHaveLength(4);
    for (const plan of seen) {
      expect(plan).toContain('"Index Name":"statement_pkey"');
      expect(plan).not.toContain('Seq Scan');
    }
  });
});
