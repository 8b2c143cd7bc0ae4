import { MINUTE_MS } from '@krapao/contract/durations';
import { expect, test } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';
import { madeFilm } from '../content/testing-files.ts';
import { from, PROXY } from '../registration/testing-people.ts';
import { pushedClock } from '../testing.ts';
import { chatHelpers } from './testing-chat.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock, environment: PROXY });
const { guest, say, upload } = chatHelpers(env);

test('limits new guests of an address, and of all, per hour; existing guests continue', async () => {
  const known = guest();
  expect((await say(known, 'first')).status).toBe(200);
  clock.push(2 * 60 * MINUTE_MS);
  await env.set('chat.guestAddressHourMax', 2);
  const fresh = [];
  for (let count = 0; count < 4; count++) fresh.push((await say(guest(), 'new')).body.message ?? 'taken');
  expect(fresh).toEqual(['taken', 'taken', 'REQUEST_LIMIT', 'REQUEST_LIMIT']);
  expect((await say(known, 'still here')).status).toBe(200);
  expect((await say(await env.member(), 'a member')).status).toBe(200);
  clock.push(61 * MINUTE_MS);
  await env.set('chat.guestAddressHourMax', 10_000);
  await env.set('chat.guestHourMax', 1);
  expect([(await say(guest(), 'one')).status, (await say(guest(), 'two')).body.message]).toEqual([
    200,
    'REQUEST_LIMIT',
  ]);
  await env.set('chat.guestHourMax', 10_000);
});

test('an IPv6 site of many networks begins four times what one of them may, and sends as many files', async () => {
  await env.set('chat.guestAddressHourMax', 1);
  await env.set('chat.addressMegabytes', 1);
  const message = { message_type: 'text', payload: { message: 'new' } };
  const [begun, sent] = [[] as string[], [] as string[]];
  for (let network = 1; network <= 5; network++) {
    const options = from(`2001:db8:7:${network}::1`);
    const { body } = await env.call('POST', '/api/chat/send-message', { ...guest(), message }, options);
    begun.push(body.message ?? 'taken');
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(madeFilm(900 * 1024))]), 'film.mp4');
    const reply = await fetch(`${env.url}/api/chat/upload-video`, { method: 'POST', body: form, ...options });
    sent.push(((await reply.json()) as { message?: string }).message ?? 'taken');
  }
  expect(begun).toEqual([...Array(4).fill('taken'), 'REQUEST_LIMIT']);
  expect(sent).toEqual([...Array(4).fill('taken'), 'CHAT_FILES_FULL']);
  await env.set('chat.guestAddressHourMax', 10_000);
  await env.set('chat.addressMegabytes', 500);
});

test('a guest’s file counts to the address, a member’s to the member, and all of them together', async () => {
  const film = madeFilm(400 * 1024);
  const member = await env.member();
  const uploadAs = async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(film)]), 'film.mp4');
    const headers = { authorization: `Bearer ${member.token}` };
    const reply = await fetch(`${env.url}/api/chat/upload-video`, { method: 'POST', body: form, headers });
    return ((await reply.json()) as { message?: string }).message ?? 'taken';
  };
  await env.set('chat.addressMegabytes', 0);
  expect((await upload('film.mp4', film, 'video')).body.message).toBe('CHAT_FILES_FULL');
  await env.set('chat.addressMegabytes', 1);
  expect([await uploadAs(), await uploadAs(), await uploadAs()]).toEqual([
    'taken',
    'taken',
    'CHAT_FILES_FULL',
  ]);
  await env.set('chat.addressMegabytes', 500);
  await env.set('chat.totalMegabytes', 0);
  expect([await uploadAs(), (await upload('film.mp4', film, 'video')).body.message]).toEqual([
    'CHAT_FILES_FULL',
    'CHAT_FILES_FULL',
  ]);
  await env.set('chat.totalMegabytes', 10_000);
});

test('what an answer takes is worked out once a minute, however often it is requested', async () => {
  clock.push(2 * 24 * 60 * MINUTE_MS);
  const read = async () => (await env.call('GET', '/api/chat/config')).body.answerMinutes;
  const answered = (minutes: number) =>
    env.owner.query(
      "update chat_session set opened_at = $1::timestamptz - $2 * interval '1 minute', first_answer_at = $1",
      [clock.now(), minutes],
    );
  await answered(7);
  expect(await Promise.all(Array.from({ length: 20 }, read))).toEqual(Array(20).fill(7));
  await answered(9);
  expect(await read()).toBe(7);
  clock.push(MINUTE_MS);
  expect(await read()).toBe(9);
});
