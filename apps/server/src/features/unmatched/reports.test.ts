import { DAY_MS } from '@krapao/contract/durations';
import { afterAll, describe, expect, test } from 'vitest';
import { readBalance, verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { type Owner, settle, type Transfer } from '../deposits/matching/match.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { NO_OWNER, newReference, transferHelpers } from './testing-transfers.ts';

const env = await startTestEnv({ jobs: false });
await env.set('deposit.manual', true);
const { deps } = env.app;
const operators = operatorHelpers(env);
const transfers = transferHelpers(env);
const { transferOf, transactionOf } = transfers;
const [som, lek, lead, support] = await Promise.all(
  ['finance', 'finance', 'finance-lead', 'support'].map((role) => operators.operator(role)),
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const reason = { reason: 'seen in the bank' };
const refusal = (status: number, message: string) => ({ status, body: { message } });
const perform = (as: TestOperator | null, pageName: string, id: string, what: string, body?: object) =>
  operators.call(as, 'POST', `/api/operator/${pageName}/${id}/${what}`, body);

async function ownerOf(member: TestMember): Promise<Owner> {
  const { rows } = await env.pool.query('select wallet_account from member where id = $1', [member.id]);
  const walletAccount = rows[0].wallet_account;
  return {
    memberId: member.id,
    walletAccount,
    channel: 'AUTO',
    qrId: null,
    slipId: null,
    fromOtherAccount: false,
  };
}
const lastRow = async (member: TestMember) =>
  (await env.call('POST', '/api/statement', { page: 1, limit: 10 }, { token: member.token })).body
    .statements[0];

async function report(amount: number): Promise<{ id: string; member: TestMember }> {
  const member = await env.member();
  return { id: await transfers.report(member, amount), member };
}

describe('a payment a member reports', () => {
  test('is credited with the unmatched transaction of its amount, once, by who has taken it', async () => {
    const { id, member } = await report(321);
    const reported = transferOf(member, 32_100n);
    await settle(deps, reported, NO_OWNER);
    const { body } = await operators.call(som!, 'GET', `/api/operator/reports?q=${id}`);
    expect(body).toMatchObject({
      total: 1,
      reports: [
        { id, amount: 321, state: 'PENDING', transactions: [{ bankReference: reported.bankReference }] },
      ],
    });
    const transaction = body.reports[0].transactions[0].id;
    const credit = { ...reason, transaction };
    expect((await perform(null, 'reports', id, 'credit', credit)).status).toBe(401);
    expect((await perform(support!, 'reports', id, 'credit', credit)).status).toBe(403);
    expect((await perform(som!, 'reports', id, 'credit', { transaction })).status).toBe(400);
    expect(await perform(som!, 'reports', id, 'credit', credit)).toMatchObject(refusal(409, 'NOT_CLAIMED'));
    await perform(som!, 'reports', id, 'claim');
    expect(await perform(lek!, 'reports', id, 'claim')).toMatchObject(refusal(409, 'CLAIMED'));
    expect(await perform(som!, 'reports', id, 'credit', { ...reason, transaction: '999999' })).toMatchObject(
      refusal(409, 'ROW_CHANGED'),
    );
    expect(await perform(som!, 'reports', id, 'credit', credit)).toMatchObject({
      body: { state: 'SUCCESS' },
    });
    expect(await perform(som!, 'reports', id, 'credit', credit)).toMatchObject(refusal(409, 'ROW_CHANGED'));
    expect(await env.balance(member)).toBe(32_100n);
    expect((await transactionOf(reported.bankReference)).state).toBe('CREDITED');
    // The member sees the bank of the payment, not only that it was searched for.
    expect(await lastRow(member)).toMatchObject({ id, status: 'SUCCESS', from: 'KBANK' });
    expect((await operators.audit(`report:${id}`)).map(({ action }) => action)).toEqual([
      'report.claim',
      'report.credit',
    ]);
  });

  test('without a transaction is credited manually, above the limit by two operators', async () => {
    const [small, large] = [await report(900), await report(1_500)];
    await perform(som!, 'reports', small.id, 'claim');
    expect(await perform(som!, 'reports', small.id, 'credit', reason)).toMatchObject({
      body: { state: 'SUCCESS', approval: null },
    });
    expect(await env.balance(small.member)).toBe(90_000n);
    await perform(som!, 'reports', large.id, 'claim');
    const requested = await perform(som!, 'reports', large.id, 'credit', reason);
    expect(requested.body).toEqual({ state: 'PENDING', approval: expect.any(String) });
    expect(await env.balance(large.member)).toBe(0n);
    const approve = (as: TestOperator) => perform(as, 'approvals', requested.body.approval, 'approve', {});
    expect(await approve(som!)).toMatchObject(refusal(403, 'UNAUTHORIZED'));
    expect(await approve(lead!)).toMatchObject({ body: { state: 'SUCCESS' } });
    expect(await env.balance(large.member)).toBe(150_000n);
  });

  test('whose money was credited since is marked, prefers no other member, and is paid again only by two operators', async () => {
    const { id, member } = await report(345);
    const otherMember = await env.member();
    await settle(deps, transferOf(otherMember, 34_500n), { likely: [otherMember.id], reason: 'QR_CLOSED' });
    await settle(deps, transferOf(member, 34_500n), await ownerOf(member));
    const { body } = await operators.call(som!, 'GET', `/api/operator/reports?q=${id}`);
    expect(body.reports[0]).toMatchObject({
      credits: [{ id: expect.stringMatching(/^DP/), createdAt: expect.any(String) }],
      transactions: [{ likely: { id: String(otherMember.id) } }],
    });
    await perform(som!, 'reports', id, 'claim');
    const requested = await perform(som!, 'reports', id, 'credit', reason);
    expect(requested.body).toEqual({ state: 'PENDING', approval: expect.any(String) });
    expect(await env.balance(member)).toBe(34_500n);
    expect(await perform(lead!, 'approvals', requested.body.approval, 'approve', {})).toMatchObject({
      body: { state: 'SUCCESS' },
    });
    expect(await env.balance(member)).toBe(69_000n);
  });

  test('double credit: a request does not pay again what was credited after it was made', async () => {
    const { id, member } = await report(1_700);
    await perform(som!, 'reports', id, 'claim');
    const requested = await perform(som!, 'reports', id, 'credit', reason);
    expect(requested.body).toEqual({ state: 'PENDING', approval: expect.any(String) });
    await settle(deps, transferOf(member, 170_000n), await ownerOf(member));
    const approve = (as: TestOperator, approval: string) => perform(as, 'approvals', approval, 'approve', {});
    expect(await approve(lead!, requested.body.approval)).toMatchObject(refusal(409, 'ROW_CHANGED'));
    expect(await env.balance(member)).toBe(170_000n);
    // A request that names the credit is the checker's decision.
    await perform(som!, 'approvals', requested.body.approval, 'withdraw');
    await perform(som!, 'reports', id, 'claim');
    const again = await perform(som!, 'reports', id, 'credit', reason);
    expect((await approve(lead!, again.body.approval)).status).toBe(200);
    expect(await env.balance(member)).toBe(340_000n);
  });

  test('credited by a feed and by one operator at the same time is paid once', async () => {
    const { id, member } = await report(456);
    await perform(som!, 'reports', id, 'claim');
    const owner = await ownerOf(member);
    const reported = transferOf(member, 45_600n);
    await Promise.all([
      settle(deps, reported, owner),
      ...Array.from({ length: 10 }, () => perform(som!, 'reports', id, 'credit', reason)),
    ]);
    expect(await env.balance(member)).toBe(45_600n);
  });

  test('double credit: a transfer that arrives after the manual credit of its report waits for an operator', async () => {
    const { id, member } = await report(470);
    const [late, next] = [transferOf(member, 47_000n), transferOf(member, 47_000n)];
    await perform(som!, 'reports', id, 'claim');
    expect((await perform(som!, 'reports', id, 'credit', reason)).body.state).toBe('SUCCESS');
    expect(await settle(deps, late, await ownerOf(member))).toEqual({ booked: 'unclear' });
    expect(await env.balance(member)).toBe(47_000n);
    // What is paid after the credit is another payment, and so is one before any report.
    const paidAt = new Date(deps.clock.now().getTime() + 3 * 60_000);
    expect(await settle(deps, { ...next, paidAt }, await ownerOf(member))).toEqual({ booked: 'credited' });
    const other = await env.member();
    expect(await settle(deps, transferOf(other, 47_000n), await ownerOf(other))).toEqual({
      booked: 'credited',
    });
  });

  test('the transfer of a manually credited report is booked as its money: once, and the wallet stays as it is', async () => {
    const { id, member } = await report(480);
    const [late, second] = [transferOf(member, 48_000n), transferOf(member, 48_000n)];
    await perform(som!, 'reports', id, 'claim');
    await perform(som!, 'reports', id, 'credit', reason);
    const manual = async () => {
      const account = await env.app.deps.systemAccount('manual', 'BAHT');
      return (await readBalance(env.pool, account)).balanceMinor;
    };
    const before = await manual();
    for (const transfer of [late, second])
      expect(await settle(deps, transfer, await ownerOf(member))).toEqual({ booked: 'unclear' });
    const { body } = await operators.call(som!, 'GET', '/api/operator/doubts?limit=100');
    const [one, two] = [late, second].map(({ bankReference }) =>
      body.ambiguousMatches.find((row: { bankReference: string }) => row.bankReference === bankReference),
    );
    expect(one.reports).toMatchObject([{ id, member: { id: String(member.id) } }]);
    for (const row of [one, two]) await perform(som!, 'doubts', row.id, 'claim');
    const other = await report(480);
    expect(await perform(som!, 'doubts', one.id, 'decide', { ...reason, report: other.id })).toMatchObject(
      refusal(409, 'ROW_CHANGED'),
    );
    const decided = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        perform(som!, 'doubts', turn % 2 ? one.id : two.id, 'decide', { ...reason, report: id }),
      ),
    );
    expect(decided.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual([
      { state: 'CREDITED', approval: null },
    ]);
    expect(await env.balance(member)).toBe(48_000n);
    expect((await manual()) - before).toBe(48_000n);
    expect(await settle(deps, late, await ownerOf(member))).toEqual({ booked: 'known' });
    expect(await env.balance(member)).toBe(48_000n);
    const shown = await operators.call(lead!, 'GET', '/api/operator/figures/agents');
    const { rows, ledger } = shown.body;
    const sum = rows.reduce((all: number, row: { entries: number }) => all + row.entries, 0);
    expect(sum).toBeCloseTo(ledger.reduce((all: number, row: { amount: number }) => all + row.amount, 0));
  });

  test('that is refused ends in the statement too, and the member may report again', async () => {
    const { id, member } = await report(50);
    await perform(som!, 'reports', id, 'claim');
    expect(await perform(som!, 'reports', id, 'refuse', reason)).toMatchObject({ body: { state: 'FAILED' } });
    expect(await lastRow(member)).toMatchObject({ id, status: 'FAILED' });
    const again = await env.call('POST', '/api/wallet/add', { amount: 60 }, { token: member.token });
    expect(again.status).toBe(200);
  });

  test('ended forty ways at once ends one way; two reports never share a transaction', async () => {
    const [one, two] = [await report(777), await report(777)];
    const reported = transferOf(one.member, 77_700n);
    await settle(deps, reported, NO_OWNER);
    const { id: transaction } = await transactionOf(reported.bankReference);
    for (const { id } of [one, two]) await perform(som!, 'reports', id, 'claim');
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => {
        const { id } = turn % 2 ? one : two;
        return turn % 4 < 2
          ? perform(som!, 'reports', id, 'credit', { ...reason, transaction: String(transaction) })
          : perform(som!, 'reports', id, 'refuse', reason);
      }),
    );
    const done = responses.filter(({ status }) => status === 200);
    expect(done).toHaveLength(2);
    const sum = (await env.balance(one.member)) + (await env.balance(two.member));
    const credited = done.filter(({ body }) => body.state === 'SUCCESS').length;
    expect([0n, 77_700n]).toContain(sum);
    expect(sum).toBe(BigInt(credited) * 77_700n);
  });
});

describe('the list of reports', () => {
  test('has the requested order and days, with its sums, and as a file', async () => {
    for (const amount of [31, 11, 21]) await report(amount);
    const list = async (query: string) =>
      (await operators.call(lead!, 'GET', `/api/operator/reports?limit=100&${query}`)).body;
    const amounts = (body: { reports: { amount: number }[] }) => body.reports.map(({ amount }) => amount);
    const all = await list('sort=amount');
    expect(amounts(all)).toEqual(amounts(all).toSorted((a, b) => a - b));
    expect(amounts(await list('sort=-amount'))).toEqual(amounts(all).toReversed());
    expect(amounts(await list('')).slice(-3)).toEqual([31, 11, 21]);
    expect(all.sums).toEqual([{ currency: 'BAHT', amount: amounts(all).reduce((sum, one) => sum + one, 0) }]);
    expect((await list(`from=${new Date(Date.now() + DAY_MS).toISOString()}`)).total).toBe(0);
    expect((await operators.call(lead!, 'GET', '/api/operator/reports?from=never')).status).toBe(400);
    const file = await operators.call(lead!, 'GET', '/api/operator/export/reports.csv?sort=amount');
    const rows = file.text.trim().split('\r\n');
    expect(rows[0]).toContain('id,member_id,name,amount,currency,state,created_at');
    expect(rows.slice(1).map((row) => Number(row.split(',')[3]))).toEqual(amounts(all));
    expect((await operators.call(support!, 'GET', '/api/operator/export/reports.csv')).status).toBe(403);
  });
});

describe('a telling that fits several transfers', () => {
  let amount = 500_000n;
  async function ambiguousMatch() {
    const member = await env.member();
    const { rows } = await env.owner.query('select wallet_account from member where id = $1', [member.id]);
    const owner: Owner = {
      memberId: member.id,
      walletAccount: rows[0].wallet_account,
      channel: 'AUTO',
      qrId: null,
      slipId: null,
      fromOtherAccount: false,
    };
    amount += 100n;
    const reported = transferOf(member, amount);
    for (const _ of [1, 2]) await settle(deps, { ...reported, bankReference: newReference() }, owner);
    const third: Transfer = { ...reported, source: 'SLIP', bankReference: newReference() };
    expect(await settle(deps, third, owner)).toEqual({ booked: 'unclear' });
    const { body } = await operators.call(som!, 'GET', '/api/operator/doubts?limit=100');
    const row = body.ambiguousMatches.find(
      (one: { bankReference: string }) => one.bankReference === third.bankReference,
    );
    expect(row).toMatchObject({
      source: 'SLIP',
      transactions: [{ state: 'CREDITED' }, { state: 'CREDITED' }],
    });
    return { member, row, reported: third, balance: reported.amountMinor * 2n };
  }

  test('is decided as one of them: nothing moves, and the decision is final', async () => {
    const { member, row, reported, balance } = await ambiguousMatch();
    const same = { ...reason, transaction: row.transactions[0].id };
    expect((await perform(null, 'doubts', row.id, 'decide', same)).status).toBe(401);
    expect((await perform(support!, 'doubts', row.id, 'decide', same)).status).toBe(403);
    expect(await perform(som!, 'doubts', row.id, 'decide', same)).toMatchObject(refusal(409, 'NOT_CLAIMED'));
    await perform(som!, 'doubts', row.id, 'claim');
    expect(await perform(som!, 'doubts', row.id, 'decide', same)).toMatchObject({ body: { state: 'TIED' } });
    expect(await perform(som!, 'doubts', row.id, 'decide', same)).toMatchObject(refusal(409, 'ROW_CHANGED'));
    expect(await settle(deps, reported, NO_OWNER)).toEqual({ booked: 'known' });
    const { rows } = await env.owner.query(
      'select 1 from alert where subject like $1 and closed_at is null',
      [`% ${reported.bankReference}`],
    );
    expect(rows).toEqual([]);
    expect(await env.balance(member)).toBe(balance);
  });

  test('is decided as a separate transaction: of a member, or unmatched', async () => {
    const mine = await ambiguousMatch();
    await perform(som!, 'doubts', mine.row.id, 'claim');
    expect(await perform(som!, 'doubts', mine.row.id, 'decide', { ...reason, member: '1' })).toMatchObject(
      refusal(400, 'NO_USER'),
    );
    const his = { ...reason, member: mine.member.phone };
    // The member's other deposits may be this money: one operator alone does not credit it once more.
    const { body } = await perform(som!, 'doubts', mine.row.id, 'decide', his);
    expect(body).toMatchObject({ state: 'UNMATCHED', approval: expect.any(String) });
    expect(await env.balance(mine.member)).toBe(mine.balance);
    expect(await perform(lead!, 'approvals', body.approval, 'approve', {})).toMatchObject({
      body: { state: 'CREDITED' },
    });
    expect(await env.balance(mine.member)).toBe(mine.balance + mine.reported.amountMinor);
    const stray = await ambiguousMatch();
    await perform(som!, 'doubts', stray.row.id, 'claim');
    expect(await perform(som!, 'doubts', stray.row.id, 'decide', reason)).toMatchObject({
      body: { state: 'UNMATCHED' },
    });
    expect((await transactionOf(stray.reported.bankReference)).state).toBe('UNMATCHED');
    expect(await env.balance(stray.member)).toBe(stray.balance);
  });

  test('of a reference that is booked is tied to it, in the place of one that only looks alike', async () => {
    const member = await env.member();
    amount += 100n;
    const transfer = transferOf(member, amount);
    const [first, second, third] = ['1', '2', '3'].map(() => ({
      ...transfer,
      bankReference: newReference(),
    }));
    const asSlip = (one: Transfer): Transfer => ({ ...one, source: 'SLIP' });
    await settle(deps, first!, NO_OWNER);
    expect(await settle(deps, asSlip(second!), NO_OWNER)).toMatchObject({ booked: 'tied' });
    await settle(deps, second!, NO_OWNER);
    expect(await settle(deps, asSlip(third!), NO_OWNER)).toMatchObject({ booked: 'tied' });
    await settle(deps, third!, NO_OWNER);
    // The slip of the first transfer displaces that of the second, which fits no free transaction.
    expect(await settle(deps, asSlip(first!), NO_OWNER)).toMatchObject({ booked: 'tied' });
    const open = async () =>
      (await operators.call(som!, 'GET', '/api/operator/doubts?limit=100')).body.ambiguousMatches.filter(
        (one: { amount: number }) => BigInt(one.amount * 100) === amount,
      );
    for (const { bankReference } of [second!, third!]) {
      const [match, ...others] = await open();
      expect(others).toEqual([]);
      expect(match).toMatchObject({ bankReference, transactions: [{ bankReference }] });
      await perform(som!, 'doubts', match.id, 'claim');
      expect(await perform(som!, 'doubts', match.id, 'decide', reason)).toMatchObject(
        refusal(409, 'ROW_CHANGED'),
      );
      const tie = { ...reason, transaction: match.transactions[0].id };
      expect(await perform(som!, 'doubts', match.id, 'decide', tie)).toMatchObject({
        body: { state: 'TIED' },
      });
    }
    expect(await open()).toEqual([]);
    const { rows } = await env.owner.query(
      `select count(*)::int as transfers from bank_transaction where amount = $1 and bank_reference = any($2)`,
      [amount, [first, second, third].map((one) => one!.bankReference)],
    );
    expect(rows).toEqual([{ transfers: 3 }]);
  });

  test('is listed by amount too, and goes into a file', async () => {
    const [one, two] = [await ambiguousMatch(), await ambiguousMatch()];
    const { body } = await operators.call(lead!, 'GET', '/api/operator/doubts?sort=-amount&limit=2');
    expect(body.ambiguousMatches.map(({ id }: { id: string }) => id)).toEqual([two.row.id, one.row.id]);
    expect(body.sums).toEqual([{ currency: 'BAHT', amount: expect.any(Number) }]);
    const { text } = await operators.call(lead!, 'GET', '/api/operator/export/doubts.csv?sort=-amount');
    expect(text.split('\r\n')[1]).toContain(`${two.row.id},SLIP,KBANK,${two.reported.bankReference},`);
  });

  test('decided forty times at once, both ways, is decided once', async () => {
    const { member, row, balance, reported } = await ambiguousMatch();
    await perform(som!, 'doubts', row.id, 'claim');
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, turn) =>
        perform(som!, 'doubts', row.id, 'decide', {
          ...reason,
          ...(turn % 2 ? { transaction: row.transactions[1].id } : { member: String(member.id) }),
        }),
      ),
    );
    const done = responses.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const isOwn = done[0]!.body.state === 'CREDITED';
    expect(await env.balance(member)).toBe(balance + (isOwn ? reported.amountMinor : 0n));
  });
});
