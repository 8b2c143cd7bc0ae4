import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { commandsHere } from '../../admin/fixtures/command-line.ts';
import { databaseUrlOf } from '../../crash/fixtures/server.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { pass, pushedClock } from '../testing.ts';
import { addDays, dayAt, spanOf } from './days.ts';
import { runDay } from './run.ts';
import type { SourceDeps } from './sources.ts';
import { uploadStatement } from './testing-statements.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const SCB = 'bank:SCB:2223334445';
const PAGE = '/api/operator/reconciliation';
const folder = mkdtempSync(join(tmpdir(), 'statement-'));

/** A day with two transfers to the account, which ended before the files arrived. */
await pass(
  env,
  clock,
  spanOf(addDays(dayAt(clock.now()), 1))!.from.getTime() + 12 * HOUR_MS - clock.now().getTime(),
);
await env.app.runJob('feeds.read');
const day = dayAt(clock.now());
const member = await env.member();
const to = { toBank: 'SCB', toAccount: '2223334445' };
const references: string[] = [];
for (const amount of [77, 33])
  references.push((await env.control('transfer', { phone: member.phone, amount, ...to })).transRef);
await env.app.runJob('feeds.read');
await pass(env, clock, 24 * HOUR_MS);
const [lead, auditor] = await Promise.all(
  ['finance-lead', 'auditor'].map((role) => operators.operator(role)),
);

afterAll(async () => {
  rmSync(folder, { recursive: true });
  expect(await verifyLedger(env.pool, [])).toEqual([]);
});

const rows = [`${day},77.00,${references[0]}`, `${day},33.00,${references[1]}`];
const csv = (...lines: string[]) => `Date,Amount,Reference\n${lines.join('\n')}\n`;
const upload = (text: string, { as = lead!, source = SCB as string | null, name = 'scb.csv' } = {}) =>
  uploadStatement(env, as, { source, name, text });
const state = async (deps: SourceDeps = env.app.deps) => {
  await runDay(deps, day, SCB);
  const { body } = await operators.call(auditor!, 'GET', `${PAGE}?day=${day}`);
  const run = body.runs.find(({ source }: { source: string }) => source === SCB);
  const open = await operators.call(
    auditor!,
    'GET',
    `${PAGE}/differences?day=${day}&source=${SCB}&state=OPEN`,
  );
  return {
    file: run.file,
    state: run.state,
    theirs: run.theirs.count,
    open: open.body.differences.map((row: { kind: string; theirs: { amount: number } | null }) =>
      `${row.kind} ${row.theirs?.amount ?? ''}`.trim(),
    ),
  };
};
const counts = async () =>
  (
    await env.owner.query(
      `select (select count(*)::int from statement_file) as files, (select count(*)::int from statement_line) as lines,
        (select count(*)::int from ledger_entry) as entries,
        (select count(*)::int from audit where action like 'reconciliation.statement%') as audited`,
    )
  ).rows[0];

test('a file takes the place of the bank’s call for its days, and its lines are compared one by one', async () => {
  const before = await state();
  expect(before).toMatchObject({ file: null, open: [] });
  const { status, body } = await upload(csv(...rows, `${day},5.00,X1`));
  expect([status, body]).toEqual([
    200,
    { id: expect.any(String), isRepeat: false, format: 'csv', from: day, to: day, lines: 3 },
  ]);
  expect(await state()).toEqual({ file: 'scb.csv', state: 'COMPARED', theirs: 3, open: ['MISSING_OURS 5'] });
  const { rows: jobs } = await env.owner.query(
    "select key from graphile_worker.jobs where key = 'reconciliation.run:' || $1 || ':' || $2",
    [day, SCB],
  );
  expect(jobs).toHaveLength(1);
});

test('the same file again, and many times at once, keeps nothing and books nothing', async () => {
  const before = await counts();
  const text = csv(...rows, `${day},5.00,X1`);
  const replies = await Promise.all(Array.from({ length: 8 }, () => upload(text, { name: 'again.csv' })));
  expect(replies.map(({ body }) => body.isRepeat)).toEqual(Array(8).fill(true));
  expect(await counts()).toEqual(before);
  const fresh = csv(rows[0]!);
  const first = await Promise.all(Array.from({ length: 8 }, () => upload(fresh, { name: 'short.csv' })));
  expect(first.filter(({ body }) => body.isRepeat === false)).toHaveLength(1);
  const after = await counts();
  expect(after).toEqual({
    ...before,
    files: before.files + 1,
    lines: before.lines + 1,
    audited: before.audited + 1,
  });
});

test('of two files that cover a day the later counts alone, until it is taken out of use', async () => {
  expect(await state()).toMatchObject({ file: 'short.csv', theirs: 1, open: ['MISSING_THEIRS'] });
  const list = await operators.call(auditor!, 'GET', `${PAGE}/statements?source=${SCB}&limit=1`);
  expect(list.body).toMatchObject({
    total: 2,
    statements: [{ name: 'short.csv', removedAt: null, lines: 1 }],
  });
  const second = await operators.call(auditor!, 'GET', `${PAGE}/statements?cursor=${list.body.next}&limit=1`);
  expect(second.body.statements).toMatchObject([{ name: 'scb.csv' }]);
  const remove = (id: string) =>
    operators.call(lead!, 'POST', `${PAGE}/statements/${id}/remove`, { reason: 'an old print' });
  const { id } = list.body.statements[0];
  expect((await remove(id)).status).toBe(200);
  expect((await remove(id)).body.message).toBe('ROW_CHANGED');
  expect((await remove('999')).body.message).toBe('NO_DATA');
  expect(await state()).toMatchObject({ file: 'scb.csv', theirs: 3 });
});

test('files that cannot be used are refused with a code, and keep nothing', async () => {
  const before = await counts();
  const mt940 = (closing: string, account = '2223334445') =>
    `:20:S\n:25:${account}\n:60F:C260101THB0,00\n:61:260101C10,00NTRFA//B\n:62F:C260101THB${closing}\n-`;
  const refusals: [string, string, Parameters<typeof upload>[1]?][] = [
    ['STATEMENT_UNREADABLE', 'hello'],
    ['STATEMENT_UNREADABLE', csv(`${day},1.2345,X`)],
    ['STATEMENT_BALANCE', mt940('11,00')],
    ['STATEMENT_ACCOUNT', mt940('10,00', '9998887776')],
    ['STATEMENT_DAYS', csv(`${dayAt(clock.now())},1.00,X`)],
    ['STATEMENT_DAYS', csv('2025-01-01,1.00,X', `${day},1.00,Y`)],
    ['STATEMENT_TOO_LARGE', 'x'.repeat(11 * 1024 * 1024)],
    ['NO_DATA', csv(...rows), { source: 'bank:SCB:1' }],
    ['NO_DATA', csv(...rows), { source: 'gateway:WW' }],
    ['INVALID_REQUEST', csv(...rows), { source: null }],
    ['INVALID_REQUEST', ''],
    ['UNAUTHORIZED', csv(...rows), { as: auditor! }],
  ];
  for (const [code, text, more] of refusals)
    expect([code, (await upload(text, more)).body.message]).toEqual([code, code]);
  expect((await upload('Date,Amount\n2026-01-05,1.00\nnever,2.00\n')).body.data).toMatchObject({ line: 3 });
  expect(await counts()).toEqual(before);
});

/** An MT940 statement of one day `ago` days before the day of the transfers, with one entry of 10 baht. */
const statement = (ago: number, opening: number, { closing = opening + 10, opened = ago + 1 } = {}) => {
  const date = (days: number) => addDays(day, -days).slice(2).replaceAll('-', '');
  return `:20:S${ago}\n:25:2223334445\n:60F:C${date(opened)}THB${opening},00\n:61:${date(ago)}C10,00NTRFA${ago}//B${ago}\n:62F:C${date(ago)}THB${closing},00\n`;
};

test('several statements of one file cover their days when one leads to the next', async () => {
  // Out of order, two pages of one day, and a day without a statement that has no movement.
  const pages = [statement(1, 120), statement(4, 100), statement(4, 110, { opened: 4 }), statement(0, 130)];
  const quiet = statement(1, 120).replace(
    /:60F:C\d{6}/,
    `:60F:C${addDays(day, -4).slice(2).replaceAll('-', '')}`,
  );
  const { status, body } = await upload([quiet, ...pages.slice(1)].join(''), { name: 'pages.sta' });
  expect([status, body]).toMatchObject([200, { from: addDays(day, -4), to: day, lines: 4 }]);
  await operators.call(lead!, 'POST', `${PAGE}/statements/${body.id}/remove`, { reason: 'a test' });
});

test.each([
  [
    'with a day between them, though the balances agree',
    'STATEMENT_DAYS',
    [statement(3, 100), statement(1, 110)],
  ],
  ['whose balances do not agree', 'STATEMENT_BALANCE', [statement(2, 100), statement(1, 111)]],
  ['that are the same twice', 'STATEMENT_BALANCE', [statement(1, 100), statement(1, 100)]],
])('statements of one file %s are refused, and nothing is stored', async (_what, code, some) => {
  const before = await counts();
  expect((await upload(some.join(''))).body.message).toBe(code);
  expect(await counts()).toEqual(before);
});

test('a period that covers no day as a whole is refused; entries of a day covered in part are left out', async () => {
  const camt = (from: string, to: string, booked: readonly string[]) => {
    const entries = booked.map(
      (at, index) =>
        `<Ntry><NtryRef>E${index}</NtryRef><Amt Ccy="THB">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><DtTm>${at}</DtTm></BookgDt></Ntry>`,
    );
    return `<Document><BkToCstmrStmt><Stmt><FrToDt><FrDtTm>${from}</FrDtTm><ToDtTm>${to}</ToDtTm></FrToDt><Acct><Id><Othr><Id>2223334445</Id></Othr></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
  };
  const [first, last] = [addDays(day, -2), addDays(day, -1)];
  const utcDay = camt(`${last}T00:00:00Z`, `${day}T00:00:00Z`, [`${last}T08:00:00+07:00`]);
  expect((await upload(utcDay)).body.message).toBe('STATEMENT_DAYS');
  const booked = [`${first}T08:00:00+07:00`, `${last}T08:00:00+07:00`, `${day}T05:00:00+07:00`];
  const { body } = await upload(camt(`${first}T00:00:00Z`, `${day}T00:00:00Z`, booked));
  expect(body).toMatchObject({ from: last, to: last, lines: 1 });
  await operators.call(lead!, 'POST', `${PAGE}/statements/${body.id}/remove`, { reason: 'a test' });
});

test('the command takes a file, compares its days, and reports that a repeat changed nothing', async () => {
  const file = join(folder, 'from-the-bank.csv');
  writeFileSync(file, csv(...rows));
  const { config } = env.app.deps;
  const environment = {
    SECRET: config.SECRET,
    CLOCK_URL: `${new URL(config.BANK_A_URL).origin}/control/clock`,
    BANK_A_URL: config.BANK_A_URL,
    BANK_B_URL: config.BANK_B_URL,
  };
  const commands = commandsHere(await databaseUrlOf(env.pool));
  const run = (...args: string[]) => commands(['statement', ...args], environment);
  const taken = await run(SCB, file);
  expect(taken).toMatchObject({ code: 0, error: '' });
  expect(taken.out).toContain(`2 entries from ${day} to ${day}`);
  expect(await state()).toMatchObject({ file: 'from-the-bank.csv', theirs: 2, open: [] });
  expect((await run(SCB, file)).out).toContain('taken before');
  expect(await run('bank:SCB:1', file)).toMatchObject({ code: 1, out: '' });
  expect((await run(SCB, join(folder, 'none.csv'))).error).toContain('cannot be read');
  writeFileSync(file, 'hello');
  expect((await run(SCB, file)).error).toContain('STATEMENT_UNREADABLE');
});

test('without a feed, the last file of a day takes its differences and the alert along when it is removed', async () => {
  const deps = { ...env.app.deps, feed: null };
  const alerts = async () => {
    const sql = `select detail from alert where kind = 'reconciliation' and subject = $1 and closed_at is null`;
    return (await env.owner.query(sql, [`reconciliation:${day}:${SCB}`])).rows;
  };
  await upload(csv(...rows, `${day},9.00,X9`), { name: 'extra.csv' });
  expect(await state(deps)).toMatchObject({ file: 'extra.csv', open: ['MISSING_OURS 9'] });
  expect(await alerts()).toEqual([{ detail: '1' }]);
  const list = await operators.call(auditor!, 'GET', `${PAGE}/statements?source=${SCB}&limit=100`);
  for (const { id, removedAt } of list.body.statements)
    if (removedAt === null)
      await operators.call(lead!, 'POST', `${PAGE}/statements/${id}/remove`, { reason: 'a test' });
  expect(await state(deps)).toEqual({ file: null, state: 'NOT_OFFERED', theirs: 0, open: [] });
  expect(await alerts()).toEqual([]);
});

test('a file that arrives while its day is being compared is compared after that', async () => {
  const lease = (until: string) =>
    env.owner.query(`update reconciliation_run set taken_until = ${until} where day = $1 and source = $2`, [
      day,
      SCB,
    ]);
  await lease("now() + interval '5 minutes'");
  const { body } = await upload(csv(...rows, `${day},777.00,X7`), { name: 'late.csv' });
  await env.app.runJob('reconciliation.run', { day, source: SCB });
  const { rows: jobs } = await env.owner.query(
    "select run_at > now() as later from graphile_worker.jobs where key = 'reconciliation.run:' || $1 || ':' || $2",
    [day, SCB],
  );
  expect(jobs).toEqual([{ later: true }]);
  await lease("'-infinity'");
  await env.app.runJob('reconciliation.run', { day, source: SCB });
  expect(await state()).toMatchObject({ file: 'late.csv', theirs: 3, open: ['MISSING_OURS 777'] });
  await operators.call(lead!, 'POST', `${PAGE}/statements/${body.id}/remove`, { reason: 'a test' });
});
