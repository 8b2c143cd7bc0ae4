import { expect, test } from 'vitest';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { BROWSER, failedTransfer, riskHelpers } from '../risk/testing-risk.ts';

const env = await startTestEnv({ jobs: false });
const script = riskHelpers(env);
const { operators } = script;
const [lead, support, risk] = await Promise.all(
  ['finance-lead', 'support', 'risk'].map((role) => operators.operator(role)),
);

const read = async (as: typeof lead, path: string) =>
  (await operators.call(as!, 'GET', `/api/operator${path}`)).body;
interface Row {
  id: string;
  at: string;
  kind: string;
  what: string;
  subject: string | null;
}
const rowsOf = async (as: typeof lead, member: TestMember, query = ''): Promise<Row[]> => {
  const { rows } = await read(as, `/members/${member.id}/timeline?limit=100${query}`);
  return rows;
};

/** A member with rows of every kind, some of the same moment. */
async function busyMember(): Promise<TestMember> {
  const member = await env.member({ amountMinor: 50_000n });
  await script.request(member, 'POST', '/api/wallet/withdraw', { amount: 100 });
  await script.login(member, '198.51.100.20');
  await script.refuseSlips(member, 2);
  const message = { message_type: 'text', payload: { message: 'hello' } };
  await script.request(member, 'POST', '/api/chat/send-message', { message });
  for (const text of ['first', 'second'])
    await operators.call(support!, 'POST', `/api/operator/members/${member.id}/notes`, { text });
  await operators.call(support!, 'POST', `/api/operator/members/${member.id}/tags`, {
    added: ['vip'],
    removed: [],
  });
  const [withdrawal] = (await read(lead, `/withdrawals?member=${member.id}`)).withdrawals;
  await env.owner.query(
    "insert into alert (kind, subject, detail, opened_at) values ('payout-unknown', 'withdrawal:' || $1, 'silent', now()), ('webhook-failing', 'member:' || $2, '', now())",
    [withdrawal.id, String(member.id)],
  );
  return member;
}

test('the timeline has rows of every kind, newest first, and its pages follow each other both ways', async () => {
  const member = await busyMember();
  const all = await rowsOf(lead, member);
  expect(new Set(all.map(({ kind }) => kind))).toEqual(
    new Set(['money', 'login', 'note', 'alert', 'chat', 'change']),
  );
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect(all.filter(({ what }) => what === 'slip')).toHaveLength(2);
  expect(all.find(({ kind }) => kind === 'alert')?.subject).toMatch(/^withdrawal:/);
  const pages: string[] = [];
  let page = await read(lead, `/members/${member.id}/timeline?limit=3`);
  for (; ; page = await read(lead, `/members/${member.id}/timeline?limit=3&cursor=${page.next}`)) {
    pages.push(...page.rows.map(({ id }: { id: string }) => id));
    if (!page.next) break;
  }
  expect(pages).toEqual(all.map(({ id }) => id));
  const back: string[] = [];
  page = await read(lead, `/members/${member.id}/timeline?limit=3&cursor=last`);
  for (; ; page = await read(lead, `/members/${member.id}/timeline?limit=3&cursor=${page.previous}`)) {
    back.unshift(...page.rows.map(({ id }: { id: string }) => id));
    if (!page.previous) break;
  }
  expect(back).toEqual(pages);
  expect((await rowsOf(lead, member, '&kind=note')).map(({ kind }) => kind)).toEqual(['note', 'note']);
});

test('the timeline leaves out what the operator may not open', async () => {
  const member = await busyMember();
  const kinds = new Set((await rowsOf(support, member)).map(({ kind }) => kind));
  expect(kinds).toContain('chat');
  expect(kinds).not.toContain('change');
  expect((await rowsOf(support, member, '&kind=change')).length).toBe(0);
  const withoutWithdrawals = await operators.operator('admin');
  const alerts = (await rowsOf(withoutWithdrawals, member)).filter(({ kind }) => kind === 'alert');
  expect(alerts.map(({ what }) => what)).toEqual(['webhook-failing']);
});

test('the timeline has the alerts about the member’s transfers', async () => {
  const member = await env.member();
  const transfer = await failedTransfer(env, member, 'IN');
  await env.app.deps.alert('transfer-contradicts', `transfer:${transfer}`, 'taken after all');
  const alerts = (await rowsOf(lead, member)).filter(({ kind }) => kind === 'alert');
  expect(alerts).toMatchObject([{ what: 'transfer-contradicts', subject: `transfer:${transfer}` }]);
});

test('members with the same account, browser or small network are named, an account first', async () => {
  const [one, account, device, network, unrelated] = await Promise.all(
    Array.from({ length: 5 }, () => env.member()),
  );
  await script.shareAccount(one!, account!);
  await script.login(one!, '198.51.100.30');
  await script.login(account!, '198.51.100.31');
  await script.login(device!, '198.51.100.30');
  await script.login(device!, '198.51.100.30', BROWSER.desktop);
  await script.login(network!, '198.51.100.30', BROWSER.desktop);
  await script.login(unrelated!, '198.51.100.32');
  const { shared } = await read(risk, `/members/${one!.id}/shared`);
  expect(shared.map((row: { kind: string; member: { id: string } }) => [row.kind, row.member.id])).toEqual([
    ['account', String(account!.id)],
    ['device', String(device!.id)],
    ['network', String(network!.id)],
  ]);
  expect(shared[0].what).toMatch(/^\w+ .*\d{4}/);
  expect(shared[1].what).toBe(BROWSER.phone);
  expect(shared[2].what).toBe('198.51.100.30');
  expect((await read(risk, '/members/1/shared')).message).toBe('NO_DATA');
});

test('a network shared by many members links none of them', async () => {
  const members = await Promise.all(Array.from({ length: 22 }, () => env.member()));
  for (const member of members) await script.login(member, '198.51.100.40');
  expect((await read(risk, `/members/${members[0]!.id}/shared`)).shared).toEqual([]);
});
