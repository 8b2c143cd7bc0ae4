import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encryption at rest and keyed hashes, each with a key of its own derived from SECRET. */
export interface Secrets {
  /** AES-256-GCM; `purpose` is bound to the text, so a value cannot be moved to another column. */
  encrypt(purpose: string, plain: string): Buffer;
  /** Throws when the key, the purpose or a byte differs. */
  decrypt(purpose: string, sealed: Buffer): string;
  /** HMAC-SHA256 for values that must be found again without being readable. */
  fingerprint(purpose: string, value: string): Buffer;
}

/** Derives all keys from one secret. */
export function createSecrets(secret: string): Secrets {
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', secret, 'krapao', info, 32));
  const encryptionKey = derive('encrypt');
  const hashKey = derive('fingerprint');
  return {
    encrypt(purpose, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(purpose));
      return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(purpose, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      return (
        decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    fingerprint: (purpose, value) => createHmac('sha256', hashKey).update(`${purpose}\0${value}`).digest(),
  };
}

/** How a random token is stored: its SHA-256. A token carries 256 bits, so no key or salt is needed. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Constant-time comparison of two texts of any length. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
