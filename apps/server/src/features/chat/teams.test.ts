import { CHAT_TEAMS_MAX } from '@krapao/contract/shared';
import { afterAll, expect, test } from 'vitest';
import { LOCKS_AWAITED } from '../../testing/locks.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { chatHelpers } from './testing-chat.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { guest, say, closeSockets } = chatHelpers(env);
const [som, nok, ploy, lead, marketing] = (await Promise.all(
  ['support', 'support', 'support', 'finance-lead', 'marketing'].map((role) => operators.operator(role)),
)) as [TestOperator, TestOperator, TestOperator, TestOperator, TestOperator];
afterAll(closeSockets);

const TEAMS = '/api/operator/chat-teams';
const post = (as: TestOperator | null, id: string, what: string, body: object = {}) =>
  operators.call(as, 'POST', `/api/operator/chats/${id}/${what}`, body);
const give = (as: TestOperator | null, id: string, team: string | null) => post(as, id, 'team', { team });
const text = (message: string) => ({ message: { message_type: 'text', payload: { message } } });
const idsOf = (members: readonly TestOperator[]) => members.map(({ id }) => String(id));
const add = (name: string, members: readonly TestOperator[] = [], as: TestOperator | null = lead) =>
  operators.call(as, 'POST', TEAMS, { name, members: idsOf(members) });
const save = (id: string, name: string, members: readonly TestOperator[] = [], as: TestOperator = lead) =>
  operators.call(as, 'PUT', `${TEAMS}/${id}`, { name, members: idsOf(members) });
const remove = (id: string, as: TestOperator = lead) => operators.call(as, 'DELETE', `${TEAMS}/${id}`);
const teams = async () => (await operators.call(som, 'GET', TEAMS)).body.teams;
const team = async (name: string, members: readonly TestOperator[] = []): Promise<string> =>
  (await add(name, members)).body.id;
const box = async (as: TestOperator, query: string) =>
  (await operators.call(as, 'GET', `/api/operator/chats?${query}`)).body;
const inBox = async (as: TestOperator, name: string): Promise<string[]> =>
  (await box(as, `box=${name}`)).chats.map(({ id }: { id: string }) => id);
const head = async (id: string) => (await operators.call(som, 'GET', `/api/operator/chats/${id}`)).body;
const chat = async (id: string) => (await head(id)).chat;
const work = async (as: TestOperator): Promise<string[]> => {
  // Only the first of a queue are offered; these tests make fewer.
  const { next, oldest, mine } = (await operators.call(as, 'GET', '/api/operator/work')).body;
  return [next, ...oldest, ...mine].filter((one) => one?.kind === 'chats').map(({ id }) => id);
};
const refusalOf = ({ status, body }: { status: number; body: { message: string } }) => [status, body.message];

/** A new conversation in which a customer waits. */
async function waiting(who: Parameters<typeof say>[0] = guest()): Promise<string> {
  const words = `hello ${crypto.randomUUID()}`;
  await say(who, words);
  return (await box(som, `q=${encodeURIComponent(words)}`)).chats[0].id;
}

/** Ends a conversation, so that it is no work any more. */
const finish = (...ids: string[]) => Promise.all(ids.map((id) => post(lead, id, 'end')));

/** Begins calls while a row is locked, and releases it once all of them wait. */
async function together(
  lock: { sql: string; id: string },
  ...calls: (() => Promise<{ status: number; body: { message: string } }>)[]
) {
  const tx = await env.owner.connect();
  try {
    await tx.query('begin');
    await tx.query(lock.sql, [lock.id]);
    const working: ReturnType<(typeof calls)[number]>[] = [];
    for (const call of calls) {
      working.push(call());
      await until(async () => (await env.owner.query(LOCKS_AWAITED)).rows.length >= working.length);
    }
    await tx.query('commit');
    return (await Promise.all(working)).map(refusalOf);
  } finally {
    tx.release();
  }
}
const CHAT = 'select 1 from chat_conversation where id = $1 for update';

test('makes, renames and removes a team, sets its members, and records each change', async () => {
  const made = await add('  Thai desk ', [som, nok]);
  const { id } = made.body;
  expect(made.status).toBe(200);
  expect((await teams()).find((one: { id: string }) => one.id === id)).toEqual({
    id,
    name: 'Thai desk',
    members: [som, nok].map((one) => ({ id: String(one.id), name: one.name })),
  });
  expect(refusalOf(await save(id, 'Lao desk', [ploy]))).toEqual([200, 'OK']);
  expect((await teams()).find((one: { id: string }) => one.id === id)).toMatchObject({
    name: 'Lao desk',
    members: [{ name: ploy.name }],
  });
  expect(refusalOf(await remove(id))).toEqual([200, 'OK']);
  expect(await teams()).toEqual([]);
  expect(await operators.audit(`chat-team:${id}`)).toMatchObject([
    {
      action: 'chat.team.save',
      actor: `operator:${lead.name}`,
      after: { name: 'Thai desk', members: [som.name, nok.name] },
    },
    {
      action: 'chat.team.save',
      before: { name: 'Thai desk', members: [som.name, nok.name] },
      after: { name: 'Lao desk', members: [ploy.name] },
    },
    { action: 'chat.team.remove', before: { name: 'Lao desk', members: [ploy.name] } },
  ]);
});

test('offers operators who may respond, and leaves out a member who no longer may', async () => {
  const leaver = await operators.operator('support');
  const id = await team('leavers', [leaver, som]);
  const { agents } = (await operators.call(som, 'GET', TEAMS)).body;
  const names = agents.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining([som.name, lead.name]));
  expect(names).not.toContain(marketing.name);
  await env.owner.query("update operator set status = 'SUSPENDED' where id = $1", [leaver.id]);
  expect((await teams())[0].members).toEqual([{ id: String(som.id), name: som.name }]);
  await remove(id);
});

test('refuses other roles, other input, a name that is taken and too many teams', async () => {
  const id = await team('ทีมฝากถอน', [som]);
  for (const without of [som, marketing]) {
    expect((await add('by another', [], without)).status).toBe(403);
    expect((await save(id, 'by another', [], without)).status).toBe(403);
    expect((await remove(id, without)).status).toBe(403);
  }
  expect((await add('without a session', [], null)).status).toBe(401);
  expect((await operators.call(marketing, 'GET', TEAMS)).status).toBe(403);
  for (const name of ['', '  ', 'x'.repeat(61)])
    expect(refusalOf(await add(name))).toEqual([400, 'INVALID_REQUEST']);
  expect(refusalOf(await add('not an agent', [marketing]))).toEqual([404, 'NO_DATA']);
  expect(refusalOf(await add('twice', [som, som]))).toEqual([400, 'INVALID_REQUEST']);
  const unknown = { name: 'unknown', members: ['x'] };
  expect(refusalOf(await operators.call(lead, 'POST', TEAMS, unknown))).toEqual([404, 'NO_DATA']);
  expect(refusalOf(await save('999999', 'nowhere'))).toEqual([404, 'NO_DATA']);
  expect(refusalOf(await remove('x'))).toEqual([404, 'NO_DATA']);
  const other = await team('Payments');
  expect(refusalOf(await add('payments'))).toEqual([409, 'CODE_TAKEN']);
  expect(refusalOf(await save(id, 'PAYMENTS'))).toEqual([409, 'CODE_TAKEN']);
  expect(refusalOf(await save(other, 'PAYMENTS'))).toEqual([200, 'OK']);
  const more = await Promise.all(Array.from({ length: CHAT_TEAMS_MAX }, (_, at) => add(`team ${at}`)));
  expect(await teams()).toHaveLength(CHAT_TEAMS_MAX);
  const refused = more.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(2);
  expect(refused[0]!.body).toEqual({ message: 'INVALID_REQUEST', data: { max: CHAT_TEAMS_MAX } });
  await Promise.all((await teams()).map((one: { id: string }) => remove(one.id)));
});

test('a conversation given to a team is unassigned, and stays its team’s when an agent takes it', async () => {
  const id = await team('Thai desk', [som, nok]);
  const [one, other] = [await waiting(), await waiting()];
  await post(lead, one, 'claim');
  expect(refusalOf(await give(lead, one, id))).toEqual([200, 'OK']);
  expect(await chat(one)).toMatchObject({ team: { id, name: 'Thai desk' }, assignee: null });
  expect((await head(one)).teams).toEqual([{ id, name: 'Thai desk' }]);
  await post(som, one, 'claim');
  expect(await chat(one)).toMatchObject({ team: { id }, assignee: { name: som.name } });
  await give(som, other, id);
  await post(nok, other, 'messages', text('good morning'));
  expect(await chat(other)).toMatchObject({ team: { id }, assignee: { name: nok.name } });
  // Back to its team, and then to all.
  await post(nok, other, 'transfer', { operator: null });
  expect(await chat(other)).toMatchObject({ team: { id }, assignee: null });
  await post(nok, other, 'claim');
  await give(nok, other, null);
  expect(await chat(other)).toMatchObject({ team: null, assignee: { name: nok.name } });
  expect(await operators.audit(`chat:${one}`)).toMatchObject([
    { action: 'chat.claim' },
    { action: 'chat.team', actor: `operator:${lead.name}`, after: { team: id } },
    { action: 'chat.claim' },
  ]);
  await finish(one, other);
  await remove(id);
});

test('refuses to give a conversation without permission, to no team, and an unknown one', async () => {
  const [id, one] = [await team('Thai desk'), await waiting()];
  expect((await give(null, one, id)).status).toBe(401);
  expect((await give(marketing, one, id)).status).toBe(403);
  expect(refusalOf(await give(som, one, '999999'))).toEqual([404, 'NO_DATA']);
  expect(refusalOf(await give(som, one, 'x'))).toEqual([404, 'NO_DATA']);
  expect(refusalOf(await give(som, '999999', id))).toEqual([404, 'NO_DATA']);
  expect(refusalOf(await post(som, one, 'team', {}))).toEqual([400, 'INVALID_REQUEST']);
  expect(await operators.audit(`chat:${one}`)).toEqual([]);
  await finish(one);
  await remove(id);
});

test('the box of the own teams has what is unassigned or waits, and its count', async () => {
  const [thai, lao] = [await team('Thai desk', [som, nok]), await team('Lao desk', [ploy])];
  const [free, taken, answered, foreign] = [
    await waiting(),
    await waiting(),
    await waiting(),
    await waiting(),
  ];
  for (const one of [free, taken, answered]) await give(lead, one, thai);
  await give(lead, foreign, lao);
  await post(nok, taken, 'claim');
  await post(nok, answered, 'messages', text('done'));
  expect(await inBox(som, 'team')).toEqual([free, taken]);
  expect((await box(som, 'box=all')).counts.team).toBe(2);
  expect(await inBox(ploy, 'team')).toEqual([foreign]);
  expect(await inBox(lead, 'team')).toEqual([]);
  expect((await box(lead, 'box=all')).counts.team).toBe(null);
  expect(await inBox(som, 'all')).toEqual(expect.arrayContaining([free, taken, answered, foreign]));
  await post(som, free, 'hold', { isHeld: true });
  expect(await inBox(som, 'team')).toEqual([taken]);
  await finish(free, taken, answered, foreign);
  expect((await box(som, 'box=team')).total).toBe(0);
  await Promise.all([remove(thai), remove(lao)]);
});

test('work of a team is offered to its members, or to all when no member may respond', async () => {
  const leaver = await operators.operator('support');
  const [own, empty, left] = [
    await team('Thai desk', [som]),
    await team('Empty desk'),
    await team('Left', [leaver]),
  ];
  await env.owner.query("update operator set status = 'SUSPENDED' where id = $1", [leaver.id]);
  const [ofTeam, ofEmpty, ofLeft, ofAll] = [
    await waiting(),
    await waiting(),
    await waiting(),
    await waiting(),
  ];
  await give(lead, ofTeam, own);
  await give(lead, ofEmpty, empty);
  await give(lead, ofLeft, left);
  expect(new Set(await work(som))).toEqual(new Set([ofTeam, ofEmpty, ofLeft, ofAll]));
  expect(new Set(await work(nok))).toEqual(new Set([ofEmpty, ofLeft, ofAll]));
  // An operator who has it keeps it, in the team or not.
  await post(nok, ofTeam, 'claim');
  expect(await work(nok)).toContain(ofTeam);
  expect(await work(som)).not.toContain(ofTeam);
  await finish(ofTeam, ofEmpty, ofLeft, ofAll);
  await Promise.all([own, empty, left].map((id) => remove(id)));
});

test('a merge keeps the team of the conversation that stays, or takes the other’s', async () => {
  const [thai, lao] = [await team('Thai desk'), await team('Lao desk')];
  const [into, first, second] = [await waiting(await env.member()), await waiting(), await waiting()];
  await give(lead, first, thai);
  await give(lead, second, lao);
  const body = { into, reason: 'the same customer' };
  await post(lead, first, 'merge', body);
  expect(await chat(into)).toMatchObject({ team: { id: thai } });
  await post(lead, second, 'merge', body);
  expect(await chat(into)).toMatchObject({ team: { id: thai } });
  await finish(into);
  await Promise.all([remove(thai), remove(lao)]);
});

test('a conversation of a team that was removed belongs to no team', async () => {
  const [id, one] = [await team('Thai desk', [som]), await waiting()];
  await give(lead, one, id);
  await remove(id);
  expect(await chat(one)).toMatchObject({ team: null, state: 'OPEN' });
  expect(await work(nok)).toContain(one);
  await finish(one);
});

test('of two saves at once the later counts whole, and one name goes to one team', async () => {
  const [id, other] = [await team('Thai desk'), await team('Lao desk')];
  const lock = { sql: 'select 1 from chat_team where id = $1 for update', id };
  const saves = [() => save(id, 'first', [som]), () => save(id, 'second', [nok, ploy])];
  expect(await together(lock, ...saves)).toEqual([
    [200, 'OK'],
    [200, 'OK'],
  ]);
  expect((await teams()).find((one: { id: string }) => one.id === id)).toMatchObject({
    name: 'second',
    members: [{ name: nok.name }, { name: ploy.name }],
  });
  expect((await operators.audit(`chat-team:${id}`)).at(-1)).toMatchObject({
    before: { name: 'first', members: [som.name] },
  });
  const names = [() => save(id, 'Night shift'), () => save(other, 'night shift'), () => add('NIGHT SHIFT')];
  expect(await together(lock, ...names)).toEqual([
    [200, 'OK'],
    [409, 'CODE_TAKEN'],
    [409, 'CODE_TAKEN'],
  ]);
  await Promise.all([remove(id), remove(other)]);
});

test('of a claim and a hand-over at once, the later decides who has it; the team stays', async () => {
  const [id, one, other] = [await team('Thai desk', [som]), await waiting(), await waiting()];
  await together(
    { sql: CHAT, id: one },
    () => post(nok, one, 'claim'),
    () => give(lead, one, id),
  );
  expect(await chat(one)).toMatchObject({ team: { id }, assignee: null });
  await together(
    { sql: CHAT, id: other },
    () => give(lead, other, id),
    () => post(nok, other, 'claim'),
  );
  expect(await chat(other)).toMatchObject({ team: { id }, assignee: { name: nok.name } });
  await finish(one, other);
  await remove(id);
});

test('a hand-over to a team that is being removed is refused; an earlier one is undone', async () => {
  const [id, one, other] = [await team('Thai desk', [som]), await waiting(), await waiting()];
  await give(lead, one, id);
  // The removal has the team and waits for its conversation.
  const tx = await env.owner.connect();
  await tx.query('begin');
  await tx.query(CHAT, [one]);
  const removal = remove(id);
  await until(async () => (await env.owner.query(LOCKS_AWAITED)).rows.length >= 1);
  expect(refusalOf(await give(nok, other, id))).toEqual([404, 'NO_DATA']);
  await tx.query('commit');
  tx.release();
  expect(refusalOf(await removal)).toEqual([200, 'OK']);
  expect(await chat(one)).toMatchObject({ team: null });
  expect(await chat(other)).toMatchObject({ team: null });
  await finish(one, other);
});

test('neither a removal, a hand-over, a message nor a merge waits for another in a circle', async () => {
  const member = await waiting(await env.member());
  for (let round = 0; round < 6; round += 1) {
    const id = await team(`round ${round}`, [som]);
    const [one, other, ended] = [await waiting(), await waiting(), await waiting()];
    await Promise.all([one, other, ended].map((each) => give(som, each, id)));
    // A message to it opens a session, which writes to the conversation twice.
    await finish(ended);
    const results = await Promise.all([
      post(som, one, 'merge', { into: member, reason: 'the same customer' }),
      remove(id),
      post(som, ended, 'messages', text('one more thing')),
      give(nok, other, id),
      post(nok, other, 'merge', { into: member, reason: 'the same customer' }),
      give(lead, member, id),
    ]);
    expect(results.filter(({ status }) => status >= 500)).toEqual([]);
    expect(results[1]!.status).toBe(200);
    for (const each of [member, ended]) expect(await chat(each)).toMatchObject({ team: null });
    await finish(ended);
  }
  await finish(member);
});
