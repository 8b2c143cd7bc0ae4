import { randomBytes, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function base32(value: bigint, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}

/** Random bytes are fetched in blocks, because a system call per id would cost more than the id. */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
function randomPart(bytes: number): number {
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
  const part = pool.readUIntBE(0, bytes);
  pool = pool.subarray(bytes);
  return part;
}

export type IdPrefix =
  | 'AP'
  | 'BN'
  | 'CB'
  | 'CP'
  | 'DP'
  | 'KY'
  | 'MN'
  | 'PB'
  | 'PO'
  | 'QR'
  | 'RS'
  | 'RT'
  | 'RV'
  | 'SL'
  | 'SP'
  | 'TF'
  | 'VW'
  | 'WD'
  | 'WH';

/**
 * A reference people can read out: prefix, time, 30 random bits; 17 characters of A–Z and 0–9, so it also fits a
 * bill payment's reference (20 at most). Sorts by time of making.
 */
export function newId(prefix: IdPrefix, now: Date): string {
  return idSince(prefix, now) + base32(BigInt(randomPart(4)), 6);
}

/** The start of every id made at a moment: ids made since sort behind it. */
export const idSince = (prefix: IdPrefix, since: Date): string => prefix + base32(BigInt(since.getTime()), 9);

/** Whether an id was made with a prefix. */
export const hasPrefix = (id: string, prefix: IdPrefix): boolean => id.startsWith(prefix);

/** 256 random bits as URL-safe text: session tokens, OTP tokens. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Uniform random digits from the secure generator. */
export const newDigits = (length: number): string => Array.from({ length }, () => randomInt(10)).join('');
