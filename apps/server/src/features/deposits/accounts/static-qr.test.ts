import { parseLaoQr } from '@krapao/contract/shared';
import { expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../../testing/operator.ts';
import { startTestEnv } from '../../../testing/test-env.ts';
import { laoMembers } from '../../registration/testing-lao.ts';

const env = await startTestEnv({ jobs: false, environment: { VARIANT: 'la' } });
const helpers = operatorHelpers(env);
const laoMember = laoMembers(env);
const LIST = '/api/operator/deposit-accounts';
await env.app.runJob('feeds.read');

const [maker, checker] = [await helpers.operator('finance-lead'), await helpers.operator('finance-lead')];
/** The static code of another merchant at the bank. */
const OTHER =
  '00020101021138530016A00526628466257701082771041802030020310KRAPAO00025204000053034185802LA5913KRAPAO CO LTD6009VIENTIANE630417AD';

const kipQrs = async (as: TestOperator) =>
  (await helpers.call(as, 'GET', LIST)).body.channels.filter(
    (row: { mode: string; currency: string }) => row.mode === 'QR' && row.currency === 'LAK',
  );

test('a payload that the request hides: the checker and the audit trail see the static code', async () => {
  const [old] = await kipQrs(maker);
  const { body: requested } = await helpers.call(maker, 'POST', LIST, {
    ...{ bankCode: 'BCEL', bankType: 'BANK', mode: 'QR', currency: 'LAK', replaces: old.id, staticQr: OTHER },
    ...{ accountNo: '010120007776', accountName: 'KRAPAO CO LTD', reason: 'another account' },
  });
  const { approvals } = (await helpers.call(checker, 'GET', '/api/operator/approvals')).body;
  const request = approvals.find((row: { id: string }) => row.id === requested.approval);
  expect(request.summary).toMatchObject({ unit: 'LAK', qr: OTHER });
  const path = `/api/operator/approvals/${requested.approval}/approve`;
  expect((await helpers.call(checker, 'POST', path, {})).status).toBe(200);
  const { rows } = await env.pool.query(
    "select after ->> 'qr' as qr from audit where action = 'channel.add'",
  );
  expect(rows).toEqual([{ qr: OTHER }]);
});

test.each([null, 'not a code of any bank', `${OTHER.slice(0, -4)}0000`])(
  'offered and never made: an account for QRs in kip with the static code %s is refused',
  async (staticQr) => {
    const response = await helpers.call(maker, 'POST', LIST, {
      ...{ bankCode: 'BCEL', bankType: 'BANK', mode: 'QR', currency: 'LAK', replaces: null, staticQr },
      ...{ accountNo: '010120005555', accountName: 'KRAPAO CO LTD', reason: 'another account' },
    });
    expect(response).toMatchObject({ status: 400, body: { data: { field: 'staticQr' } } });
  },
);

test('an account that is not offered: no QR pays into one that was replaced, paused or is full', async () => {
  const member = await laoMember();
  const receiver = async () => {
    const made = await env.call('POST', '/api/qrcode/BCEL', { amount: 120_000 }, { token: member.token });
    return parseLaoQr(made.body.payload ?? '')?.receiver;
  };
  const set = async (accountNo: string, to: object) => {
    const row = (await kipQrs(maker)).find((one: { accountNo: string }) => one.accountNo === accountNo);
    const body = { state: 'OPEN', ceiling: null, version: row.version, reason: 'as agreed', ...to };
    expect((await helpers.call(maker, 'PUT', `${LIST}/${row.id}`, body)).status).toBe(200);
  };
  const [first, other] = ['010120008887', '010120007776'];
  // No QR pays into an account whose statement is not read.
  expect(await receiver()).toBeUndefined();
  await env.owner.query(
    `insert into deposit_account (bank_code, bank_type, mode, account_name, account_no, currency, position)
     values ('BCEL', 'BANK', 'AUTO', 'KRAPAO CO LTD', $1, 'LAK', 100)`,
    [other],
  );
  expect(await receiver()).toBe('KRAPAO0002');
  await set(first, { state: 'OPEN' });
  await set(other, { state: 'PAUSED' });
  expect(await receiver()).toBe('KRAPAO0001');
  await set(other, { state: 'OPEN' });
  await env.control('transfer', { phone: member.phone, amount: 5_000, toBank: 'BCEL', toAccount: first });
  await env.app.runJob('feeds.read');
  await set(first, { ceiling: 5_000 });
  expect(await receiver()).toBe('KRAPAO0002');
});
