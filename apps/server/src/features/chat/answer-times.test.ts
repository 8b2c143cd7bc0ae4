import { DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { pass, pushedClock } from '../testing.ts';
import { type ChatClient, chatHelpers } from './testing-chat.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const { guest, say, closeSockets } = chatHelpers(env);
await env.set('chat.answerMinutes', 5);
afterAll(closeSockets);

let agent: TestOperator;
/** Each test has an agent and a week of its own. */
beforeEach(async () => {
  clock.push(8 * DAY_MS);
  agent = await operators.operator('support');
});
const post = (id: string, what: string, body: object = {}) =>
  operators.call(agent, 'POST', `/api/operator/chats/${id}/${what}`, body);
async function write(id: string): Promise<void> {
  const message = { message_type: 'text', payload: { message: 'it was paid' } };
  expect((await post(id, 'messages', { message })).status).toBe(200);
}
/** Begins a conversation with a message of the customer. */
async function begin(who: ChatClient): Promise<string> {
  const text = `begins-${crypto.randomUUID()}`;
  await say(who, text);
  return (await operators.call(agent, 'GET', `/api/operator/chats?q=${text}`)).body.chats[0].id;
}
const wait = (minutes: number) => pass(env, clock, minutes * MINUTE_MS);
/** The report's row of the agent, or of sessions without one. */
async function figures(name: string | null = agent.name) {
  const auditor = await operators.operator('auditor');
  const { rows } = (await operators.call(auditor, 'GET', '/api/operator/figures/chats')).body;
  return rows.find((row: { agent: string | null }) => row.agent === name);
}
const answerMinutes = async () => (await env.call('GET', '/api/chat/config')).body.answerMinutes;

test('a session that an agent opens has no first answer before the customer wrote, and is not late', async () => {
  const member = await env.member();
  const id = await begin(member);
  await post(id, 'end');
  for (const _ of [1, 2, 3]) {
    await write(id);
    await post(id, 'end');
  }
  // The first one was ended without a response.
  expect(await figures()).toMatchObject({ sessions: 4, answered: 0, late: 0, firstAnswer: null });
  expect(await answerMinutes()).toBe(null);
  await write(id);
  await wait(20);
  await say(member, 'not yet');
  await wait(3);
  await write(id);
  expect(await figures()).toMatchObject({ sessions: 5, answered: 1, late: 0, firstAnswer: 3 });
  await wait(1);
  expect(await answerMinutes()).toBe(3);
});

test('a session that is opened again counts as late only from the customer’s message', async () => {
  const member = await env.member();
  const id = await begin(member);
  await write(id);
  await post(id, 'end');
  await post(id, 'reopen');
  await wait(10);
  expect(await figures(null)).toMatchObject({ sessions: 1, answered: 0, late: 0 });
  await write(id);
  expect(await figures()).toMatchObject({ answered: 1, late: 0, firstAnswer: 0 });
  await say(member, 'and the other one?');
  await wait(6);
  expect(await figures()).toMatchObject({ answered: 1, late: 1 });
});

test('a guest’s session that ends by a merge is late only when the answer of the merged one is', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const id = await begin(member);
  await write(id);
  await post(id, 'end');
  await write(id);
  await begin(visitor);
  await wait(2);
  const body = { limit: 10, skip: 0, guestId: visitor.guestId };
  await env.call('POST', '/api/chat/history', body, { token: member.token });
  await wait(2);
  await write(id);
  await wait(30);
  expect(await figures()).toMatchObject({ sessions: 2, answered: 2, late: 0, firstAnswer: 2 });
  expect(await figures(null)).toMatchObject({ answered: 0, late: 0 });
});
