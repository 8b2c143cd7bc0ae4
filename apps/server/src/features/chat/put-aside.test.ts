import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { pass, pushedClock } from '../testing.ts';
import { chatHelpers } from './testing-chat.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const { say, closeSockets } = chatHelpers(env);
await env.set('chat.idleMinutes', 60);
afterAll(closeSockets);

/** A conversation that `agent` has answered. `later` passes time, which ends the sessions of operators, and sweeps. */
async function answered() {
  const [member, agent] = [await env.member(), await operators.operator('support')];
  let caller = agent;
  const call = async (method: string, path: string, body?: object) =>
    (await operators.call(caller, method, `/api/operator/chats${path}`, body)).body;
  const session = (await say(member, 'where is my money')).body.session_id;
  const [{ id }] = (await call('GET', `?member=${member.id}`)).chats;
  const post = (what: string, body: object = {}) => call('POST', `/${id}/${what}`, body);
  const text = { message_type: 'text', payload: { message: 'the bank looks into it' } };
  await post('messages', { message: text });
  const chat = async () => {
    caller = await operators.operator('support');
    return (await call('GET', `/${id}`)).chat;
  };
  return {
    member,
    agent,
    session,
    post,
    chat,
    snooze: (ms: number) => post('snooze', { until: new Date(clock.now().getTime() + ms).toISOString() }),
    later: async (ms: number) => {
      await pass(env, clock, ms);
      await env.app.runJob('chat.sweep');
      return (await chat()).state;
    },
  };
}

test('an idle conversation ends, one on hold does not before it is idle off hold', async () => {
  const [plain, held] = [await answered(), await answered()];
  await held.post('hold', { isHeld: true });
  expect(await held.later(61 * MINUTE_MS)).toBe('ON_HOLD');
  expect((await plain.chat()).state).toBe('ENDED');
  expect(await held.later(48 * HOUR_MS)).toBe('ON_HOLD');
  await held.post('hold', { isHeld: false });
  expect(await held.later(59 * MINUTE_MS)).toBe('OPEN');
  expect(await held.later(2 * MINUTE_MS)).toBe('ENDED');
});

test('a conversation that is put aside does not end before it is idle after its time', async () => {
  const one = await answered();
  await one.snooze(24 * HOUR_MS);
  expect(await one.later(23 * HOUR_MS)).toBe('SNOOZED');
  expect(await one.later(HOUR_MS + 59 * MINUTE_MS)).toBe('OPEN');
  expect(await one.later(2 * MINUTE_MS)).toBe('ENDED');
});

test('a conversation that is brought back before its time counts as idle from then', async () => {
  const one = await answered();
  await one.snooze(24 * HOUR_MS);
  expect(await one.later(2 * HOUR_MS)).toBe('SNOOZED');
  await one.post('snooze', { until: null });
  expect(await one.later(59 * MINUTE_MS)).toBe('OPEN');
  expect(await one.later(2 * MINUTE_MS)).toBe('ENDED');
});

test.each(['hold', 'snooze'] as const)(
  'a customer’s message to a conversation that is put aside (%s) stays in its session, with its agent',
  async (way) => {
    const one = await answered();
    if (way === 'hold') await one.post('hold', { isHeld: true });
    else await one.snooze(24 * HOUR_MS);
    await one.later(2 * HOUR_MS);
    expect((await say(one.member, 'any news?')).body.session_id).toBe(one.session);
    expect(await one.chat()).toMatchObject({ state: 'OPEN', assignee: { name: one.agent.name } });
  },
);

test('a customer’s message to a session that is idle after its time opens the next one', async () => {
  const one = await answered();
  await one.snooze(HOUR_MS);
  await pass(env, clock, 3 * HOUR_MS);
  expect((await say(one.member, 'any news?')).body.session_id).not.toBe(one.session);
  expect((await one.chat()).assignee).toBe(null);
});
