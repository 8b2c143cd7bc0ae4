import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** What a browser gave with its subscription: its public key and its secret, base64url. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const SECRET_BYTES = 16;
const RECORD_BYTES = 4096;
/** Ends the only record (RFC 8188, section 2). */
const LAST_RECORD = Buffer.of(2);

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
const infoOf = (text: string, ...parts: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(`${text}\0`), ...parts]);

/** Whether messages can be encrypted for these keys: a point of the curve, and a secret of 16 bytes. */
export function areKeys({ p256dh, auth }: PushKeys): boolean {
  if (Buffer.from(auth, 'base64url').length !== SECRET_BYTES) return false;
  try {
    const own = createECDH(CURVE);
    own.generateKeys();
    own.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
}

/**
 * A message as its browser alone can read it: one record of aes128gcm (RFC 8188) under a key agreed with the browser's
 * (RFC 8291). `own` fixes what is otherwise drawn, for comparison with the standard's own example.
 */
export function encryptPush(
  keys: PushKeys,
  plain: string,
  own: { privateKey?: Buffer; salt?: Buffer } = {},
): Buffer<ArrayBuffer> {
  const browser = Buffer.from(keys.p256dh, 'base64url');
  const secret = Buffer.from(keys.auth, 'base64url');
  const ecdh = createECDH(CURVE);
  if (own.privateKey) ecdh.setPrivateKey(own.privateKey);
  else ecdh.generateKeys();
  const sender = ecdh.getPublicKey();
  const agreed = hkdf(ecdh.computeSecret(browser), secret, infoOf('WebPush: info', browser, sender), 32);
  const salt = own.salt ?? randomBytes(SALT_BYTES);
  const key = hkdf(agreed, salt, infoOf('Content-Encoding: aes128gcm'), 16);
  const nonce = hkdf(agreed, salt, infoOf('Content-Encoding: nonce'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.update(LAST_RECORD), cipher.final()]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head.writeUInt8(sender.length, 4);
  return Buffer.concat([salt, head, sender, body, cipher.getAuthTag()]);
}
