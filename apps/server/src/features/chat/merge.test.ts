import { afterAll, expect, test } from 'vitest';
import { LOCKS_AWAITED } from '../../testing/locks.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { madeFilm } from '../content/testing-files.ts';
import { chatHelpers } from './testing-chat.ts';
import { hashGuestId } from './who.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { guest, say, send, history, unread, read, upload, listen, closeSockets } = chatHelpers(env);
const { PREFIX } = (await env.call('GET', '/api/chat/config')).body;
const [som, nok, marketing, auditor] = (await Promise.all(
  ['support', 'support', 'marketing', 'auditor'].map((role) => operators.operator(role)),
)) as [TestOperator, TestOperator, TestOperator, TestOperator];
afterAll(closeSockets);

const post = (as: TestOperator | null, id: string, what: string, body: object = {}) =>
  operators.call(as, 'POST', `/api/operator/chats/${id}/${what}`, body);
const text = (message: string) => ({ message: { message_type: 'text', payload: { message } } });
const box = async (as: TestOperator, query: string) =>
  (await operators.call(as, 'GET', `/api/operator/chats?${query}`)).body;
const head = async (id: string) => (await operators.call(som, 'GET', `/api/operator/chats/${id}`)).body;
/** The conversation that contains this message. */
async function chatOf(texts: string): Promise<string> {
  const { chats } = await box(som, `q=${encodeURIComponent(texts)}`);
  expect(chats).toHaveLength(1);
  return chats[0].id;
}
const reason = 'knows the deposits of the member';
const merge = (as: TestOperator | null, id: string, into: string, body: object = {}) =>
  post(as, id, 'merge', { into, reason, ...body });
const lines = async (id: string): Promise<string[]> =>
  (await operators.call(som, 'GET', `/api/operator/chats/${id}/messages`)).body.messages.map(
    (one: { message: { payload: { message: string } } }) => one.message.payload.message,
  );
const textsOf = (items: { message: { payload: { message: string } } }[]) =>
  items.map(({ message }) => message.payload.message);
const begin = async (who: Parameters<typeof say>[0], texts: string) => {
  await say(who, texts);
  return chatOf(texts);
};

/**
 * Begins two calls while a conversation is locked, and releases it once both wait: the first is served first. Of more, those
 * behind the first would be served in any order, as PostgreSQL has no queue for a row that has changed.
 */
async function together(
  id: string,
  ...calls: [() => Promise<unknown>, () => Promise<unknown>]
): Promise<void> {
  const tx = await env.owner.connect();
  try {
    await tx.query('begin');
    await tx.query('select 1 from chat_conversation where id = $1 for update', [id]);
    const working: Promise<unknown>[] = [];
    for (const call of calls) {
      working.push(call());
      await until(async () => (await env.owner.query(LOCKS_AWAITED)).rows.length >= working.length);
    }
    await tx.query('commit');
    await Promise.all(working);
  } finally {
    tx.release();
  }
}

test('moves messages, notes, files, tags and the waiting time into the conversation of the member', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member, 'the member asked first');
  await post(nok, into, 'messages', text('a reply to the member'));
  await post(nok, into, 'tags', { added: ['vip'], removed: [] });
  const from = await begin(visitor, 'a guest who is the member');
  const { path } = (await upload('film.mp4', madeFilm(4_000), 'video')).body;
  const payload = { message: 'film.mp4', url: true, fileType: 'video', filePath: path };
  await send(visitor, { message_type: 'media', payload });
  await post(som, from, 'tags', { added: ['deposit', 'vip'], removed: [] });
  await post(som, from, 'notes', { text: 'the voice is the same' });
  const { waitingSince, guest: shortName } = (await head(from)).chat;
  const phone = await listen([`${PREFIX}-${member.id}`], member.token);

  expect((await merge(som, from, into)).body).toEqual({ message: 'OK' });

  expect((await head(into)).chat).toMatchObject({
    state: 'OPEN',
    waitingSince,
    unread: 3,
    assignee: { name: nok.name },
    tags: expect.arrayContaining(['vip', 'deposit']),
    lastWords: 'film.mp4',
  });
  expect(await lines(into)).toEqual([
    'the voice is the same',
    'film.mp4',
    'a guest who is the member',
    'a reply to the member',
    'the member asked first',
  ]);
  expect(textsOf(await history(member))).not.toContain('the voice is the same');
  expect(textsOf(await history(member))).toContain('a guest who is the member');
  expect((await head(into)).sessions.map(({ endedBy }: { endedBy: string }) => endedBy)).toEqual([
    'merged',
    null,
  ]);
  expect((await operators.call(som, 'GET', `/api/operator/chats/${from}`)).status).toBe(404);
  await expect.poll(() => phone.events.map(({ kind }) => kind)).toEqual(['merged']);
  expect((await operators.audit(`chat:${from}`)).at(-1)).toMatchObject({
    action: 'chat.merge',
    actor: `operator:${som.name}`,
    before: { guest: shortName, state: 'OPEN', assignee: null, tags: ['deposit', 'vip'] },
    after: { into, member: String(member.id) },
    reason,
  });
});

test('gives the guest’s browser nothing of the member: no reading, no writing, no live events', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member, 'a secret of the member');
  await post(nok, into, 'messages', text('a reply for the member only'));
  const from = await begin(visitor, 'a guest who may be anybody');
  await post(som, from, 'messages', text('a reply to the guest'));
  const screen = await listen([`${PREFIX}-${visitor.guestId}`]);
  expect((await merge(som, from, into)).status).toBe(200);

  expect(await history(visitor)).toEqual([]);
  expect(await unread(visitor)).toEqual({ unread: 0, isOpen: false, readUpTo: null });
  const before = (await head(into)).customerReadUpTo;
  expect((await read(visitor)).status).toBe(200);
  expect((await head(into)).customerReadUpTo).toBe(before);
  await post(nok, into, 'messages', text('another reply for the member only'));
  await say(member, 'another secret of the member');
  // The same secret begins another conversation, whose replies reach the socket that is open.
  await say(visitor, 'the guest goes on');
  const next = await chatOf('the guest goes on');
  expect([from, into]).not.toContain(next);
  expect((await head(next)).chat).toMatchObject({ member: null, state: 'OPEN' });
  await post(som, next, 'messages', text('a reply in the new conversation'));
  // The reply before the merge may reach the socket late: it is the guest's own.
  const received = () => textsOf(screen.received).filter((one) => one !== 'a reply to the guest');
  await expect.poll(received).toEqual(['the guest goes on', 'a reply in the new conversation']);
  expect(screen.events).toEqual([{ kind: 'merged' }]);
  expect(textsOf(await history(visitor))).toEqual(['a reply in the new conversation', 'the guest goes on']);
  expect(await lines(into)).not.toContain('the guest goes on');
  // A member who logs in with the secret later takes along what came after the merge, and nothing else.
  const other = await env.member();
  const body = { limit: 10, skip: 0, guestId: visitor.guestId };
  const own = (await env.call('POST', '/api/chat/history', body, { token: other.token })).body;
  expect(textsOf(own)).toEqual(['a reply in the new conversation', 'the guest goes on']);
});

test('keeps a message on its way to the guest’s screen from naming the member', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member, 'a member with a name');
  const from = await begin(visitor, 'a guest without a name');
  const screen = await listen([`${PREFIX}-${visitor.guestId}`]);
  const { _id } = (await history(visitor))[0];
  // Events arrive in their order: with this one all before it are there.
  await say(visitor, 'the screen listens');
  await expect.poll(() => textsOf(screen.received)).toContain('the screen listens');
  screen.received.length = 0;
  await merge(som, from, into);
  await env.owner.query(
    `select pg_notify('member_event', jsonb_build_array(jsonb_build_object('room', 'guest-' || $1::text,
       'event', 'messaging', 'payload', jsonb_build_object('id', $2::bigint)))::text)`,
    [hashGuestId(visitor.guestId).toString('hex'), _id],
  );
  await say(visitor, 'what follows arrives');
  await expect.poll(() => textsOf(screen.received)).toEqual(['what follows arrives']);
});

test('joins two conversations of one guest; the one merged away opens nothing of the other', async () => {
  const [first, second] = [guest(), guest()];
  const into = await begin(first, 'from the phone of the guest');
  const from = await begin(second, 'from the computer of the guest');
  await post(som, into, 'end');
  expect((await merge(som, from, into)).status).toBe(200);
  expect(await lines(into)).toContain('from the computer of the guest');
  expect((await head(into)).chat.state).toBe('OPEN');
  expect(textsOf(await history(first))).toContain('from the computer of the guest');
  expect(await history(second)).toEqual([]);
  await say(second, 'again from the computer');
  expect(await chatOf('again from the computer')).not.toBe(into);
  // A conversation that absorbed another can be merged again, by an operator or at login.
  const member = await env.member();
  const body = { limit: 10, skip: 0, guestId: first.guestId };
  const own = (await env.call('POST', '/api/chat/history', body, { token: member.token })).body;
  expect(textsOf(own)).toContain('from the computer of the guest');
  expect(textsOf(await history(second))).toEqual(['again from the computer']);
});

test('finds a guest’s conversation by its short name', async () => {
  const id = await begin(guest(), 'who am I here');
  const { chats } = await box(som, `q=${(await head(id)).chat.guest}`);
  expect(chats.map((chat: { id: string }) => chat.id)).toContain(id);
});

test('refuses other conversations, other roles and other agents’ conversations', async () => {
  const [member, visitor, other] = [await env.member(), guest(), guest()];
  const own = await begin(member, 'refused of a member');
  const from = await begin(visitor, 'refused of a guest');
  const into = await begin(other, 'refused of another guest');
  const refused = async (...call: Parameters<typeof merge>) => {
    const { status, body } = await merge(...call);
    return [status, body.message];
  };
  expect(await refused(null, from, into)).toEqual([401, expect.any(String)]);
  for (const withoutPermission of [marketing, auditor])
    expect(await refused(withoutPermission, from, into)).toEqual([403, expect.any(String)]);
  expect(await refused(som, from, from)).toEqual([400, 'INVALID_REQUEST']);
  expect(await refused(som, own, into)).toEqual([400, 'INVALID_REQUEST']);
  expect(await refused(som, from, into, { reason: '' })).toEqual([400, 'INVALID_REQUEST']);
  expect(await refused(som, from, '999999')).toEqual([404, 'NO_DATA']);
  expect(await refused(som, from, 'x')).toEqual([404, 'NO_DATA']);
  expect(await refused(som, '999999', into)).toEqual([404, 'NO_DATA']);
  await post(nok, from, 'claim');
  expect((await merge(som, from, into)).body).toEqual({ message: 'CLAIMED', data: { by: nok.name } });
  expect(await operators.audit(`chat:${from}`)).toHaveLength(1);
  expect(await refused(nok, from, into)).toEqual([200, 'OK']);
  // A repeat changes nothing, and what was merged away takes nothing.
  expect((await merge(nok, from, into)).body).toEqual({
    message: 'ROW_CHANGED',
    data: { state: 'MERGED' },
  });
  expect(await refused(nok, into, from)).toEqual([409, 'ROW_CHANGED']);
  expect(await operators.audit(`chat:${from}`)).toHaveLength(2);
  expect((await lines(into)).filter((one) => one === 'refused of a guest')).toHaveLength(1);
});

test('of two merges at once one succeeds, also when each would take the other’s conversation', async () => {
  const [one, other, third] = await Promise.all(
    ['race of the one', 'race of the other', 'race of the third'].map((texts) => begin(guest(), texts)),
  );
  const results = await Promise.all([
    merge(som, one!, other!),
    merge(nok, other!, one!),
    merge(som, one!, third!),
    merge(nok, one!, third!),
  ]);
  const codes = results.map(({ body }) => body.message);
  expect(codes.filter((code) => code !== 'OK' && code !== 'ROW_CHANGED')).toEqual([]);
  expect(codes.slice(0, 2).filter((code) => code === 'OK').length).toBeLessThanOrEqual(1);
  const { chats } = await box(som, 'q=race');
  const stored = (await Promise.all(chats.map(({ id }: { id: string }) => lines(id)))).flat();
  expect(stored.toSorted()).toEqual(['race of the one', 'race of the other', 'race of the third']);
  expect(chats).toHaveLength(3 - codes.filter((code) => code === 'OK').length);
});

test('a guest’s message before the merge moves along', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member, 'earlier with the member');
  const from = await begin(visitor, 'earlier with the guest');
  await together(
    from,
    () => say(visitor, 'earlier than the merge'),
    () => merge(som, from, into),
  );
  expect((await lines(into)).toSorted()).toEqual([
    'earlier than the merge',
    'earlier with the guest',
    'earlier with the member',
  ]);
  expect(await history(visitor)).toEqual([]);
});

test('a guest’s message that waits for the merge begins a new conversation', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member, 'meanwhile with the member');
  const from = await begin(visitor, 'meanwhile with the guest');
  await together(
    from,
    () => merge(som, from, into),
    () => say(visitor, 'meanwhile just after'),
  );
  expect((await lines(into)).toSorted()).toEqual(['meanwhile with the guest', 'meanwhile with the member']);
  expect(textsOf(await history(visitor))).toEqual(['meanwhile just after']);
});

test('an agent’s message that waits for the merge is refused and reaches no member', async () => {
  const [member, visitor] = [await env.member(), guest()];
  const into = await begin(member, 'overtaken with the member');
  const from = await begin(visitor, 'overtaken with the guest');
  let late: Awaited<ReturnType<typeof post>> | undefined;
  await together(
    from,
    () => merge(som, from, into),
    async () => {
      late = await post(nok, from, 'messages', text('overtaken by the merge'));
    },
  );
  expect([late?.status, late?.body.message]).toEqual([404, 'NO_DATA']);
  expect(textsOf(await history(member))).not.toContain('overtaken by the merge');
});

test('of a merge by an operator and one at login, whichever is first counts', async () => {
  const [member, other, visitor] = [await env.member(), await env.member(), guest()];
  const into = await begin(member, 'decided by an operator');
  const from = await begin(visitor, 'decided at login');
  const login = () =>
    env.call(
      'POST',
      '/api/chat/history',
      { limit: 1, skip: 0, guestId: visitor.guestId },
      { token: other.token },
    );
  await together(from, () => merge(som, from, into), login);
  expect(textsOf(await history(other))).toEqual([]);
  expect(textsOf(await history(member))).toEqual(['decided at login', 'decided by an operator']);
});
