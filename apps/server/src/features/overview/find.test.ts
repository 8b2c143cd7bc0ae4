import { expect, test } from 'vitest';
import { NUMBER_SEARCHES_HOUR_MAX } from '../../platform/http/number-searches.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
await env.set('deposit.manual', true);
const operators = operatorHelpers(env);
const [lead, support] = await Promise.all(
  ['finance-lead', 'support'].map((role) => operators.operator(role)),
);
const find = async (as: TestOperator, text: string): Promise<string[]> =>
  (await operators.call(as, 'GET', `/api/operator/find?q=${encodeURIComponent(text)}`)).body.found.map(
    ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`,
  );

test('a phone, id, account number, reference or amount leads to whatever bears it, and to nothing one may not read', async () => {
  const member = await env.member({ amountMinor: 1_000_000n });
  const as = { token: member.token };
  const withdrawal = (await env.call('POST', '/api/wallet/withdraw', { amount: 2_345.5 }, as)).body.id;
  const report = (await env.call('POST', '/api/wallet/add', { amount: 4_321 }, as)).body.id;
  const { rows } = await env.owner.query(
    `insert into bank_transaction (bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, paid_at, received_at, state)
     values ('KBANK', 'REF-OF-BANK-1', '1112223334', 'BAHT', 98765, '004', 'x', '', now(), now(), 'UNMATCHED') returning id`,
  );
  await env.owner.query(
    `with made as (insert into qr (id, member_id, bank_code, amount, payload, status, created_at, expires_at)
       values ('QRFOUND1', $1, 'SCB', 1234, 'x', 'PAID', now(), now()) returning id)
     insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, qr_id, created_at)
     select 'DPFOUND1', $1, 'QR', 'SCB', 'REF-OF-BANK-2', 1234, false, 1, id, now() from made`,
    [member.id],
  );
  await env.owner.query(
    `insert into slip (id, member_id, reference, image_hash, file, trans_ref, status, currency, amount, created_at, updated_at)
     values ('SLFOUND1', $1, 'picture', '', 'none', 'REF-OF-SLIP-1', 'REVIEW', 'BAHT', 777, now(), now())`,
    [member.id],
  );
  const line = `unmatched ${rows[0].id}`;
  for (const [text, there] of [
    [member.accountNo, `member ${member.id}`],
    [withdrawal.toLowerCase(), `withdrawal ${withdrawal}`],
    ['2,345.50', `withdrawal ${withdrawal}`],
    [report, `report ${report}`],
    ['4321', `report ${report}`],
    ['REF-OF-BANK-1', line],
    ['987.65', line],
    ['REF-OF-BANK-2', 'deposit DPFOUND1'],
    ['REF-OF-SLIP-1', 'slip SLFOUND1'],
  ] as const)
    expect([text, await find(lead!, text)]).toEqual([text, [there]]);
  // An alert names the QR: it leads to the member, and to the deposit if there is one.
  expect(await find(lead!, 'qrfound1')).toEqual([`member ${member.id}`, 'deposit DPFOUND1']);
  const listed = await operators.call(lead!, 'GET', '/api/operator/deposits?q=QRFOUND1');
  expect(listed.body.deposits.map(({ id }: { id: string }) => id)).toEqual(['DPFOUND1']);
  const all = [
    `member ${member.id}`,
    `withdrawal ${withdrawal}`,
    'deposit DPFOUND1',
    'slip SLFOUND1',
    `report ${report}`,
  ].toSorted();
  for (const text of [member.phone, String(member.id)])
    expect((await find(lead!, text)).toSorted()).toEqual(all);
  expect(await find(support!, report)).toEqual([]);
  expect(await find(support!, 'REF-OF-BANK-1')).toEqual([]);
  expect((await operators.call(null, 'GET', '/api/operator/find?q=1')).status).toBe(401);
});

test('a masked number uncovered by trying its digits: searches for numbers are limited without the right to uncover', async () => {
  const helper = await operators.operator('support');
  const { limits, clock } = env.app.deps;
  const { rows } = await env.owner.query('select id from operator where name = $1', [helper.name]);
  const window = { key: `number-search:${rows[0].id}`, max: NUMBER_SEARCHES_HOUR_MAX, ms: 3_600_000 };
  for (let count = 1; count < NUMBER_SEARCHES_HOUR_MAX; count++) await limits.fits(window, clock.now());
  const search = async (as: TestOperator, path: string) =>
    (await operators.call(as, 'GET', `/api/operator/${path}`)).status;
  expect(await search(helper, 'members?q=0810000142')).toBe(200);
  for (const path of [
    'members?q=081-000-0143',
    'find?q=0810000144',
    'members?q=(081)%20000.0146',
    `find?q=${encodeURIComponent('๐๘๑๐๐๐๐๑๔๗')}`,
    'members?q=%2B66%2081%20000%200145',
    'chats?q=1234',
  ])
    expect([path, await search(helper, path)]).toEqual([path, 429]);
  for (const path of ['members?q=som', 'members?q=123', 'members'])
    expect(await search(helper, path)).toBe(200);
  expect(await search((await operators.operator('risk'))!, 'members?q=0810000143')).toBe(200);
});
