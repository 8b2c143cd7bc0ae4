import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const auditor = await operators.operator('auditor');
const TOTAL = 23;
const LIMIT = 5;

await env.owner.query(
  `insert into audit (at, actor, action, subject) select now(), 'system', 'turn.page', 'room:' || n from generate_series(1, $1::int) n`,
  [TOTAL],
);

interface Page {
  subjects: number[];
  previous: string | null;
  next: string | null;
  last: string | null;
}

async function read(cursor: string | null, sort = '-at'): Promise<Page> {
  const query = new URLSearchParams({
    action: 'turn.',
    limit: String(LIMIT),
    sort,
    ...(cursor && { cursor }),
  });
  const { status, body } = await operators.call(auditor, 'GET', `/api/operator/audit?${query}`);
  expect([status, body.total]).toEqual([200, TOTAL]);
  const subjects = body.rows.map(({ subject }: { subject: string }) => Number(subject.split(':')[1]));
  return { subjects, previous: body.previous, next: body.next, last: body.last };
}

/** Reads all pages in one direction, and returns the rows of each. */
async function follow(from: Page, side: 'previous' | 'next', sort: string): Promise<number[][]> {
  const seen = [from.subjects];
  for (let page = from; page[side]; ) {
    page = await read(page[side], sort);
    seen.push(page.subjects);
  }
  return seen;
}

test.each([
  ['-at', Array.from({ length: TOTAL }, (_, at) => TOTAL - at)],
  ['at', Array.from({ length: TOTAL }, (_, at) => at + 1)],
])('sorted by %s, pages follow each other without a gap or a repeat, both ways', async (sort, all) => {
  const first = await read(null, sort);
  expect(first).toMatchObject({ previous: null, last: 'last' });
  expect((await follow(first, 'next', sort)).flat()).toEqual(all);
  const last = await read(first.last, sort);
  expect(last).toMatchObject({ subjects: all.slice(-LIMIT), next: null, last: null });
  expect((await follow(last, 'previous', sort)).toReversed().flat()).toEqual(all);
});

test('a cursor that no reply named is refused', async () => {
  for (const cursor of ['after:', 'before:at:x:1', 'first', 'after:at:1:x', 'after:createdAt:1:1'])
    expect((await operators.call(auditor, 'GET', `/api/operator/audit?cursor=${cursor}`)).body.message).toBe(
      'INVALID_REQUEST',
    );
});
