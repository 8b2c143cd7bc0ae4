import { DAY_MS, HOUR_MS } from '@krapao/contract/durations';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { madeFilm } from '../content/testing-files.ts';
import { chatHelpers } from './testing-chat.ts';

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
const text = (message: string, id?: string) => ({
  message: { message_type: 'text', payload: { message }, ...(id ? { deliver: { id } } : {}) },
});
const box = async (as: TestOperator, query: string) =>
  (await operators.call(as, 'GET', `/api/operator/chats?${query}`)).body;
const head = async (id: string) => (await operators.call(som, 'GET', `/api/operator/chats/${id}`)).body;
/** The conversation that contains this message. */
async function chatOf(texts: string): Promise<string> {
  const { chats } = await box(som, `q=${encodeURIComponent(texts)}`);
  expect(chats).toHaveLength(1);
  return chats[0].id;
}

test('the name an agent signs in with reaches neither a member nor a guest, in history or events', async () => {
  const [member, visitor] = [await env.member(), guest()];
  for (const [who, room, token] of [
    [member, member.id, member.token],
    [visitor, visitor.guestId, undefined],
  ] as const) {
    const screen = await listen([`${PREFIX}-${room}`], token);
    await say(who, `who are you ${room}`);
    await post(som, await chatOf(`who are you ${room}`), 'messages', text('your agent'));
    await expect.poll(() => screen.received.length).toBe(2);
    const shown = [...(await history(who)), ...screen.received];
    expect(shown.filter(({ sender }) => sender === 'agent')).toMatchObject(
      Array(2).fill({ name: null, username: null }),
    );
    expect(JSON.stringify(shown)).not.toContain(som.name);
  }
});

test('delivers an agent’s response to a waiting customer at once and assigns the conversation to that agent', async () => {
  const member = await env.member();
  const phone = await listen([`${PREFIX}-${member.id}`], member.token);
  await say(member, 'where is my money');
  const id = await chatOf('where is my money');
  expect((await head(id)).isThere).toBe(true);
  expect((await box(som, 'box=unassigned')).chats.map((chat: { id: string }) => chat.id)).toContain(id);
  expect((await head(id)).chat).toMatchObject({
    member: { id: String(member.id) },
    unread: 1,
    waitingSince: expect.any(String),
    assignee: null,
  });
  expect((await post(null, id, 'messages', text('no'))).status).toBe(401);
  for (const withoutPermission of [marketing, auditor])
    expect((await post(withoutPermission, id, 'messages', text('no'))).status).toBe(403);
  const first = await post(som, id, 'messages', text('let me look', 'a-1'));
  expect((await post(som, id, 'messages', text('let me look', 'a-1'))).body).toEqual(first.body);
  await expect
    .poll(() => phone.received.map((item) => item.message.payload.message))
    .toEqual(['where is my money', 'let me look']);
  expect(await unread(member)).toMatchObject({ unread: 1, isOpen: true });
  expect((await head(id)).chat).toMatchObject({ waitingSince: null, assignee: { name: som.name } });
  expect((await post(nok, id, 'claim')).body.message).toBe('ROW_CHANGED');
  expect((await post(nok, id, 'messages', text('me too'))).body.message).toBe('CLAIMED');
  await post(som, id, 'read');
  await post(som, id, 'typing');
  await expect.poll(() => phone.events.map(({ kind }) => kind)).toEqual(['read', 'typing']);
  expect((await unread(member)).readUpTo).toBe((await history(member)).at(-1)._id);
  phone.socket.disconnect();
  await expect.poll(async () => (await head(id)).isThere).toBe(false);
});

test('a conversation is found by the phone number of its member, in any spelling, and by its last four digits', async () => {
  const member = await env.member();
  await say(member, 'which number is mine');
  const id = await chatOf('which number is mine');
  const { phone } = member;
  const dashed = `${phone.slice(0, 3)}-${phone.slice(3, 6)}-${phone.slice(6)}`;
  for (const typed of [phone, dashed, `+66${phone.slice(1)}`, phone.slice(-4)]) {
    const { chats } = await box(som, `q=${encodeURIComponent(typed)}`);
    expect({ typed, found: chats.map((chat: { id: string }) => chat.id) }).toEqual({ typed, found: [id] });
  }
  expect((await box(som, `q=${phone.slice(0, -1)}`)).chats).toEqual([]);
});

test('a search finds what was written, not the names of fields or the kind of a message', async () => {
  const visitor = guest();
  await say(visitor, 'no such thing');
  const id = await chatOf('no such thing');
  const ids = async (q: string) => (await box(som, `q=${q}`)).chats.map((chat: { id: string }) => chat.id);
  for (const q of ['text', 'payload', 'message_type', 'message']) expect([q, await ids(q)]).toEqual([q, []]);
  await say(visitor, 'please text me');
  await say(visitor, 'thank you');
  expect(await ids('text')).toEqual([id]);
});

test('messages after the last one a customer saw stay unread, also with a late read report', async () => {
  const member = await env.member();
  await say(member, 'is anybody there');
  const id = await chatOf('is anybody there');
  await post(som, id, 'messages', text('seen'));
  const seen = (await history(member))[0]._id;
  await post(som, id, 'messages', text('said as the panel closed'));
  await read(member, seen);
  expect((await unread(member)).unread).toBe(1);
  await read(member);
  expect((await unread(member)).unread).toBe(0);
});

test('shows a waiting customer whose message has no text', async () => {
  for (const payload of [
    { title: '', message: 'HELP_ME' },
    { title: ' ', message: '' },
  ]) {
    const visitor = guest();
    expect((await send(visitor, { message_type: 'postback', payload })).status).toBe(200);
    const last = (await box(som, 'box=unassigned&limit=100')).chats.map(
      (chat: { lastWords: string }) => chat.lastWords,
    );
    expect(last).toContain(payload.message || '…');
  }
});

test('agents open a customer’s file by the link in its message; other operators are refused', async () => {
  const member = await env.member();
  const { path } = (await upload('film.mp4', madeFilm(4_000), 'video')).body;
  await say(member, 'look at my film');
  await send(member, {
    message_type: 'media',
    payload: { message: 'film.mp4', url: true, fileType: 'video', filePath: path },
  });
  const id = await chatOf('look at my film');
  const [line] = (await operators.call(som, 'GET', `/api/operator/chats/${id}/messages?limit=1`)).body
    .messages;
  const link: string = line.message.payload.filePath;
  const film = await operators.call(som, 'GET', link, undefined, { range: 'bytes=0-9' });
  expect([film.status, film.headers['content-type']]).toEqual([206, 'video/mp4']);
  expect((await operators.call(auditor, 'GET', link)).status).toBe(200);
  expect((await operators.call(null, 'GET', link)).status).toBe(401);
  expect((await operators.call(marketing, 'GET', link)).status).toBe(403);
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect((await operators.call(som, 'GET', link, undefined, foreign)).status).toBe(403);
  expect((await operators.call(som, 'GET', link.replace(/sign=./, 'sign=~'))).body.message).toBe('NO_DATA');
});

test('delivers every message kind an agent may send as built, and rejects scripts', async () => {
  const visitor = guest();
  await say(visitor, 'show me everything');
  const id = await chatOf('show me everything');
  const button = { title: 'ดูสลิป', type: 'web', payload: '/user/statement' };
  const kinds = [
    { message_type: 'buttons', payload: { message: 'เลือก', buttons: [button] } },
    {
      message_type: 'quick_replies',
      payload: { message: 'ดีไหม', buttons: [{ ...button, type: 'postback', payload: 'YES' }] },
    },
    {
      message_type: 'generic',
      payloads: [{ image_url: '/media/x.jpg', title: 'การ์ด', subtitle: 'รอง', buttons: [button] }],
    },
  ];
  for (const message of kinds) expect((await post(som, id, 'messages', { message })).status).toBe(200);
  const shown = (await history(visitor)).slice(0, 3).toReversed();
  expect(
    shown.map(({ message: { deliver: _deliver, ...message } }: { message: { deliver: unknown } }) => message),
  ).toEqual(kinds);
  const evil = (payload: string) => ({
    message: { message_type: 'buttons', payload: { message: 'x', buttons: [{ ...button, payload }] } },
  });
  for (const link of ['javascript:alert(1)', 'http://plain.example', '//evil.example', 'data:text/html,x'])
    expect((await post(som, id, 'messages', evil(link))).status).toBe(400);
  const card = kinds[2]!.payloads![0]!;
  for (const wrong of [
    { image_url: 'javascript:alert(1)' },
    { image_url: 'https://evil.example/x.png' },
    { image_url: '/media/../api/operator/export/members.csv' },
    { image_url: 'data:image/svg+xml,<svg onload=alert(1)>' },
    { buttons: [{ ...button, payload: 'JavaScript:alert(1)' }] },
    { buttons: [{ ...button, type: 'call', payload: 'javascript:alert(1)' }] },
    { buttons: [{ ...button, type: 'script' }] },
  ]) {
    const message = { message_type: 'generic', payloads: [{ ...card, ...wrong }] };
    expect((await post(som, id, 'messages', { message })).status, JSON.stringify(wrong)).toBe(400);
  }
  expect(
    (await send(visitor, { message_type: 'postback', payload: { title: 'ดี', message: 'YES' } })).status,
  ).toBe(200);
});

test('a card shows one picture that was uploaded for it, by a link of its own', async () => {
  const visitor = guest();
  await say(visitor, 'send me a card');
  const id = await chatOf('send me a card');
  const png = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#0b5d4e' } })
    .png()
    .toBuffer();
  const [first, second] = [(await upload('a.png', png)).body.path, (await upload('b.png', png)).body.path];
  const film = (await upload('film.mp4', madeFilm(4_000), 'video')).body.path;
  const card = (image_url: string) => ({ image_url, title: 'card', subtitle: '', buttons: [] });
  const sent = async (...pictures: string[]) =>
    (await post(som, id, 'messages', { message: { message_type: 'generic', payloads: pictures.map(card) } }))
      .status;
  expect(await sent(film)).toBe(400);
  expect(await sent(first, second)).toBe(400);
  expect(await sent(first, '')).toBe(200);
  expect(await sent(first)).toBe(400);
  const [{ message }] = await history(visitor);
  expect(message.payloads.map(({ image_url }: { image_url: string }) => image_url)).toEqual([
    expect.stringMatching(/^\/api\/file\/[\w-]{24}\?/),
    '',
  ]);
  const picture = await fetch(env.url + message.payloads[0].image_url);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
});

test('a conversation is handed on, put aside, noted and tagged; customers see none of it', async () => {
  const visitor = guest();
  await say(visitor, 'hand me on');
  const id = await chatOf('hand me on');
  await post(som, id, 'claim');
  expect((await post(som, id, 'transfer', { operator: String(marketing.id) })).status).toBe(404);
  expect((await post(som, id, 'transfer', { operator: String(nok.id) })).status).toBe(200);
  expect((await box(nok, 'box=mine')).chats.map((chat: { id: string }) => chat.id)).toContain(id);
  await post(nok, id, 'notes', { text: 'knows the boss' });
  await post(nok, id, 'tags', { added: ['deposit', 'vip'], removed: [] });
  expect((await box(nok, 'box=mine&tag=vip')).chats).toHaveLength(1);
  await post(nok, id, 'snooze', { until: new Date(Date.now() + HOUR_MS).toISOString() });
  expect((await box(nok, 'box=snoozed')).chats.map((chat: { id: string }) => chat.id)).toContain(id);
  expect((await box(nok, 'box=mine')).chats.map((chat: { id: string }) => chat.id)).not.toContain(id);
  const lines = (await operators.call(nok, 'GET', `/api/operator/chats/${id}/messages?limit=5`)).body
    .messages;
  expect(lines[0]).toMatchObject({
    sender: 'note',
    by: nok.name,
    message: { payload: { message: 'knows the boss' } },
  });
  expect(await history(visitor)).toHaveLength(1);
  await say(visitor, 'still there');
  expect((await head(id)).chat).toMatchObject({ state: 'OPEN', tags: ['deposit', 'vip'] });
  const trail = (await operators.audit(`chat:${id}`)).map(({ action }) => action);
  expect(trail).toEqual(['chat.claim', 'chat.transfer', 'chat.note', 'chat.tag', 'chat.snooze']);
});

test('tags that two agents change at once are both changed; ten stay the most', async () => {
  await say(guest(), 'tagged by two');
  const id = await chatOf('tagged by two');
  const change = (as: TestOperator, added: string[], removed: string[] = []) =>
    post(as, id, 'tags', { added, removed });
  await change(som, ['new', 'late']);
  await Promise.all([change(som, [' deposit '], ['late']), change(nok, ['vip'])]);
  const { tags } = (await head(id)).chat;
  expect(tags.toSorted()).toEqual(['deposit', 'new', 'vip']);
  const eight = Array.from({ length: 8 }, (_, at) => `tag ${at}`);
  expect((await change(som, eight)).body.message).toBe('TAGS_MAX');
  expect((await change(som, eight, ['new'])).status).toBe(200);
  // A merge may leave more; then a change may remove some without coming to ten.
  await env.owner.query("update chat_conversation set tags = tags || '{more,many}' where id = $1", [id]);
  expect((await change(nok, ['one'], ['more', 'vip'])).status).toBe(200);
  expect((await change(nok, ['two'])).body.message).toBe('TAGS_MAX');
  expect((await change(som, [...eight, 'a', 'b', 'c'])).body.message).toBe('INVALID_REQUEST');
});

test('an ended conversation requests a rating once; writing again opens the next session, and so does an agent', async () => {
  const member = await env.member();
  await say(member, 'thank you bye');
  const id = await chatOf('thank you bye');
  await post(som, id, 'messages', text('with pleasure'));
  expect((await post(som, id, 'end')).status).toBe(200);
  expect((await post(som, id, 'end')).body.message).toBe('ROW_CHANGED');
  const [question] = await history(member);
  const best = question.message.payload.buttons[0];
  const tap = { message_type: 'postback', payload: { title: best.title, message: best.payload } };
  expect((await send(member, tap)).body.session_id).toBe(question.session_id);
  expect((await head(id)).sessions[0]).toMatchObject({ endedBy: som.name, rating: 5 });
  expect((await head(id)).chat.state).toBe('ENDED');
  // A second tap, and forty at once, change the rating and open nothing; the same tap again is the same message.
  const worst = question.message.payload.buttons.at(-1);
  const again = {
    message_type: 'postback',
    payload: { title: worst.title, message: worst.payload },
    deliver: { id: 'tap' },
  };
  const responses = await Promise.all(Array.from({ length: 20 }, () => send(member, again)));
  expect(new Set(responses.map(({ body }) => body._id)).size).toBe(1);
  expect((await head(id)).sessions).toHaveLength(1);
  expect((await head(id)).sessions[0]).toMatchObject({ rating: 1 });
  await post(som, id, 'notes', { text: 'was no trouble' });
  expect((await head(id)).chat.state).toBe('ENDED');
  // No caller can rate another's session.
  const other = await env.member();
  expect((await send(other, tap)).body.message).toBe('INVALID_REQUEST');
  expect(await history(other)).toEqual([]);
  expect((await send(member, tap)).status).toBe(200);
  expect((await head(id)).sessions[0].rating).toBe(5);
  expect((await post(som, id, 'reopen')).status).toBe(200);
  expect((await head(id)).chat.state).toBe('OPEN');
  // A late rating is placed among the current messages and does not split them.
  const next = (await say(member, 'one more thing')).body.session_id;
  expect((await send(member, tap)).body.session_id).toBe(next);
});

test('figures count a session for the agent of the first response, independently of its end', async () => {
  const [nid, lek] = [await operators.operator('support'), await operators.operator('support')];
  const [member, other] = [await env.member(), await env.member()];
  await say(member, 'first of two sessions');
  const id = await chatOf('first of two sessions');
  await post(nid, id, 'messages', text('looking'));
  await post(nid, id, 'transfer', { operator: String(lek.id) });
  await post(lek, id, 'end');
  const [question] = await history(member);
  const [best] = question.message.payload.buttons;
  const tap = { message_type: 'postback', payload: { title: best.title, message: best.payload } };
  await send(member, tap);
  await say(other, 'second of two sessions');
  await post(nid, await chatOf('second of two sessions'), 'messages', text('looking too'));
  const figures = (await operators.call(auditor, 'GET', '/api/operator/figures/chats')).body;
  const of = (agent: TestOperator) => figures.rows.find((row: { agent: string }) => row.agent === agent.name);
  expect(of(nid)).toMatchObject({ sessions: 2, answered: 2, rated: 1, rating: 5 });
  expect(of(lek)).toBeUndefined();
  // The conversations behind the figures, also ended ones.
  const days = {
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date(Date.now() + DAY_MS).toISOString(),
  };
  const behind = async (filter: Record<string, string>) =>
    (await box(som, `${new URLSearchParams({ ...days, ...filter })}`)).chats.map(
      (chat: { id: string }) => chat.id,
    );
  const both = await behind({ agent: nid.name });
  expect(both.toSorted()).toEqual([id, await chatOf('second of two sessions')].toSorted());
  expect(await behind({ agent: lek.name })).toEqual([]);
  expect(await behind({ agent: nid.name, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' })).toEqual(
    [],
  );
  await say(await env.member(), 'no agent has seen it');
  expect(await behind({ agent: 'no-agent' })).toContain(await chatOf('no agent has seen it'));
});

test('sessions are looked for in at most as many days as a report covers', async () => {
  const message = async (query: string) => (await box(som, query)).message;
  const from = 'from=2026-01-01T00:00:00Z';
  for (const wrong of [
    'agent=som',
    `agent=som&${from}`,
    from,
    'to=2026-01-02T00:00:00Z',
    `${from}&to=2026-04-04T00:00:00Z`,
  ])
    expect([wrong, await message(wrong)]).toEqual([wrong, 'INVALID_REQUEST']);
  expect((await box(som, `agent=som&${from}&to=2026-04-03T00:00:00Z`)).chats).toEqual([]);
});

test('merges the conversation of a guest who logs in, also for agents', async () => {
  const [member, visitor] = [await env.member(), guest()];
  await say(visitor, 'before logging in');
  const before = await chatOf('before logging in');
  await env.call(
    'POST',
    '/api/chat/history',
    { limit: 1, skip: 0, guestId: visitor.guestId },
    { token: member.token },
  );
  const after = await chatOf('before logging in');
  expect(after).not.toBe(before);
  expect((await head(after)).chat.member).toEqual({ id: String(member.id), name: expect.any(String) });
  expect((await operators.call(som, 'GET', `/api/operator/chats/${before}`)).status).toBe(404);
});

test('ready replies are stored by a shortcut', async () => {
  const lead = await operators.operator('finance-lead');
  const put = (as: TestOperator, shortcut: string) =>
    operators.call(as, 'PUT', `/api/operator/canned/${shortcut}`, { text: 'สวัสดีค่ะ' });
  expect((await put(som, 'hello')).status).toBe(403);
  expect((await put(lead, 'Not A Word')).status).toBe(400);
  expect((await put(lead, 'hello')).status).toBe(200);
  expect((await operators.call(som, 'GET', '/api/operator/canned')).body.canned).toEqual([
    { id: 'hello', shortcut: 'hello', text: 'สวัสดีค่ะ' },
  ]);
  expect((await operators.call(lead, 'DELETE', '/api/operator/canned/hello')).status).toBe(200);
  expect((await operators.call(lead, 'DELETE', '/api/operator/canned/hello')).status).toBe(404);
});
