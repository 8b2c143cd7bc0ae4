import { afterAll, expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { MACROS_MAX } from './macro-queries.ts';
import { CANNED_MAX } from './operator-queries.ts';
import { chatHelpers } from './testing-chat.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { say, history, closeSockets } = chatHelpers(env);
const [som, nok, lead] = (await Promise.all(
  ['support', 'support', 'finance-lead'].map((role) => operators.operator(role)),
)) as [TestOperator, TestOperator, TestOperator];
afterAll(closeSockets);

const MACROS = '/api/operator/macros';
const save = (as: TestOperator, name: string, body: object) =>
  operators.call(as, 'PUT', `${MACROS}/${encodeURIComponent(name)}`, {
    text: '',
    tags: [],
    isTaken: false,
    ending: 'NONE',
    ...body,
  });
const post = (as: TestOperator, id: string, what: string, body: object = {}) =>
  operators.call(as, 'POST', `/api/operator/chats/${id}/${what}`, body);
const run = (as: TestOperator, id: string, name: string, key = crypto.randomUUID() as string) =>
  post(as, id, `macros/${encodeURIComponent(name)}`, { key });
const box = async (query: string) => (await operators.call(som, 'GET', `/api/operator/chats?${query}`)).body;

async function waiting() {
  const member = await env.member();
  await say(member, 'where is my money');
  const [chat] = (await box(`member=${member.id}`)).chats;
  const now = async () => (await operators.call(som, 'GET', `/api/operator/chats/${chat.id}`)).body.chat;
  return { member, id: chat.id as string, now };
}

test('a macro responds, tags, assigns and ends at once, and sends no message twice', async () => {
  expect((await save(som, 'paid', { text: 'x' })).status).toBe(403);
  const kept = { text: 'It was paid, please look again.', tags: ['paid'], isTaken: true, ending: 'END' };
  expect((await save(lead, 'จ่ายแล้ว', kept)).status).toBe(200);
  expect((await operators.call(som, 'GET', MACROS)).body.macros).toMatchObject([{ name: 'จ่ายแล้ว', ...kept }]);
  const { member, id, now } = await waiting();
  await post(som, id, 'tags', { added: ['regular'], removed: [] });
  const key = crypto.randomUUID();
  expect((await run(som, id, 'จ่ายแล้ว', key)).status).toBe(200);
  expect(await now()).toMatchObject({ state: 'ENDED', waitingSince: null });
  expect((await now()).tags.toSorted()).toEqual(['paid', 'regular']);
  expect((await run(som, id, 'จ่ายแล้ว', key)).status).toBe(200);
  const messages = JSON.stringify(await history(member));
  expect(messages.split('please look again')).toHaveLength(2);
  const runs = (await operators.audit(`chat:${id}`)).filter(({ action }) => action === 'chat.macro');
  expect(runs).toHaveLength(1);
});

test('a macro without a text succeeds again on the conversation that it has ended', async () => {
  await save(lead, 'close', { tags: ['closed'], ending: 'END' });
  const { id, now } = await waiting();
  const key = crypto.randomUUID();
  expect((await run(som, id, 'close', key)).status).toBe(200);
  expect((await run(som, id, 'close', key)).status).toBe(200);
  expect(await now()).toMatchObject({ state: 'ENDED', tags: ['closed'] });
});

test('a repeat of a macro leaves a conversation open that the customer has opened again', async () => {
  await save(lead, 'bye', { text: 'Good bye.', tags: ['done'], ending: 'END' });
  const { member, id, now } = await waiting();
  const key = crypto.randomUUID();
  expect((await run(som, id, 'bye', key)).status).toBe(200);
  await say(member, 'one more question');
  await post(som, id, 'tags', { added: [], removed: ['done'] });
  expect((await run(som, id, 'bye', key)).status).toBe(200);
  expect(await now()).toMatchObject({ state: 'OPEN', tags: [] });
  // Another key is another run.
  expect((await run(som, id, 'bye')).status).toBe(200);
  expect((await now()).state).toBe('ENDED');
});

test('rejects a macro on a conversation assigned to a colleague, and an unknown macro changes nothing', async () => {
  await save(lead, 'hold on', { ending: 'HOLD' });
  const { id, now } = await waiting();
  await post(som, id, 'claim');
  expect((await run(nok, id, 'hold on')).body.message).toBe('CLAIMED');
  expect((await run(som, id, 'no such')).body.message).toBe('NO_DATA');
  expect((await now()).state).toBe('OPEN');
});

test('on hold, a conversation waits apart from those put aside, until the customer writes', async () => {
  const { member, id, now } = await waiting();
  await post(som, id, 'snooze', { until: new Date(Date.now() + 3_600_000).toISOString() });
  await post(som, id, 'hold', { isHeld: true });
  expect(await now()).toMatchObject({ state: 'ON_HOLD', snoozedUntil: null });
  const ids = async (name: string) => (await box(`box=${name}`)).chats.map((chat: { id: string }) => chat.id);
  expect(await ids('held')).toContain(id);
  expect(await ids('all')).not.toContain(id);
  expect(await ids('snoozed')).not.toContain(id);
  await say(member, 'any news?');
  expect((await now()).state).toBe('OPEN');
  await post(som, id, 'hold', { isHeld: true });
  await post(som, id, 'hold', { isHeld: false });
  expect((await now()).state).toBe('OPEN');
  await post(som, id, 'end');
  expect((await post(som, id, 'hold', { isHeld: true })).body.message).toBe('ROW_CHANGED');
});

test('a first answer after the target is late in the report, and the inbox names the target', async () => {
  await env.set('chat.answerMinutes', 2);
  expect((await box('box=all')).targetMinutes).toBe(2);
  const { id } = await waiting();
  await env.owner.query(
    "update chat_session set opened_at = opened_at - interval '3 minutes' where conversation_id = $1",
    [id],
  );
  await post(som, id, 'messages', { message: { message_type: 'text', payload: { message: 'sorry' } } });
  const { id: quick } = await waiting();
  await post(som, quick, 'messages', { message: { message_type: 'text', payload: { message: 'yes' } } });
  const { rows, targetMinutes } = (await operators.call(lead, 'GET', '/api/operator/figures/chats')).body;
  expect(targetMinutes).toBe(2);
  expect(rows.find((row: { agent: string }) => row.agent === som.name)).toMatchObject({ late: 1 });
});

test.each([
  [
    'chat_macro',
    MACROS_MAX,
    "(name, ending, is_taken, changed_by, changed_at) select 'full-' || n, 'NONE', false",
  ],
  ['chat_canned', CANNED_MAX, "(shortcut, text, changed_by, changed_at) select 'full-' || n, 'x'"],
])(
  'there are as many rows of %s as the list has; those that are there can be changed',
  async (table, max, columns) => {
    await env.owner.query(`delete from ${table}`);
    await env.owner.query(
      `insert into ${table} ${columns}, 'test', now() from generate_series(1, ${max - 1}) n`,
    );
    const put = (name: string) =>
      table === 'chat_macro'
        ? save(lead, name, { text: 'x' })
        : operators.call(lead, 'PUT', `/api/operator/canned/${name}`, { text: 'x' });
    const added = await Promise.all(['one', 'two', 'three'].map(put));
    const refused = added.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body)).toEqual(Array(2).fill({ message: 'LIST_FULL', data: { max } }));
    expect((await put('full-1')).status).toBe(200);
    const { rows } = await env.owner.query(`select count(*)::int as count from ${table}`);
    expect(rows).toEqual([{ count: max }]);
  },
);
