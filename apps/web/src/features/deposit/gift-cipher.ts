/**
 * Hides a gift link as `CryptoJS.AES.encrypt(text, passphrase).toString()` does, so that it cannot be read over
 * somebody's shoulder or in a log: Base64 of "Salted__", 8 bytes of salt and AES-256-CBC. Key and vector are OpenSSL's
 * EVP_BytesToKey with MD5, which browsers do not offer. It protects nothing; TLS does.
 */

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from(
  { length: 64 },
  (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32) | 0,
);

/** One block of RFC 1321. */
function mix(state: number[], words: DataView, at: number): number[] {
  let [a, b, c, d] = state as [number, number, number, number];
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    const [f, word] = (
      [
        [(b & c) | (~b & d), step],
        [(d & b) | (~d & c), 5 * step + 1],
        [b ^ c ^ d, 3 * step + 5],
        [c ^ (b | ~d), 7 * step],
      ] as const
    )[round] as readonly [number, number];
    const sum = (a + f + (SINES[step] as number) + words.getInt32(at + (word & 15) * 4, true)) | 0;
    const shift = SHIFTS[round * 4 + (step & 3)] as number;
    [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
  }
  return [a, b, c, d].map((word, index) => (word + (state[index] as number)) | 0);
}

/** MD5 of bytes, RFC 1321; for the key derivation above and nothing else. */
export function md5(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, bytes.length * 8, true);
  let state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let at = 0; at < padded.length; at += 64) state = mix(state, words, at);
  const digest = new DataView(new ArrayBuffer(16));
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word, true);
  return new Uint8Array(digest.buffer);
}

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * The hidden text. The salt follows from the text, so that sending one link again is the same intent under the same key.
 * Where the browser offers no cipher, on a page without TLS, the text stays as it is; the server takes both.
 */
export async function hideLink(text: string, passphrase: string): Promise<string> {
  if (!globalThis.crypto?.subtle) return text;
  const salt = md5(bytesOf(passphrase + text)).subarray(0, 8);
  const secret = join(bytesOf(passphrase), salt);
  const one = md5(secret);
  const two = md5(join(one, secret));
  const iv = new Uint8Array(md5(join(two, secret)));
  const key = await crypto.subtle.importKey('raw', join(one, two), 'AES-CBC', false, ['encrypt']);
  const plain = join(bytesOf(text));
  const hidden = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, plain));
  return btoa(String.fromCharCode(...join(bytesOf('Salted__'), salt, hidden)));
}
