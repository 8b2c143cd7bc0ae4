import { io } from 'socket.io-client';
import { expect, test } from 'vitest';
import { chatHelpers } from '../features/chat/testing-chat.ts';
import { madeFilm, uploadFile } from '../features/content/testing-files.ts';
import { from, PROXY, person } from '../features/registration/testing-people.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({
  jobs: false,
  environment: { ...PROXY, BLOCKED_ADDRESSES: '203.0.113.0/24 2001:db8:66::/48' },
});
const refused = { status: 403, body: { message: 'INVALID_IP' } };

/** The response to a socket from an address. */
function knock(address: string, token?: string): Promise<string> {
  const { headers } = from(address);
  const socket = io(env.url, {
    transports: ['websocket'],
    auth: { token },
    extraHeaders: headers,
    reconnection: false,
  });
  return new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'));
    socket.once('connect_error', (error) => resolve(error.message));
  }).finally(() => socket.disconnect());
}

test('a blocked address has no call, no file and no live line; its neighbour has them', async () => {
  const { token } = await env.member();
  const film = madeFilm(10_000);
  const media = await uploadFile(env, await operatorHelpers(env).operator('marketing'), film, 'film.mp4');
  const chat = await chatHelpers(env).upload('film.mp4', film, 'video');
  const files: string[] = [media.body.path, chat.body.path];
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:66:7::1']) {
    expect(await env.call('GET', '/api/lookup/banks', undefined, from(address)), address).toMatchObject(
      refused,
    );
    expect(await env.call('GET', '/api/wallet', undefined, { token, ...from(address) })).toMatchObject(
      refused,
    );
    expect(await env.call('POST', '/api/account/export', {}, { token, ...from(address) })).toMatchObject(
      refused,
    );
    for (const path of [...files, '/api/file/unknown', '/media/unknown.jpg'])
      expect(await env.call('GET', path, undefined, from(address)), path).toMatchObject(refused);
    expect(await knock(address, token)).toBe('INVALID_IP');
    expect(await knock(address)).toBe('INVALID_IP');
  }
  for (const address of ['203.0.112.9', '2001:db8:67::1']) {
    expect((await env.call('GET', '/api/wallet', undefined, { token, ...from(address) })).status).toBe(200);
    for (const path of files) expect((await fetch(env.url + path, from(address))).status).toBe(200);
    expect(await knock(address, token)).toBe('connected');
  }
});

test('a login tried from everywhere in one IPv6 network is tried from one place', async () => {
  const max = env.app.deps.settings.get('login.failuresMax');
  await env.set('register.otp', false);
  const { username } = person();
  expect((await env.call('POST', '/api/account', person({ username }))).status).toBe(200);
  const attempt = (address: string) =>
    env.call('POST', '/api/login', { username, password: 'Not-it-12345' }, from(address));
  for (let n = 0; n < max; n++)
    expect((await attempt(`2001:db8:1:1::${n + 1}`)).body.message).toBe('WRONG_CREDENTIAL');
  expect((await attempt('2001:db8:1:1:ffff::1')).body.message).toBe('REQUEST_LIMIT');
  expect((await attempt('2001:db8:1:2::1')).body.message).toBe('WRONG_CREDENTIAL');
});
