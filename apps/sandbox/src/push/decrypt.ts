/** What a browser does with a message: RFC 8291 over RFC 8188, and the check of who sent it, RFC 8292. */

import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto';
import { DAY_MS } from '@krapao/contract/durations';
import type { PushBrowser } from '../environment/state.ts';

const SALT_END = 16;
const KEY_START = SALT_END + 4 + 1;
const TAG_BYTES = 16;
const LAST_RECORD = 2;

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');
const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

function keysOf(browser: PushBrowser, salt: Buffer, sender: Buffer) {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(bytesOf(browser.privateKey));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), bytesOf(browser.p256dh), sender]);
  const agreed = hkdf(ecdh.computeSecret(sender), bytesOf(browser.auth), info, 32);
  return {
    key: hkdf(agreed, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    nonce: hkdf(agreed, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  };
}

/** The text of a message, or null when it was not encrypted for this browser. */
export function readPush(browser: PushBrowser, body: Buffer): string | null {
  try {
    const sender = body.subarray(KEY_START, KEY_START + body.readUInt8(KEY_START - 1));
    const sealed = body.subarray(KEY_START + sender.length);
    const { key, nonce } = keysOf(browser, body.subarray(0, SALT_END), sender);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
    const end = plain.lastIndexOf(LAST_RECORD);
    return end < 0 ? null : plain.subarray(0, end).toString('utf8');
  } catch {
    return null;
  }
}

interface Claims {
  aud?: unknown;
  exp?: unknown;
  sub?: unknown;
}

const LIFE_MS_MAX = DAY_MS;

/** A sender's key in JSON form. */
function publicKeyOf(key: string) {
  const point = bytesOf(key);
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url');
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: part(1), y: part(33) }, format: 'jwk' });
}

/** Whether a header proves who speaks, to this service, now: answers their key, or null. */
export function senderOf(
  header: string | undefined,
  about: { origin: string; nowMs: number },
): string | null {
  const match = /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(header ?? '');
  if (!match) return null;
  const [, text, signature, key] = match as unknown as [string, string, string, string];
  try {
    const proof = { key: publicKeyOf(key), dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha256', Buffer.from(text), proof, bytesOf(signature))) return null;
    const { aud, exp, sub } = JSON.parse(bytesOf(text.split('.')[1]!).toString()) as Claims;
    const endsMs = Number(exp) * 1000;
    const isTimely = endsMs > about.nowMs && endsMs <= about.nowMs + LIFE_MS_MAX;
    return isTimely && aud === about.origin && /^(mailto:|https:)/.test(String(sub)) ? key : null;
  } catch {
    return null;
  }
}
