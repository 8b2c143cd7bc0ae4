import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type CommandLine, commandLine, commandsHere } from '../../admin/fixtures/command-line.ts';
import { databaseUrlOf } from '../../crash/fixtures/server.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { slipHelpers } from '../deposits/slips/testing-slips.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { pass, pushedClock } from '../testing.ts';
import { addDays, dayAt, spanOf } from './days.ts';
import { runDay, runDue } from './run.ts';

const PARTNERS = (['BANK_A', 'BANK_B', 'GIFT', 'WW', 'ZAPMAN', 'GAME_F', 'GAME_J'] as const).map(
  (name) => `${name}_URL` as const,
);
const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const slips = slipHelpers(env);
const { deps } = env.app;
const today = () => dayAt(clock.now());
/** The next noon in Bangkok, so that no test runs over midnight. */
const noon = () => spanOf(addDays(today(), 1))!.from.getTime() + 12 * HOUR_MS;
await pass(env, clock, noon() - clock.now().getTime());
await env.app.runJob('feeds.read');

const [lead, finance, support, auditor] = await Promise.all(
  ['finance-lead', 'finance', 'support', 'auditor'].map((role) => operators.operator(role)),
);
/** The command line as a process of its own. */
const databaseUrl = await databaseUrlOf(env.pool);
const PAGE = '/api/operator/reconciliation';
const KBANK = 'bank:KBANK:1112223334';
const SCB = 'bank:SCB:2223334445';

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});
beforeEach(async () => {
  await env.control('faults', { clear: true });
});

const settle = () => pass(env, clock, 3 * MINUTE_MS);
interface Run {
  source: string;
  [name: string]: unknown;
}
async function runsOf(day = today(), as = auditor): Promise<Map<string, Run>> {
  const { body } = await operators.call(as!, 'GET', `${PAGE}?day=${day}`);
  return new Map(body.runs.map((run: Run) => [run.source, run]));
}
async function differences(query = ''): Promise<Record<string, unknown>[]> {
  const address = `${PAGE}/differences?day=${today()}&state=OPEN${query}`;
  return (await operators.call(auditor!, 'GET', address)).body.differences;
}
const compareNow = (source?: string) => runDay(deps, today(), source);
const alerts = async () =>
  (
    await env.owner.query(
      "select kind, subject, detail from alert where kind like 'reconciliation%' and closed_at is null order by subject",
    )
  ).rows;
const misprint = (party: string, reference: string, more: object = {}) =>
  env.control('misprint', { party, reference, ...more });

/** What the partners call the money of the day. */
const seen = { qr: '', ww: '', feed: '', gift: '', withdrawal: '', player: '' };

async function payQr(member: TestMember, bank: string): Promise<string> {
  const qr = await env.call('POST', `/api/qrcode/${bank}`, { amount: 150 }, { token: member.token });
  const before = await env.balance(member);
  const { payments } = await env.control('pay-qr', { payload: qr.body.payload, phone: member.phone });
  await until(async () => (await env.balance(member)) > before);
  return payments[0].transRef;
}

async function payOut(member: TestMember): Promise<string> {
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount: 200 }, { token: member.token });
  await env.app.runJob('withdrawals.pay');
  await env.control('clock', { advanceMs: 2000 });
  clock.push(2000);
  await until(async () => {
    await env.app.runJob('withdrawals.ask', { id: body.id });
    const { rows } = await env.pool.query('select status from withdrawal where id = $1', [body.id]);
    return rows[0].status === 'SUCCESS';
  });
  return body.id;
}

async function play(member: TestMember, game: string): Promise<string> {
  const as = { token: member.token };
  await env.call('GET', `/api/wallet/activate/${game}`, undefined, as);
  await env.call('POST', '/api/wallet/transfer', { from: 'wallet', to: game, amount: 50 }, as);
  const { body } = await env.call('GET', `/api/wallet/account/${game}`, undefined, as);
  await pass(env, clock, MINUTE_MS);
  await env.control('play', { agent: game, username: body.username, stake: 1, rounds: 3, result: 'lose' });
  return body.username;
}

/** The bank's own reference of the day's payout. */
async function payoutLine(): Promise<string> {
  const span = { from: spanOf(today())!.from, to: clock.now() };
  const reported = await deps.qrMakers[0]!.statement(span);
  const lines = reported.outcome === 'ok' ? reported.value : [];
  return lines.find(({ ours }) => ours === seen.withdrawal)!.reference;
}

/** Money of every kind: QR of bank and gateways, feed with and without an owner, slip, gift, payout, games in play. */
async function liveADay(): Promise<void> {
  const member = await env.member({ amountMinor: 100_000n });
  seen.qr = await payQr(member, 'KBANK');
  seen.ww = await payQr(member, 'WW');
  await payQr(member, 'ZAPMAN');
  const to = { toBank: 'SCB', toAccount: '2223334445' };
  seen.feed = (await env.control('transfer', { phone: member.phone, amount: 77, ...to })).transRef;
  await env.control('transfer', { phone: '0815550167', amount: 33, ...to });
  await env.app.runJob('feeds.read');
  const slip = await slips.make(member);
  expect((await slips.upload(member, slip.bytes)).body).toMatchObject({ status: expect.any(String) });
  await until(async () => {
    await env.app.runJob('slips.ask');
    const { rows } = await env.pool.query("select 1 from deposit where channel = 'SLIP'");
    return rows.length > 0;
  });
  const { code, link } = await env.control('vouchers', { amount: 50, phone: '0815550142' });
  await env.call('POST', '/api/wallet/truelink', { link }, { token: member.token });
  seen.gift = code;
  seen.withdrawal = await payOut(member);
  seen.player = await play(member, 'betflix');
  await play(member, 'pg');
}

describe('a day of every kind of money', () => {
  test('agrees with every partner, line by line, and moves nothing', async () => {
    await liveADay();
    await settle();
    await compareNow();
    const runs = await runsOf();
    expect(await differences()).toEqual([]);
    expect(await alerts()).toEqual([]);
    expect(runs.get(KBANK)).toMatchObject({
      state: 'COMPARED',
      theirs: { count: 3, in: 250, out: 200 },
      ours: { count: 3, in: 250, out: 200 },
      open: 0,
    });
    expect(runs.get(SCB)).toMatchObject({
      state: 'COMPARED',
      theirs: { count: 2, in: 110 },
      ours: { in: 110 },
    });
    for (const [source, sum] of [
      ['gateway:WW', 150],
      ['gateway:ZAPMAN', 150],
      ['gift', 50],
      ['game:betflix:BAHT', 50],
      ['game:pg:BAHT', 50],
    ] as const)
      expect(runs.get(source)).toMatchObject({
        state: 'COMPARED',
        theirs: { count: 1, in: sum },
        ours: { count: 1, in: sum },
        leftOut: 0,
      });
  });

  test.each([
    ['a QR payment', KBANK, 'bank-a', () => seen.qr, 150, 'deposit:'],
    ['a watched transfer', SCB, 'bank-b', () => seen.feed, 77, 'deposit:'],
    ['a gateway’s transfer', 'gateway:WW', 'ww', () => seen.ww, 150, 'deposit:'],
    ['a gift', 'gift', 'gift', () => seen.gift, 50, 'deposit:'],
  ] as const)(
    '%s left out of the partner’s books is exactly one difference, and gone once it is there again',
    async (_what, source, party, reference, amount, subject) => {
      await misprint(party, reference());
      await compareNow();
      const found = await differences();
      expect(found).toMatchObject([
        { source, kind: 'MISSING_THEIRS', theirs: null, ours: { amount }, state: 'OPEN' },
      ]);
      expect((found[0]!.ours as { subject: string }).subject).toMatch(new RegExp(`^${subject}`));
      expect(await alerts()).toEqual([
        { kind: 'reconciliation', subject: `reconciliation:${today()}:${source}`, detail: '1' },
      ]);
      // A repeat finds the same one under the same number.
      await compareNow(source);
      expect((await differences()).map(({ id }) => id)).toEqual([found[0]!.id]);
      await misprint(party, reference(), { restore: true });
      await compareNow(source);
      expect([await differences(), await alerts()]).toEqual([[], []]);
    },
  );

  test('a payout the bank does not show, and an amount it shows otherwise, are one each', async () => {
    const transRef = await payoutLine();
    await misprint('bank-a', transRef);
    await compareNow(KBANK);
    expect(await differences()).toMatchObject([
      {
        kind: 'MISSING_THEIRS',
        direction: 'OUT',
        ours: { subject: `withdrawal:${seen.withdrawal}`, amount: 200 },
      },
    ]);
    await misprint('bank-a', transRef, { restore: true });
    await misprint('bank-a', seen.qr, { amount: '151.00' });
    await compareNow(KBANK);
    expect(await differences()).toMatchObject([
      { kind: 'AMOUNT', theirs: { reference: seen.qr, amount: 151 }, ours: { amount: 150 } },
    ]);
    const file = `/api/operator/export/differences.csv?day=${today()}&sort=-gap`;
    const { text } = await operators.call(auditor!, 'GET', file);
    expect(text).toContain(`${today()},${KBANK},AMOUNT,IN,BAHT,"=""${seen.qr}""",151.00,`);
    await misprint('bank-a', seen.qr, { restore: true });
  });

  test('a line that we never booked is one difference, without an account number in the open', async () => {
    const member = await env.member();
    const { transRef } = await env.control('transfer', {
      phone: member.phone,
      amount: 42,
      toBank: 'SCB',
      toAccount: '2223334445',
    });
    await settle();
    await compareNow();
    const found = await differences();
    expect(found).toMatchObject([
      { source: SCB, kind: 'MISSING_OURS', theirs: { reference: transRef, amount: 42 }, ours: null },
    ]);
    expect(JSON.stringify(found)).not.toContain(member.accountNo);
    // Read after all, it agrees.
    await env.app.runJob('feeds.read');
    await compareNow();
    expect(await differences()).toEqual([]);
  });

  test.each([
    ['betflix', 'game-f'],
    ['pg', 'game-j'],
  ])('a balance in %s that is off by a hundredth is one difference; play is none', async (game, party) => {
    const { players } = await env.control('books');
    const player = players.find(
      (one: { agent: string; username: string }) => one.agent === game && one.username === seen.player,
    );
    await misprint(party, `${game}/${seen.player}`, { amount: (Number(player.balance) + 0.01).toFixed(2) });
    await compareNow(`game:${game}:BAHT`);
    expect(await differences()).toMatchObject([
      {
        kind: 'BALANCE',
        theirs: { amount: 50.01 },
        ours: { amount: 50, subject: expect.stringMatching(/^game:/) },
      },
    ]);
    await misprint(party, `${game}/${seen.player}`, { restore: true });
    await compareNow(`game:${game}:BAHT`);
    expect(await differences()).toEqual([]);
  });

  test('an account with money in transit is left out, and listed as such', async () => {
    const member = await env.member({ amountMinor: 10_000n });
    const as = { token: member.token };
    await env.call('GET', '/api/wallet/activate/circus', undefined, as);
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
    await env.fault({ party: 'game-f', call: 'transfer-status', kind: 'outage' });
    await env.call('POST', '/api/wallet/transfer', { from: 'wallet', to: 'circus', amount: 50 }, as);
    await settle();
    await compareNow('game:circus:BAHT');
    expect((await runsOf()).get('game:circus:BAHT')).toMatchObject({
      state: 'COMPARED',
      leftOut: 1,
      theirs: { count: 0 },
      open: 0,
    });
    await env.control('faults', { clear: true });
    const { rows } = await env.pool.query("select id from provider_transfer where state = 'UNKNOWN'");
    for (const { id } of rows) await env.app.runJob('transfers.resolve', { id });
  });

  test('a manual record is missing at the bank until its statement shows it', async () => {
    await env.set('desk.makerChecker', false);
    const member = await env.member({ amountMinor: 400_000n });
    const send = async (fromAccount: string, toAccount: string, amount: number): Promise<string> =>
      (await env.control('transfer', { fromAccount, toBank: 'KBANK', toAccount, amount })).transRef;
    const moved = [
      ['bank-a', await send('KBANK:1112223334', member.accountNo, 3000)],
      ['bank-b', await send('SCB:2223334445', '9998887776', 33)],
    ] as const;
    for (const [party, reference] of moved) await misprint(party, reference);
    const requested = { token: member.token };
    const { body } = await env.call('POST', '/api/wallet/withdraw', { amount: 3000 }, requested);
    const withdrawal = `/api/operator/withdrawals/${body.id}`;
    await operators.call(lead!, 'POST', `${withdrawal}/claim`, {});
    const paid = { status: 'REVIEW', proof: 'by the branch', bankCode: 'KBANK' };
    expect((await operators.call(lead!, 'POST', `${withdrawal}/paid`, paid)).status).toBe(200);
    const { rows } = await env.pool.query(
      "select id from bank_transaction where state = 'UNMATCHED' and amount = 3300",
    );
    const unmatched = `/api/operator/unmatched/${rows[0].id}`;
    await operators.call(lead!, 'POST', `${unmatched}/claim`, {});
    const sentBack = { proof: 'R-77', reason: 'the sender is unknown' };
    expect((await operators.call(lead!, 'POST', `${unmatched}/return`, sentBack)).status).toBe(200);
    await settle();
    await compareNow();
    expect(await differences()).toMatchObject([
      {
        source: KBANK,
        kind: 'MISSING_THEIRS',
        direction: 'OUT',
        ours: { subject: `withdrawal:${body.id}`, amount: 3000 },
      },
      {
        source: SCB,
        kind: 'MISSING_THEIRS',
        direction: 'OUT',
        ours: { subject: `unmatched:${rows[0].id}`, amount: 33 },
      },
    ]);
    for (const [party, reference] of moved) await misprint(party, reference, { restore: true });
    await compareNow();
    expect(await differences()).toEqual([]);
  });
});

describe('a partner', () => {
  test('without a response leaves the run unknown, never clean, and is queried again', async () => {
    await misprint('bank-a', seen.qr);
    await compareNow(KBANK);
    for (const kind of ['outage', 'malformed', 'cut-after']) {
      await env.fault({ party: 'bank-a', call: 'statement', kind });
      await compareNow(KBANK);
      await env.control('faults', { clear: true });
      expect((await runsOf()).get(KBANK)).toMatchObject({ state: 'UNKNOWN', open: 1 });
    }
    expect((await alerts()).map(({ kind }) => kind).toSorted()).toEqual([
      'reconciliation',
      'reconciliation-silent',
    ]);
    await misprint('bank-a', seen.qr, { restore: true });
    await compareNow(KBANK);
    expect((await runsOf()).get(KBANK)).toMatchObject({ state: 'COMPARED', open: 0 });
    expect(await alerts()).toEqual([]);
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage' });
    await compareNow('game:betflix:BAHT');
    expect((await runsOf()).get('game:betflix:BAHT')).toMatchObject({ state: 'UNKNOWN' });
  });

  test('reports current balances only: an old day is NOT_OFFERED', async () => {
    const old = addDays(today(), -5);
    await runDay(deps, old, 'game:betflix:BAHT');
    expect((await runsOf(old)).get('game:betflix:BAHT')).toMatchObject({
      state: 'NOT_OFFERED',
      note: 'ONLY_NOW',
    });
  });
});

describe('an operator', () => {
  test('explains a difference once, of forty at once, with one row in the trail; it stays explained', async () => {
    await misprint('ww', seen.ww);
    await compareNow('gateway:WW');
    const [one] = await differences();
    const address = `${PAGE}/differences/${one!.id}/explain`;
    const subject = `reconciliation:${today()}:gateway:WW`;
    for (const caller of [support!, finance!, auditor!])
      expect((await operators.call(caller, 'POST', address, { reason: 'because' })).status).toBe(403);
    expect((await operators.call(null, 'POST', address, { reason: 'because' })).status).toBe(401);
    expect((await operators.call(lead!, 'POST', address, { reason: ' ' })).body.message).toBe(
      'INVALID_REQUEST',
    );
    const responses = await Promise.all(
      Array.from({ length: 40 }, () =>
        operators.call(lead!, 'POST', address, { reason: 'their settlement was late' }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.message === 'ROW_CHANGED')).toHaveLength(39);
    const explained = { action: 'reconciliation.explain', reason: 'their settlement was late' };
    const trail = await operators.audit(subject);
    expect(trail.slice(-2)).toMatchObject([
      { action: 'alert.resolve', actor: 'system' },
      { ...explained, actor: `operator:${lead!.name}` },
    ]);
    expect(await alerts()).toEqual([]);
    await compareNow('gateway:WW');
    expect((await runsOf()).get('gateway:WW')).toMatchObject({ open: 0, explained: 1 });
    const { body } = await operators.call(lead!, 'GET', `${PAGE}/differences?day=${today()}&state=EXPLAINED`);
    expect(body.differences).toMatchObject([
      { id: one!.id, explainedBy: lead!.name, explanation: 'their settlement was late' },
    ]);
    for (const id of ['999999', 'x'])
      expect(
        (await operators.call(lead!, 'POST', `${PAGE}/differences/${id}/explain`, { reason: 'because' }))
          .status,
      ).toBe(404);
    await misprint('ww', seen.ww, { restore: true });
  });

  test('repeats the comparison of a day; refuses missing permissions, future days and unknown sources', async () => {
    const request = (as: typeof lead | null, body: object) =>
      operators.call(as ?? null, 'POST', `${PAGE}/run`, body);
    const day = today();
    const job = async () =>
      (
        await env.owner.query(
          "select 1 from graphile_worker.jobs where task_identifier = 'reconciliation.run'",
        )
      ).rows.length;
    expect((await request(null, { day })).status).toBe(401);
    expect((await request(finance, { day })).status).toBe(403);
    expect((await request(lead, { day: addDays(day, 1) })).body.message).toBe('NO_DATA');
    expect((await request(lead, { day, source: 'bank:NOBODY:1' })).body.message).toBe('NO_DATA');
    expect((await request(lead, { day: '2026-02-31' })).body.message).toBe('INVALID_REQUEST');
    expect((await operators.call(lead!, 'GET', `${PAGE}?day=2026-13-01`)).body.message).toBe(
      'INVALID_REQUEST',
    );
    expect(await job()).toBe(0);
    for (let time = 0; time < 2; time++)
      expect((await request(lead, { day, source: 'gift' })).status).toBe(200);
    expect(await job()).toBe(1);
    await env.app.runJob('reconciliation.run', { day, source: 'gift' });
    expect((await runsOf()).get('gift')).toMatchObject({ state: 'COMPARED', isRunning: false });
  });
});

describe('the command line', () => {
  const reconcile = (day: string, line: CommandLine = commandsHere(databaseUrl)) =>
    line(['reconcile', day], {
      SECRET: deps.config.SECRET,
      CLOCK_URL: `${new URL(deps.config.BANK_A_URL).origin}/control/clock`,
      ...Object.fromEntries(PARTNERS.map((name) => [name, deps.config[name]])),
    });

  test('prints the report and ends with 0 when all agrees, with 1 and the difference when not', async () => {
    const clean = await reconcile(today(), commandLine(databaseUrl));
    expect(clean).toMatchObject({ code: 0, error: '' });
    expect(clean.out).toContain('Everything agrees.');
    expect(clean.out).toContain(`${KBANK}  theirs 4 (in 250.00 BAHT, out 3200.00 BAHT)`);
    await misprint('bank-a', seen.qr);
    const wrong = await reconcile(today());
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain('1 open differences:\n  MISSING_THEIRS');
    await misprint('bank-a', seen.qr, { restore: true });
    expect((await reconcile(today())).code).toBe(0);
    for (const wrongDay of ['tomorrow', '2026-02-30', addDays(today(), 1), ''])
      expect(await reconcile(wrongDay)).toMatchObject({ code: 1, out: '' });
  });
});

describe('the night', () => {
  /** How often the bank was queried; a call that only learns that its token is too old counts as none. */
  const requested = async (): Promise<number> => {
    const { entries } = await env.control('log?party=bank-a&call=statement&limit=2000');
    return entries.filter(({ status }: { status: number }) => status !== 401).length;
  };

  test('is compared once by two instances, whole, and not again', async () => {
    const day = today();
    // The day the demo's own entries are of.
    await runDue(deps);
    await pass(env, clock, spanOf(day)!.to.getTime() - clock.now().getTime() + 5 * MINUTE_MS);
    const before = await requested();
    await runDue(deps);
    expect(await requested()).toBe(before);
    await pass(env, clock, 15 * MINUTE_MS);
    await Promise.all([runDue(deps), runDue(deps)]);
    expect(await requested()).toBe(before + 1);
    // Sessions do not outlast the evening.
    const runs = await runsOf(day, await operators.operator('auditor'));
    expect([...runs.values()].filter(({ state }) => state !== 'COMPARED')).toEqual([]);
    expect([...runs.values()].filter(({ open }) => open !== 0)).toEqual([]);
    expect(runs.get(KBANK)).toMatchObject({ comparedTo: spanOf(day)!.to.toISOString(), theirs: { in: 250 } });
    await runDue(deps);
    expect(await requested()).toBe(before + 1);
  });

  test('waits for a silent partner a little longer each time, and makes missed nights good', async () => {
    await pass(env, clock, 48 * HOUR_MS);
    await env.fault({ party: 'bank-a', call: 'statement', kind: 'outage', count: 1 });
    const before = await requested();
    await runDue(deps);
    // Two nights were missed; one of them met the outage.
    expect(await requested()).toBe(before + 2);
    const states = async () =>
      (
        await env.pool.query(
          'select state from reconciliation_run where source = $1 order by day desc limit 2',
          [KBANK],
        )
      ).rows.map(({ state }) => state);
    expect((await states()).toSorted()).toEqual(['COMPARED', 'UNKNOWN']);
    await runDue(deps);
    expect(await requested()).toBe(before + 2);
    await pass(env, clock, 3 * MINUTE_MS);
    await runDue(deps);
    expect(await states()).toEqual(['COMPARED', 'COMPARED']);
  });
});
