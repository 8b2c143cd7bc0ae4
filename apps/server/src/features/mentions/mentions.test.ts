import { expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { mentionedNames } from './record.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const [author, lead, marketing] = await Promise.all(
  ['support', 'finance-lead', 'marketing'].map((role) => operators.operator(role)),
);
const mentionsOf = async (as: TestOperator) =>
  (await operators.call(as, 'GET', '/api/operator/mentions')).body.mentions;
const note = (path: string, text: string) =>
  operators.call(author!, 'POST', `/api/operator/${path}/notes`, { text });

test('names behind an @ are read from a note, once each', () => {
  expect(mentionedNames('@som, ask @lead.two. And @som again')).toEqual(['som', 'lead.two']);
  expect(mentionedNames('mail som@lead.example or @Som, @ and ถาม@som')).toEqual([]);
  expect(mentionedNames('ถาม @som ด้วย')).toEqual(['som']);
});

test('a mentioned operator finds the note until they have seen it; others do not', async () => {
  const member = await env.member();
  await note(`members/${member.id}`, `@${lead!.name} @${author!.name} @nobody please call`);
  const [mention, ...others] = await mentionsOf(lead!);
  expect(others).toEqual([]);
  expect(mention).toMatchObject({
    by: author!.name,
    subject: `member:${member.id}`,
    memberName: 'ทดสอบ ระบบ',
    excerpt: `@${lead!.name} @${author!.name} @nobody please call`,
  });
  expect(await mentionsOf(author!)).toEqual([]);
  const see = (as: TestOperator) => operators.call(as, 'POST', `/api/operator/mentions/${mention.id}/seen`);
  expect((await see(author!)).body.message).toBe('NO_DATA');
  for (let times = 0; times < 2; times++) expect((await see(lead!)).status).toBe(200);
  expect(await mentionsOf(lead!)).toEqual([]);
});

test('an operator is not mentioned in a subject that they may not open', async () => {
  const member = await env.member();
  await note(`members/${member.id}`, `@${marketing!.name} look`);
  expect(await mentionsOf(marketing!)).toEqual([]);
});

test('reading after a permission ended: what was mentioned before is not shown any more', async () => {
  const [member, reader] = [await env.member(), await operators.operator('support')];
  await note(`members/${member.id}`, `@${reader.name} a private matter`);
  expect(await mentionsOf(reader)).toHaveLength(1);
  await env.owner.query("update operator set role = 'marketing' where name = $1", [reader.name]);
  expect(await mentionsOf(reader)).toEqual([]);
});

test('a note in a conversation mentions with the conversation as its subject', async () => {
  const member = await env.member();
  const message = { message_type: 'text', payload: { message: 'hello' } };
  await env.call('POST', '/api/chat/send-message', { message }, { token: member.token });
  const { chats } = (await operators.call(author!, 'GET', `/api/operator/chats?member=${member.id}`)).body;
  await note(`chats/${chats[0].id}`, `what do you say, @${lead!.name}?`);
  expect(await mentionsOf(lead!)).toMatchObject([
    { subject: `chat:${chats[0].id}`, memberName: 'ทดสอบ ระบบ', by: author!.name },
  ]);
});

test('a mention in a guest’s conversation leads to the conversation that it was merged into', async () => {
  const reader = await operators.operator('support');
  const post = (path: string, body: object) =>
    operators.call(author!, 'POST', `/api/operator/chats/${path}`, body);
  const guestChat = async () => {
    const guestId = crypto.randomUUID();
    const message = { message_type: 'text', payload: { message: `hello ${guestId}` } };
    await env.call('POST', '/api/chat/send-message', { guestId, message });
    const { chats } = (await operators.call(author!, 'GET', `/api/operator/chats?q=${guestId}`)).body;
    return { guestId, id: chats[0].id };
  };
  const [first, second] = [await guestChat(), await guestChat()];
  await note(`chats/${first.id}`, `who is this, @${reader.name}?`);
  expect((await post(`${first.id}/merge`, { into: second.id, reason: 'one person' })).status).toBe(200);
  expect(await mentionsOf(reader)).toMatchObject([{ subject: `chat:${second.id}`, memberName: null }]);
  // The guest logs in.
  const member = await env.member();
  const body = { limit: 10, skip: 0, guestId: second.guestId };
  expect((await env.call('POST', '/api/chat/history', body, { token: member.token })).status).toBe(200);
  const { chats } = (await operators.call(author!, 'GET', `/api/operator/chats?member=${member.id}`)).body;
  expect(await mentionsOf(reader)).toMatchObject([
    { subject: `chat:${chats[0].id}`, memberName: 'ทดสอบ ระบบ', by: author!.name },
  ]);
});

test('colleagues are the active operators', async () => {
  await env.owner.query("update operator set status = 'SUSPENDED' where name = $1", [marketing!.name]);
  const { names } = (await operators.call(author!, 'GET', '/api/operator/colleagues')).body;
  expect(names).toEqual(expect.arrayContaining([author!.name, lead!.name]));
  expect(names).not.toContain(marketing!.name);
});
