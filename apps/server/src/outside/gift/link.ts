import { createDecipheriv, createHash } from 'node:crypto';

/** Longest text that is looked at: a link is about 75 characters, encrypted and with words around it a few hundred. */
const TEXT_CHARACTERS_MAX = 2048;
const HOST = 'gift.truemoney.com';
const CODE = /^[0-9A-Za-z_-]{1,128}$/;
const SALTED = Buffer.from('Salted__');
const KEY_BYTES = 32;
const IV_BYTES = 16;

/**
 * OpenSSL's EVP_BytesToKey with MD5 and one iteration, as CryptoJS.AES.encrypt(text, passphrase) uses it; source: the
 * fixed-salt vectors beside the tests. It hides and does not protect: the passphrase ships with every client.
 */
function keyAndIv(passphrase: string, salt: Buffer): { key: Buffer; iv: Buffer } {
  let made = Buffer.alloc(0);
  let last = Buffer.alloc(0);
  while (made.length < KEY_BYTES + IV_BYTES) {
    last = createHash('md5').update(last).update(passphrase, 'utf8').update(salt).digest();
    made = Buffer.concat([made, last]);
  }
  return { key: made.subarray(0, KEY_BYTES), iv: made.subarray(KEY_BYTES, KEY_BYTES + IV_BYTES) };
}

/** The plain text of an old client's cipher text, or null when it is none or the passphrase does not fit. */
function decrypt(text: string, passphrase: string): string | null {
  if (!/^U2FsdGVkX1[0-9A-Za-z+/]*={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  const head = SALTED.length + 8;
  if (bytes.length <= head || !bytes.subarray(0, SALTED.length).equals(SALTED)) return null;
  const { key, iv } = keyAndIv(passphrase, bytes.subarray(SALTED.length, head));
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, iv);
    const plain = Buffer.concat([decipher.update(bytes.subarray(head)), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch {
    return null;
  }
}

/** The voucher code of one address of the gift service; null for any other address. */
function codeIn(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const isGift =
    /^https?:$/.test(url.protocol) &&
    url.host === HOST &&
    url.username === '' &&
    url.password === '' &&
    /^\/campaign\/?$/.test(url.pathname);
  const code = url.searchParams.get('v') ?? '';
  return isGift && CODE.test(code) ? code : null;
}

/**
 * The voucher code in what a member sent: a gift link, plain or encrypted, alone, among words, or as `{"link": …}`.
 * Null when there is none, for every reason alike. Only the code is ever used, never the address.
 */
export function readGiftCode(sent: unknown, passphrase: string): string | null {
  if (typeof sent !== 'string' || sent.length > TEXT_CHARACTERS_MAX) return null;
  const trimmed = sent.trim();
  const text = trimmed.startsWith('U2FsdGVkX1') ? decrypt(trimmed, passphrase) : trimmed;
  const words = text?.split(/[\s"'<>{}]+/) ?? [];
  const links = words.filter((word) => /^https?:\/\//i.test(word));
  // Two addresses leave open which is meant.
  return links.length === 1 ? codeIn(links[0]!) : null;
}
