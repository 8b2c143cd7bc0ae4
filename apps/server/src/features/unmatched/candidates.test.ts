import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const [som, support] = await Promise.all(['finance', 'support'].map((role) => operators.operator(role)));
const { secrets } = env.app.deps;

let serial = 0;

/** Money without an owner, from an account as its bank prints it. */
async function unmatched(mask: string, name: string, likely: readonly bigint[] = []): Promise<string> {
  const { rows } = await env.owner.query(
    `insert into bank_transaction (bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, paid_at, received_at,
       state, reason, likely_members, likely_member_id)
     values ('KBANK', $1, '1112223334', 'BAHT', 20050, '004', $2, $3, now(), now(), 'UNMATCHED', 'SEVERAL_MEMBERS', $4, $5) returning id::text as id`,
    [
      `REF-C${++serial}`,
      mask,
      secrets.encrypt('payer', JSON.stringify({ account: mask, name })),
      likely,
      likely.length === 1 ? likely[0] : null,
    ],
  );
  return rows[0].id;
}
const search = (query: string, as = som!) => operators.call(as, 'GET', `/api/operator/candidates?${query}`);
const ids = async (query: string) =>
  (await search(query)).body.candidates.map(({ id }: { id: string }) => id);
const rename = (member: TestMember, name: string) =>
  env.owner.query('update bank_account set account_name = $2 where member_id = $1', [member.id, name]);

test('a transaction that fits several members names them, with what tells one from another', async () => {
  const [one, two] = [await env.member(), await env.member()];
  await env.owner.query(
    `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
     values ('DPCAND', $1, 'AUTO', 'KBANK', 'REF-CAND', 12300, false, 1, now())`,
    [two.id],
  );
  const transaction = await unmatched('xxx-x-x0001-x', 'MR. SOMCHAI J', [one.id, two.id]);
  const list = await operators.call(som!, 'GET', '/api/operator/unmatched');
  expect(list.body.transactions.find(({ id }: { id: string }) => id === transaction).candidates).toEqual(
    [one, two].map(({ id }) => ({ id: String(id), name: 'ทดสอบ ระบบ' })),
  );
  const { candidates } = (await search(`transaction=${transaction}`)).body;
  expect(candidates).toMatchObject([
    {
      id: String(one.id),
      phone: `${one.phone.slice(0, 3)}•••${one.phone.slice(-4)}`,
      account: { bankCode: 'KBANK', accountNo: `••${one.accountNo.slice(-4)}` },
      deposits: [],
    },
    { id: String(two.id), deposits: [{ amount: 123, channel: 'AUTO' }] },
  ]);
  expect((await search(`transaction=${transaction}`, support!)).status).toBe(403);
});

test('one that fits no member offers members by the account’s digits, else by the name', async () => {
  const member = await env.member();
  const mask = `xxx-x-x${member.accountNo.slice(-5, -1)}-x`;
  expect(await ids(`transaction=${await unmatched(mask, 'NOBODY')}`)).toContain(String(member.id));
  await rename(member, 'MALEE SRISUK');
  expect(await ids(`transaction=${await unmatched('xxx-x-xxxxx-x', 'MS. MALEE S')}`)).toEqual([
    String(member.id),
  ]);
});

test('members are found by the name on the bank account, by four digits and by numbers as banks print them', async () => {
  const member = await env.member();
  await rename(member, 'KAMOLCHANOK WONG');
  const { accountNo, phone } = member;
  const typed = [
    'kamolchanok',
    accountNo.slice(-4),
    phone.slice(-4),
    `xxx-x-x${accountNo.slice(-5, -1)}-x`,
    `******${accountNo.slice(-4)}`,
    accountNo,
    phone,
    String(member.id),
  ];
  for (const q of typed) {
    const text = encodeURIComponent(q);
    expect([q, await ids(`q=${text}`)]).toEqual([q, expect.arrayContaining([String(member.id)])]);
    const { found } = (await operators.call(support!, 'GET', `/api/operator/find?q=${text}`)).body;
    const row = found.find(
      ({ kind, id }: { kind: string; id: string }) => kind === 'member' && id === String(member.id),
    );
    expect([q, row]).toMatchObject([
      q,
      { account: { accountName: 'KAMOLCHANOK WONG' }, phone: expect.any(String) },
    ]);
    const { members } = (await operators.call(support!, 'GET', `/api/operator/members?q=${text}`)).body;
    expect(members.map(({ id }: { id: string }) => id)).toContain(String(member.id));
  }
  expect(await ids(`q=${encodeURIComponent('xxx-x-xx9x-x')}`)).toEqual([]);
});
