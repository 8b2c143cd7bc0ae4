import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@krapao/contract/durations';
import { decimalToMinor } from '@krapao/contract/shared';
import { beforeAll, describe, expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { type Owner, settle, type Transfer } from '../deposits/matching/match.ts';
import { gameHelpers } from '../games/testing-games.ts';

const env = await startTestEnv({ jobs: false });
const { deps } = env.app;
const operators = operatorHelpers(env);
const games = gameHelpers(env);
const [som, lead, support] = await Promise.all(
  ['finance', 'finance-lead', 'support'].map((role) => operators.operator(role)),
);
const fresh = () => randomBytes(8).toString('hex').toUpperCase();
const read = async (report: string, query = '') =>
  (await operators.call(lead!, 'GET', `/api/operator/figures/${report}${query}`)).body;
const minor = (amount: number): bigint => decimalToMinor(amount.toFixed(2), 2)!;
/** The sum of a figure over all rows of a report, in minor units. */
const sumOf = (rows: Record<string, number>[], name: string): bigint =>
  rows.reduce((sum, row) => sum + minor(row[name]!), 0n);
/** Returns the balance of system accounts whose kind matches: everything since the test environment started. */
async function onSystemAccounts(kinds: string): Promise<bigint> {
  const sql =
    'select coalesce(sum(balance), 0)::bigint as sum from ledger_account where member_id is null and kind ~ $1 and asset = 1';
  return (await env.owner.query(sql, [kinds])).rows[0].sum;
}

async function transfer(member: TestMember, amountMinor: bigint, isKnown = true): Promise<void> {
  const { rows } = await env.owner.query('select wallet_account from member where id = $1', [member.id]);
  const reported: Transfer = {
    source: 'FEED',
    bankCode: 'KBANK',
    accountNo: '1112223334',
    currency: 'BAHT',
    bankReference: fresh(),
    amountMinor,
    payerBank: '004',
    payerAccount: member.accountNo,
    payerName: 'ทดสอบ ระบบ',
    reference1: null,
    paidAt: deps.clock.now(),
  };
  const owner: Owner = {
    memberId: member.id,
    walletAccount: rows[0].wallet_account,
    channel: 'AUTO',
    qrId: null,
    slipId: null,
    fromOtherAccount: false,
  };
  await settle(deps, reported, isKnown ? owner : { likely: [], reason: 'NO_MEMBER' });
}

async function payOut(member: TestMember): Promise<void> {
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount: 130 }, { token: member.token });
  await env.app.runJob('withdrawals.pay');
  await env.control('clock', { advanceMs: 2_000 });
  await until(async () => {
    await env.app.runJob('withdrawals.ask', { id: body.id });
    const { rows } = await env.pool.query('select status from withdrawal where id = $1', [body.id]);
    return rows[0].status === 'SUCCESS';
  });
}

/** The work of operators: a line given to a member and one sent back, two entries, a withdrawal refused. */
async function workADay(member: TestMember): Promise<void> {
  const perform = (path: string, body: object = {}) =>
    operators.call(som!, 'POST', `/api/operator/${path}`, body);
  const { transactions } = (await operators.call(som!, 'GET', '/api/operator/unmatched')).body;
  await perform(`unmatched/${transactions[0].id}/claim`);
  await perform(`unmatched/${transactions[0].id}/assign`, { member: String(member.id), reason: 'his' });
  const entry = { category: 'goodwill', reason: 'late payout' };
  await perform(`members/${member.id}/entries`, {
    ...entry,
    direction: 'credit',
    amount: 40,
    key: 'entry-key-1',
  });
  await perform(`members/${member.id}/entries`, {
    ...entry,
    direction: 'debit',
    amount: 15,
    key: 'entry-key-2',
  });
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount: 2_500 }, { token: member.token });
  await perform(`withdrawals/${body.id}/claim`);
  await perform(`withdrawals/${body.id}/reject`, { status: 'REVIEW', reason: 'another name' });
}

beforeAll(async () => {
  const member = await env.member({ amountMinor: 300_000n });
  const other = await env.member();
  await transfer(member, 15_000n);
  await transfer(member, 7_750n);
  await transfer(other, 21_000n);
  for (const amount of [3_300n, 4_400n]) await transfer(other, amount, false);
  await games.open(member, 'betflix');
  await games.transfer(member, 'wallet', 'betflix', 200);
  await games.play(member, 'betflix', 50, 'lose');
  await games.refresh(member);
  await games.transfer(member, 'betflix', 'wallet', 30);
  await payOut(member);
  await workADay(member);
});

describe('each report ties to the ledger of its days', () => {
  test('cash: nothing that touched a bank is left out', async () => {
    const { rows, ledger } = await read('cash');
    expect(rows).toEqual([expect.objectContaining({ deposits: 437.5, unmatched: 77, withdrawals: 130 })]);
    const [{ deposits, unmatched, withdrawals, sentBack, cameBack, net }] = rows;
    expect(minor(deposits + unmatched - withdrawals - sentBack + cameBack)).toBe(minor(net));
    expect(ledger).toEqual([{ currency: 'BAHT', amount: net }]);
    expect(-(await onSystemAccounts('^(bank:|gift)'))).toBe(minor(net));
  });

  test('deposits by channel: what members were credited with', async () => {
    const { rows, ledger } = await read('channels');
    const at = expect.any(String);
    expect(rows).toContainEqual({ day: at, channel: 'AUTO', currency: 'BAHT', count: 3, amount: 437.5 });
    expect(ledger).toEqual([{ currency: 'BAHT', amount: Number(sumOf(rows, 'amount')) / 100 }]);
    const { rows: credited } = await env.owner.query('select sum(amount)::bigint as sum from deposit');
    expect(sumOf(rows, 'amount')).toBe(credited[0].sum);
  });

  test('deposits by hour: the same deposits, all days together', async () => {
    const { rows, ledger } = await read('hours');
    expect(ledger).toEqual([{ currency: 'BAHT', amount: Number(sumOf(rows, 'amount')) / 100 }]);
    expect(sumOf(rows, 'amount')).toBe(sumOf((await read('channels')).rows, 'amount'));
    expect(rows.every(({ hour }: { hour: number }) => hour >= 0 && hour < 24)).toBe(true);
  });

  test('liabilities: members’ balances at the end of each day, also of days without an entry', async () => {
    const { rows, to } = await read('liabilities');
    expect(rows).toHaveLength(7);
    const { rows: owned } = await env.owner.query(
      'select sum(balance)::bigint as sum from ledger_account where member_id is not null and asset = 1',
    );
    expect(minor(rows[0].members)).toBe(owned[0].sum);
    expect(minor(rows[0].unmatched)).toBe(await onSystemAccounts('^unmatched$'));
    expect(rows[1]).toMatchObject({ members: 0, unmatched: 0 });
    const after = new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10);
    const { rows: later } = await read('liabilities', `?from=${after}&to=${after}`);
    expect(later).toEqual([{ ...rows[0], day: after }]);
    const file = await operators.call(lead!, 'GET', '/api/operator/export/liabilities.csv');
    expect(file.text.trim().split('\r\n')).toHaveLength(8);
  });

  test('games: won and lost by game', async () => {
    const { rows, ledger } = await read('games');
    expect(rows).toEqual([
      {
        game: 'betflix',
        name: expect.any(String),
        currency: 'BAHT',
        movedIn: 200,
        movedOut: 30,
        result: 50,
      },
    ]);
    expect(ledger).toEqual([{ currency: 'BAHT', amount: 50 }]);
    expect(await onSystemAccounts('^game_result:')).toBe(5_000n);
  });

  test('sources: members and their deposits', async () => {
    const { rows, ledger } = await read('sources');
    expect(rows).toEqual([
      expect.objectContaining({ source: 'other', registered: expect.any(Number), depositors: 2 }),
    ]);
    expect(ledger).toEqual([{ currency: 'BAHT', amount: rows[0].deposits }]);
  });

  test('operators: manual entries, without the server’s own commands', async () => {
    const { rows, ledger } = await read('agents');
    const of = (operator: string | null) =>
      rows.find((row: { operator: string }) => row.operator === operator);
    expect(of(som!.name)).toMatchObject({ withdrawals: 1, payIns: 1, checks: 0, entries: 25 });
    expect(of(som!.name).waited).toBeGreaterThanOrEqual(0);
    expect(of(null)).toMatchObject({ entries: 3_000 });
    expect(sumOf(rows, 'entries')).toBe(-(await onSystemAccounts('^manual$')));
    expect(ledger).toEqual([{ currency: 'BAHT', amount: 3_025 }]);
  });
});

test('operators: what a key decides is its operator’s work', async () => {
  await env.owner.query(`insert into audit (at, actor, action, subject) values
    (now(), 'operator:karn', 'slip.success', 'slip:1'), (now(), 'key:slips of today of karn', 'slip.failed', 'slip:2')`);
  const { rows } = await read('agents');
  expect(rows).toContainEqual(expect.objectContaining({ operator: 'karn', slips: 2 }));
});

test('withdrawal times: by the day of the request, with those that operators decided apart', async () => {
  const { rows } = await read('waiting');
  expect(rows).toEqual([
    expect.objectContaining({ currency: 'BAHT', paid: 1, automatic: 1, manualMedian: null }),
  ]);
  const [{ median, ninety, longest }] = rows;
  expect(median).toBeGreaterThanOrEqual(0);
  expect([ninety, longest]).toEqual([median, median]);
});

test('retention: who registered this week and paid in, and no week that has not begun', async () => {
  const { rows } = await read('retention');
  expect(rows.at(0)).toMatchObject({ paid: [2, null, null, null, null] });
});

test('retention: a week is counted whole where the days begin or end within it, and no other week is', async () => {
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-08', '2026-03-09']) {
    const { id } = await env.member();
    await env.owner.query("update member set created_at = ($1 || ' 12:00+07')::timestamptz where id = $2", [
      day,
      id,
    ]);
  }
  const weeks = async (from: string, to: string) =>
    (await read('retention', `?from=${from}&to=${to}`)).rows.map(
      (row: { week: string; registered: number }) => [row.week, row.registered],
    );
  const whole = [['2026-03-02', 2]];
  expect(await weeks('2026-03-04', '2026-03-05')).toEqual(whole);
  expect(await weeks('2026-03-02', '2026-03-08')).toEqual(whole);
  expect(await weeks('2026-03-08', '2026-03-09')).toEqual([['2026-03-09', 1], ...whole]);
});

test('both days are included; no day, too many days and a missing permission are refused', async () => {
  const { from, to } = await read('cash');
  expect(Date.parse(to) - Date.parse(from)).toBe(6 * DAY_MS);
  expect((await read('cash', `?from=${to}&to=${to}`)).rows).toHaveLength(1);
  expect((await read('cash', '?from=2020-01-01&to=2020-01-31')).rows).toEqual([]);
  const file = await operators.call(lead!, 'GET', `/api/operator/export/cash.csv?from=${to}&to=${to}`);
  expect(file.text.trim().split('\r\n').slice(1)).toEqual([
    `${to},BAHT,437.50,77.00,130.00,0.00,0.00,384.50`,
  ]);
  for (const report of ['channels', 'hours', 'waiting', 'games', 'sources', 'retention', 'costs', 'agents']) {
    const { text } = await operators.call(lead!, 'GET', `/api/operator/export/${report}.csv`);
    expect(text.trim().split('\r\n')).toHaveLength((await read(report)).rows.length + 1);
  }
  expect((await operators.call(lead!, 'GET', '/api/operator/export/cash.csv?from=never')).status).toBe(400);
  for (const wrong of [
    '?from=2026-02-30',
    '?to=yesterday',
    `?from=2020-01-01&to=${to}`,
    `?from=${to}&to=${from}`,
  ])
    for (const report of ['cash', 'chats'])
      expect([report, wrong, (await read(report, wrong)).message]).toEqual([
        report,
        wrong,
        'INVALID_REQUEST',
      ]);
  const as = async (operator: TestOperator | null) =>
    (await operators.call(operator, 'GET', '/api/operator/figures/cash')).status;
  expect([await as(support!), await as(null)]).toEqual([403, 401]);
});

test('promotion costs: what was granted less what was taken back', async () => {
  const { offer, deposit, activate, forfeit } = bonusHelpers(env);
  const member = await env.member();
  const plain = { award: 'fixed', award_amount: 5_000n, deposit_min: null };
  const free = await offer({ ...plain, success_percent: 0 });
  expect((await activate(member, free)).status).toBe(200);
  await deposit(member, 100);
  const doubled = await offer();
  expect((await activate(member, doubled)).status).toBe(200);
  expect((await forfeit(member)).status).toBe(200);
  const { rows, ledger } = await read('costs');
  const names = expect.objectContaining({ en: 'Test bonus' });
  const common = { kind: 'bonus', currency: 'BAHT', names, received: 1 };
  expect(rows).toEqual([
    { ...common, code: free, granted: 50, taken: 0, cost: 50 },
    { ...common, code: doubled, granted: 100, taken: 100, cost: 0 },
  ]);
  expect(sumOf(rows, 'cost')).toBe(-(await onSystemAccounts('_cost$')));
  expect(ledger).toEqual([{ currency: 'BAHT', amount: 50 }]);
});
