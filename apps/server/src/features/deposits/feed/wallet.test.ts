import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';

const env = await startTestEnv({ jobs: false });
const OURS = { toBank: 'TRUEMONEY', toAccount: '0815550199' };

const read = () => env.app.runJob('feeds.read');
/** A transfer from the wallet under a phone to ours. */
const send = async (phone: string, amount: number): Promise<string> =>
  (await env.control('transfer', { fromAccount: `TRUEMONEY:${phone}`, amount, ...OURS })).transRef;
const transaction = async (transRef: string) =>
  (
    await env.pool.query(
      'select state, reason, likely_members from bank_transaction where bank_reference = $1',
      [transRef],
    )
  ).rows[0];
const statement = async (member: TestMember) =>
  (await env.call('POST', '/api/statement', { page: 1, limit: 10 }, { token: member.token })).body.statements;

/** Watching starts when the server does. */
await read();

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

test('the shown wallet is that of the feed, and a transfer from the member’s own is credited once', async () => {
  const member = await env.member();
  const { body } = await env.call('GET', '/api/lookup/deposit', undefined, { token: member.token });
  expect(body.wallets).toMatchObject([
    { mode: 'AUTO', walletAccountNo: OURS.toAccount },
    { mode: 'LINK', walletAccountNo: null },
  ]);
  expect(body.banks.map(({ bankCode }: { bankCode: string }) => bankCode)).not.toContain('TRUEMONEY');
  await send(member.phone, 120.5);
  await Promise.all([read(), read(), read()]);
  await env.owner.query('update bank_feed set cursor = null');
  await Promise.all(Array.from({ length: 40 }, read));
  await read();
  expect(await env.balance(member)).toBe(12_050n);
  expect(await statement(member)).toMatchObject([
    { statementType: 'deposit', status: 'SUCCESS', from: 'TRUEMONEY', to: 'wallet', amount: 120.5 },
  ]);
});

test('from a wallet of no member it waits for operators', async () => {
  await env.control('persons', { name: 'คนแปลก หน้า', phone: '0991112223' });
  const reference = await send('0991112223', 40);
  await read();
  expect(await transaction(reference)).toMatchObject({ state: 'UNMATCHED', reason: 'NO_MEMBER' });
});

test('under another name it is not credited, and the likely owner is recorded', async () => {
  const member = await env.member();
  await env.owner.query("update bank_account set account_name = 'ทดสอบ อื่น' where member_id = $1", [
    member.id,
  ]);
  const reference = await send(member.phone, 55);
  await read();
  expect(await env.balance(member)).toBe(0n);
  expect(await transaction(reference)).toMatchObject({ state: 'UNMATCHED' });
});

test('of a member whose bank has their name in English the Thai one they go by tells', async () => {
  const member = await env.member();
  await env.owner.query("update bank_account set account_name = 'THODSOB RABOB' where member_id = $1", [
    member.id,
  ]);
  await send(member.phone, 45);
  await read();
  expect(await env.balance(member)).toBe(4_500n);
});

test('leaves two members with similar phones to an operator', async () => {
  const [one, other] = [await env.member(), await env.member()];
  // Only the middle digits differ, and those are hidden.
  const alike = `${one.phone.slice(0, 3)}777${one.phone.slice(-4)}`;
  await env.owner.query('update member set phone = $2 where id = $1', [other.id, alike]);
  const reference = await send(one.phone, 60);
  await read();
  expect(await transaction(reference)).toMatchObject({
    state: 'UNMATCHED',
    reason: 'SEVERAL_MEMBERS',
    likely_members: expect.arrayContaining([one.id, other.id]),
  });
});

test('matches no member when the last digits are hidden', async () => {
  const member = await env.member();
  await env.fault({ party: 'bank-b', call: 'statement', kind: 'masked-digits' });
  const reference = await send(member.phone, 65);
  await read();
  await env.control('faults', { clear: true });
  expect(await transaction(reference)).toMatchObject({ state: 'UNMATCHED', reason: 'NO_MEMBER' });
  expect(await env.balance(member)).toBe(0n);
});
