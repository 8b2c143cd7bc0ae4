import { HOUR_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { type ChatClient, chatHelpers } from './testing-chat.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { guest, say, history, unread, read, closeSockets } = chatHelpers(env);
const [som, nok] = (await Promise.all(['support', 'support'].map((role) => operators.operator(role)))) as [
  TestOperator,
  TestOperator,
];
afterAll(closeSockets);

const post = (as: TestOperator, id: string, what: string, body: object = {}) =>
  operators.call(as, 'POST', `/api/operator/chats/${id}/${what}`, body);
const write = (as: TestOperator, id: string, message: string) =>
  post(as, id, 'messages', { message: { message_type: 'text', payload: { message } } });
const head = async (id: string) => (await operators.call(som, 'GET', `/api/operator/chats/${id}`)).body;
let serial = 0;
/** Begins a conversation with a message of the customer. */
async function begin(who: ChatClient): Promise<string> {
  const text = `begins-${++serial}`;
  await say(who, text);
  const { chats } = (await operators.call(som, 'GET', `/api/operator/chats?q=${text}`)).body;
  expect(chats).toHaveLength(1);
  return chats[0].id;
}
/** The guest logs in as the member: their conversations are merged. */
async function logIn(visitor: { guestId: string }, member: TestMember): Promise<void> {
  const body = { limit: 10, skip: 0, guestId: visitor.guestId };
  const { status } = await env.call('POST', '/api/chat/history', body, { token: member.token });
  expect(status).toBe(200);
}
const unreadOf = async (id: string) => (await head(id)).chat.unread;
const notificationsOf = async (member: TestMember) =>
  (await env.call('POST', '/api/notifications', { page: 1, limit: 20 }, { token: member.token })).body
    .notifications;
const assigneeOf = async (id: string) => (await head(id)).chat.assignee?.name ?? null;

test('the agent of the open conversation has the merged one, not the agent of an ended one', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member);
  await write(som, into, 'here you are');
  await post(som, into, 'end');
  const from = await begin(visitor);
  await post(nok, from, 'claim');
  await logIn(visitor, member);
  expect(await assigneeOf(into)).toBe(nok.name);
  expect((await write(nok, into, 'I look into it')).status).toBe(200);
});

test('an ended conversation of a guest brings no agent to an open one', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const from = await begin(visitor);
  await write(som, from, 'here you are');
  await post(som, from, 'end');
  const into = await begin(member);
  await logIn(visitor, member);
  expect(await assigneeOf(into)).toBe(null);
  expect((await write(nok, into, 'I look into it')).status).toBe(200);
});

test('of two open conversations the agent of the one that stays has the merged one', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member);
  await post(som, into, 'claim');
  const from = await begin(visitor);
  await post(nok, from, 'claim');
  await logIn(visitor, member);
  expect(await assigneeOf(into)).toBe(som.name);
});

const stateOf = async (id: string) => (await head(id)).chat.state;
const putAside = (id: string, state: 'ON_HOLD' | 'SNOOZED') =>
  state === 'ON_HOLD'
    ? post(som, id, 'hold', { isHeld: true })
    : post(som, id, 'snooze', { until: new Date(Date.now() + HOUR_MS).toISOString() });

test.each(['ON_HOLD', 'SNOOZED'] as const)(
  'a guest who waits brings back a conversation that is %s',
  async (state) => {
    const [member, visitor] = [await env.member(), guest()];
    const into = await begin(member);
    await write(som, into, 'the bank looks into it');
    await putAside(into, state);
    expect(await stateOf(into)).toBe(state);
    await begin(visitor);
    await logIn(visitor, member);
    const { chat } = await head(into);
    expect(chat).toMatchObject({ state: 'OPEN', snoozedUntil: null, waitingSince: expect.any(String) });
    const { chats } = (await operators.call(som, 'GET', '/api/operator/chats?box=all&limit=100')).body;
    expect(chats.map(({ id }: { id: string }) => id)).toContain(into);
  },
);

test.each(['ON_HOLD', 'SNOOZED'] as const)(
  'a guest who does not wait leaves a conversation that is %s put aside',
  async (state) => {
    const [member, visitor] = [await env.member(), guest()];
    const into = await begin(member);
    await putAside(into, state);
    const from = await begin(visitor);
    await post(som, from, 'end');
    await logIn(visitor, member);
    expect(await stateOf(into)).toBe(state);
  },
);

test('a conversation put aside stays so when it is merged into an ended one', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member);
  await post(som, into, 'end');
  await putAside(into, 'SNOOZED');
  const from = await begin(visitor);
  await write(som, from, 'the bank looks into it');
  await putAside(from, 'ON_HOLD');
  await logIn(visitor, member);
  expect((await head(into)).chat).toMatchObject({ state: 'ON_HOLD', snoozedUntil: null });
});

test.each(['reopen', 'message'] as const)(
  'an ended conversation that was put aside is shown once a session is opened again: %s',
  async (way) => {
    const into = await begin(await env.member());
    await post(som, into, 'end');
    await putAside(into, 'SNOOZED');
    if (way === 'reopen') await post(som, into, 'reopen');
    else await write(som, into, 'one more thing');
    expect((await head(into)).chat).toMatchObject({ state: 'OPEN', snoozedUntil: null });
  },
);

test('a reply that the member has not read stays unread when they read a later one as a guest', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member);
  await write(som, into, 'unread by the member');
  const from = await begin(visitor);
  await write(nok, from, 'read by the guest');
  await read(visitor);
  const before = await notificationsOf(member);
  expect(before).toMatchObject([{ kind: 'chat', isRead: false }]);
  await logIn(visitor, member);
  expect((await unread(member)).unread).toBeGreaterThan(0);
  expect(await notificationsOf(member)).toEqual(before);
  await read(member);
  expect((await unread(member)).unread).toBe(0);
});

test('a notification stays when the guest has read what is older than the unread reply', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const from = await begin(visitor);
  await write(nok, from, 'read by the guest');
  await read(visitor);
  const into = await begin(member);
  await write(som, into, 'unread by the member');
  const before = await notificationsOf(member);
  await logIn(visitor, member);
  expect((await unread(member)).unread).toBeGreaterThan(0);
  expect(await notificationsOf(member)).toEqual(before);
});

test('a reply that the guest has not read is the one that the member has not read', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const from = await begin(visitor);
  await write(nok, from, 'read by the guest');
  await read(visitor);
  await write(nok, from, 'unread by the guest');
  const into = await begin(member);
  await logIn(visitor, member);
  expect((await unread(member)).unread).toBe(1);
  const seen = (await history(member)).find(
    ({ message }: { message: { payload: { message: string } } }) =>
      message.payload.message === 'read by the guest',
  );
  expect(BigInt((await head(into)).customerReadUpTo)).toBeGreaterThanOrEqual(BigInt(seen._id));
});

test('a message that no agent has read stays unread when agents read the other conversation', async () => {
  const [member, visitor, other] = [await env.member(), guest(), guest()];
  const into = await begin(member);
  const from = await begin(visitor);
  await post(nok, from, 'read');
  await logIn(visitor, member);
  expect(await unreadOf(into)).toBe(2);
  // The other way: the unread one is the guest's, and older.
  const older = await begin(other);
  await say(member, 'a later message');
  await post(som, into, 'read');
  expect(await unreadOf(into)).toBe(0);
  await post(som, older, 'merge', { into, reason: 'the same person' });
  expect(await unreadOf(into)).toBeGreaterThan(0);
});

test('what was read on both sides is read after the merge', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const [into, from] = [await begin(member), await begin(visitor)];
  for (const [agent, id, customer] of [
    [som, into, member],
    [nok, from, visitor],
  ] as const) {
    await post(agent, id, 'read');
    await write(agent, id, 'a reply');
    await read(customer);
  }
  await logIn(visitor, member);
  expect((await unread(member)).unread).toBe(0);
  expect(await unreadOf(into)).toBe(0);
});
