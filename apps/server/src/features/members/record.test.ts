import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const support = await operators.operator('support');

const read = async (path: string) => (await operators.call(support, 'GET', `/api/operator${path}`)).body;
const post = (path: string, body: unknown) => operators.call(support, 'POST', `/api/operator${path}`, body);

test('tags are added and removed, lead the list to their members, and are audited', async () => {
  const [one, other] = [await env.member(), await env.member()];
  const tag = (id: bigint, added: string[], removed: string[] = []) =>
    post(`/members/${id}/tags`, { added, removed });
  expect((await tag(one.id, ['vip', ' calls often '])).status).toBe(200);
  await tag(other.id, ['vip']);
  expect((await read(`/members/${one.id}`)).tags).toEqual(['calls often', 'vip']);
  await tag(one.id, ['slow bank'], ['vip']);
  expect((await read('/member-tags')).tags).toEqual(
    ['calls often', 'slow bank', 'vip'].map((name) => ({ tag: name, count: 1 })),
  );
  const listed = await read(`/members?${new URLSearchParams({ tag: 'vip' })}`);
  expect(listed).toMatchObject({ total: 1, members: [{ id: String(other.id), tags: ['vip'] }] });
  expect(await operators.audit(`member:${one.id}`)).toMatchObject([
    { action: 'member.tags', before: { tags: [] }, after: { tags: ['calls often', 'vip'] } },
    {
      action: 'member.tags',
      before: { tags: ['calls often', 'vip'] },
      after: { tags: ['calls often', 'slow bank'] },
    },
  ]);
  const tooMany = Array.from({ length: 11 }, (_, at) => `tag ${at}`);
  expect((await tag(one.id, tooMany)).body.message).toBe('INVALID_REQUEST');
  expect((await tag(one.id, tooMany.slice(0, 9))).body.message).toBe('TAGS_MAX');
  expect((await tag(1n, [])).body.message).toBe('NO_DATA');
});

test('tags that two operators add at once are both there', async () => {
  const { id } = await env.member();
  const both = ['vip', 'late'];
  await Promise.all(both.map((tag) => post(`/members/${id}/tags`, { added: [tag], removed: [] })));
  expect((await read(`/members/${id}`)).tags).toEqual(both.toSorted());
});

test('a filter takes several values together and leaves others out', async () => {
  const members = [await env.member(), await env.member(), await env.member()];
  const tags = [['regular'], ['new, abroad'], ['regular', 'late!']];
  for (const [at, { id }] of members.entries())
    await post(`/members/${id}/tags`, { added: tags[at], removed: [] });
  const found = async (tag: string) => {
    const { members: rows } = await read(`/members?${new URLSearchParams({ tag, sort: 'createdAt' })}`);
    return members.flatMap(({ id }, at) =>
      rows.some((row: { id: string }) => row.id === String(id)) ? [at] : [],
    );
  };
  expect(await found('regular')).toEqual([0, 2]);
  expect(await found('regular,new%2C abroad')).toEqual([0, 1, 2]);
  expect(await found('regular,!late%21')).toEqual([0]);
  expect(await found('!regular')).toEqual([1]);
  const states = async (status: string) =>
    (await read(`/members?${new URLSearchParams({ status })}`)).total ?? 'refused';
  const all = await states('ACTIVE,SUSPENDED,CLOSED');
  expect(await states('!SUSPENDED,!CLOSED')).toBe(all);
  expect(await states('!ACTIVE')).toBe(0);
  expect(await states('ASLEEP')).toBe('refused');
});

test('a pinned note is above newer ones until it is unpinned', async () => {
  const member = await env.member();
  for (const text of ['first', 'second']) await post(`/members/${member.id}/notes`, { text });
  const texts = async () =>
    (await read(`/members/${member.id}`)).notes.map((note: { text: string; isPinned: boolean }) => [
      note.text,
      note.isPinned,
    ]);
  const [, first] = (await read(`/members/${member.id}`)).notes;
  const pin = (of: bigint, isPinned: boolean) => post(`/members/${of}/notes/${first.id}/pin`, { isPinned });
  expect((await pin(member.id, true)).status).toBe(200);
  expect(await texts()).toEqual([
    ['first', true],
    ['second', false],
  ]);
  const other = await env.member();
  expect((await pin(other.id, false)).body.message).toBe('NO_DATA');
  await pin(member.id, false);
  expect(await texts()).toEqual([
    ['second', false],
    ['first', false],
  ]);
  const trail = await operators.audit(`member:${member.id}`);
  expect(trail.map(({ action }) => action)).toEqual([
    'member.note',
    'member.note',
    'member.note.pin',
    'member.note.unpin',
  ]);
});

test('lifetime figures sum what was paid in, and the wallet keeps its balance on days without movements', async () => {
  const member = await env.member({ amountMinor: 50_000n });
  await env.owner.query('alter table deposit disable trigger user');
  await env.owner.query(
    `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
     values ('DPLIFE1', $1, 'QR', 'KBANK', 'LIFE1', 30000, false, 0, '2026-01-01'), ('DPLIFE2', $1, 'QR', 'KBANK', 'LIFE2', 20000, false, 0, '2026-02-01')`,
    [member.id],
  );
  await env.owner.query('alter table deposit enable trigger user');
  const life = await read(`/members/${member.id}/lifetime`);
  expect(life).toMatchObject({
    deposits: { count: 2, amount: 500, first: '2026-01-01T00:00:00.000Z', last: '2026-02-01T00:00:00.000Z' },
    withdrawals: { count: 0, amount: 0, last: null },
    bonuses: { count: 0, amount: 0 },
    net: 500,
  });
  expect(life.balances).toHaveLength(30);
  expect(life.balances[0].amount).toBe(0);
  expect(life.balances.at(-1).amount).toBe(500);
});
