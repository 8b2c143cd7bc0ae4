import { HOUR_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { type ChatClient, chatHelpers } from './testing-chat.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { guest, say, closeSockets } = chatHelpers(env);
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
const putAside = {
  ON_HOLD: ['hold', { isHeld: true }],
  SNOOZED: ['snooze', { until: new Date(Date.now() + HOUR_MS).toISOString() }],
} as const;

test.each(['ON_HOLD', 'SNOOZED'] as const)(
  'a guest who waits brings back a conversation that is %s',
  async (state) => {
    const [member, visitor] = [await env.member(), guest()];
    const into = await begin(member);
    await write(som, into, 'the bank looks into it');
    await post(som, into, ...putAside[state]);
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
    await post(som, into, ...putAside[state]);
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
  await post(som, into, ...putAside.SNOOZED);
  const from = await begin(visitor);
  await write(som, from, 'the bank looks into it');
  await post(som, from, ...putAside.ON_HOLD);
  await logIn(visitor, member);
  expect((await head(into)).chat).toMatchObject({ state: 'ON_HOLD', snoozedUntil: null });
});

test.each(['reopen', 'message'] as const)(
  'an ended conversation that was put aside is shown once a session is opened again: %s',
  async (way) => {
    const into = await begin(await env.member());
    await post(som, into, 'end');
    await post(som, into, ...putAside.SNOOZED);
    if (way === 'reopen') await post(som, into, 'reopen');
    else await write(som, into, 'one more thing');
    expect((await head(into)).chat).toMatchObject({ state: 'OPEN', snoozedUntil: null });
  },
);
