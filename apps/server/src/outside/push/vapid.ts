import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

/** Our key at the push services: the public half as browsers take it, the private one as JSON (JWK). */
export interface VapidKey {
  publicKey: string;
  privateKey: string;
}

const TOKEN_SECONDS = 12 * 3600;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A new key on P-256. */
export function newVapidKey(): VapidKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  const point = [jwk.x!, jwk.y!].map((part) => Buffer.from(part, 'base64url'));
  return {
    publicKey: Buffer.concat([Buffer.of(4), ...point]).toString('base64url'),
    privateKey: JSON.stringify(jwk),
  };
}

/**
 * Who sends, in the header `authorization` of RFC 8292: a token for the one service behind the endpoint, good for 12 h.
 * @param contact mailto: or https:, whom the service may write to
 */
export function vapidHeader(key: VapidKey, endpoint: string, contact: string, now: Date): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + TOKEN_SECONDS,
    sub: contact,
  };
  const text = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`;
  const privateKey = createPrivateKey({ key: JSON.parse(key.privateKey), format: 'jwk' });
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${key.publicKey}`;
}
