import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Makes a secret as the Standard Webhooks specification writes it. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Returns the signature of one secret: HMAC-SHA256 over id, time in seconds and body. */
export function signWebhook(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** Returns the headers of one attempt, signed with every secret that counts; `webhook-attempt` counts from 1. */
export function webhookHeaders(
  secrets: readonly string[],
  { id, body, attempt, at }: { id: string; body: string; attempt: number; at: Date },
): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Krapao-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => signWebhook(secret, id, seconds, body)).join(' '),
    'webhook-attempt': String(attempt),
  };
}
