import { createHmac, timingSafeEqual } from 'node:crypto';

/** A notice older or newer than this is refused, so that a caught one cannot be replayed later. */
const SIGNATURE_WINDOW_MS = 5 * 60_000;

/** Whether a header is `t=<unix seconds>,v1=<hex of HMAC-SHA256 over "t.body">` and fresh; compared in constant time. */
export function signatureFits(
  rawBody: string,
  header: string | undefined,
  secret: string,
  now: Date,
): boolean {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '');
  if (!match) return false;
  const expected = createHmac('sha256', secret).update(`${match[1]}.${rawBody}`).digest();
  const fits = timingSafeEqual(expected, Buffer.from(match[2]!, 'hex'));
  return fits && Math.abs(now.getTime() - Number(match[1]) * 1000) <= SIGNATURE_WINDOW_MS;
}

/** JSON, or null when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
