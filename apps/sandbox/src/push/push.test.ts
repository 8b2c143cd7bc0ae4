import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PushBrowser } from '../environment/state.ts';
import { startTestEnv, type TestEnv } from '../testing/test-env.ts';
import { readPush } from './decrypt.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
afterAll(() => env.stop());

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Sender {
  key: string;
  privateKey: KeyObject;
}

function newSender(): Sender {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = privateKey.export({ format: 'jwk' });
  const point = [x!, y!].map((part) => Buffer.from(part, 'base64url'));
  return { privateKey, key: Buffer.concat([Buffer.of(4), ...point]).toString('base64url') };
}

/** Who sends, as RFC 8292 has it. */
function proof(
  { key, privateKey }: Sender,
  claims: { aud?: string; sub?: string; exp?: number } = {},
): string {
  const exp = Math.floor(Date.now() / 1000) + 3_600;
  const body = { aud: env.sandbox.url, exp, sub: 'mailto:a@b.example', ...claims };
  const text = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(body)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${key}`;
}

const openBrowser = async (key?: string) =>
  (await env.control('push', { phone: '0815550142', key })).body as { id: string; endpoint: string };

const send = async (endpoint: string, headers: Record<string, string>, bytes = 200) =>
  (
    await fetch(endpoint, {
      method: 'POST',
      headers: {
        ttl: '60',
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ...headers,
      },
      body: new Uint8Array(bytes),
    })
  ).status;

test('accepts a message only from the sender that the browser named', async () => {
  const [ours, other] = [newSender(), newSender()];
  const { endpoint } = await openBrowser(ours.key);
  expect(await send(endpoint, {})).toBe(401);
  const wrong = [
    proof(other),
    proof({ key: ours.key, privateKey: other.privateKey }),
    proof(ours, { aud: 'https://fcm.googleapis.com' }),
    proof(ours, { exp: Math.floor(Date.now() / 1000) - 1 }),
    proof(ours, { exp: Math.floor(Date.now() / 1000) + 90_000 }),
    proof(ours, { sub: 'somebody' }),
    'vapid t=a.b.c, k=d',
    'Bearer x',
  ];
  for (const authorization of wrong) expect(await send(endpoint, { authorization })).toBe(403);
  expect(await send(endpoint, { authorization: proof(ours) })).toBe(201);
});

test('what a message lacks is said', async () => {
  const ours = newSender();
  const { id, endpoint } = await openBrowser(ours.key);
  const authorization = proof(ours);
  expect(await send(endpoint, { authorization, ttl: 'long' })).toBe(400);
  expect(await send(endpoint, { authorization, topic: 'two words' })).toBe(400);
  expect(await send(endpoint, { authorization, 'content-encoding': 'aesgcm' })).toBe(415);
  expect(await send(endpoint, { authorization }, 4_097)).toBe(413);
  expect(await send(endpoint.replace(id, 'nobody'), { authorization })).toBe(404);
  await env.control('push', { gone: id });
  expect(await send(endpoint, { authorization })).toBe(410);
});

test('a message that was not made for the browser arrives unreadable', async () => {
  const { id, endpoint } = await openBrowser();
  await send(endpoint, { authorization: proof(newSender()), topic: 't1' });
  const { browsers } = (await env.control('push?phone=0815550142')).body as {
    browsers: { id: string; messages: object[] }[];
  };
  const messages = browsers.find((browser) => browser.id === id)?.messages;
  expect(messages).toMatchObject([{ topic: 't1', text: null }]);
});

test('the standard’s own example is read', () => {
  const browser = {
    privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  } as PushBrowser;
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  expect(readPush(browser, Buffer.from(body, 'base64url'))).toBe('When I grow up, I want to be a watermelon');
});
