import { notifyPartner } from '../partner.ts';
import { encryptPush, type PushKeys } from './encrypt.ts';
import { type VapidKey, vapidHeader } from './vapid.ts';

/** A browser as its push service knows it. The endpoint is a secret: it allows its holder to send to the browser. */
export interface PushTarget {
  endpoint: string;
  keys: PushKeys;
}

export interface PushMessage {
  /** JSON of at most 3,000 bytes; the browser alone can read it. */
  payload: string;
  /** A later message of the same topic replaces one that still waits: 32 characters of base64url at most. */
  topic: string;
  /** How long it waits for a browser that is away. */
  ttlSeconds: number;
}

/** `gone`: the browser takes no more, for good. `unknown` may be tried again: the topic makes two of it one. */
export type PushOutcome =
  | { outcome: 'ok' }
  | { outcome: 'gone' }
  | { outcome: 'rejected'; code: string }
  | { outcome: 'unknown'; note: string; retryAfterMs?: number };

/** Brings messages to browsers through the services that their makers run. */
export interface PushSender {
  /** Whether an endpoint, which a member's browser names, is of a service known here. No other address is ever called. */
  accepts(endpoint: string): boolean;
  send(target: PushTarget, message: PushMessage, key: VapidKey): Promise<PushOutcome>;
}

export interface PushSettings {
  /** Names of hosts; `*.` matches any subdomain. */
  hosts: readonly string[];
  /** Endpoints below this address are the sandbox's; empty: there is none. */
  sandboxUrl: string;
  contact: string;
  timeoutMs: number;
  now: () => Date;
}

const GONE = [404, 410];

const fitsHost = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;

function accepted(endpoint: string, { hosts, sandboxUrl }: PushSettings): boolean {
  const url = URL.parse(endpoint);
  if (!url || url.username || url.password || url.hash) return false;
  if (sandboxUrl && url.href.startsWith(`${sandboxUrl}/`)) return true;
  return (
    url.protocol === 'https:' && url.port === '' && hosts.some((pattern) => fitsHost(url.hostname, pattern))
  );
}

/** Web Push: RFC 8030 for the exchange, 8291 for the message, 8292 for who sends. No redirects, as everywhere. */
export function webPush(settings: PushSettings): PushSender {
  return {
    accepts: (endpoint) => accepted(endpoint, settings),
    async send(target, { payload, topic, ttlSeconds }, key) {
      if (!accepted(target.endpoint, settings)) return { outcome: 'rejected', code: 'HOST' };
      const reply = await notifyPartner({
        url: target.endpoint,
        method: 'POST',
        headers: {
          authorization: vapidHeader(key, target.endpoint, settings.contact, settings.now()),
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(ttlSeconds),
          topic,
          urgency: 'high',
        },
        body: encryptPush(target.keys, payload),
        timeoutMs: settings.timeoutMs,
      });
      if (!reply.answered) return { outcome: 'unknown', note: reply.note };
      if (reply.status >= 200 && reply.status < 300) return { outcome: 'ok' };
      if (GONE.includes(reply.status)) return { outcome: 'gone' };
      const note = `status ${reply.status}`;
      if (reply.status === 429 || reply.status >= 500)
        return {
          outcome: 'unknown',
          note,
          ...(reply.retryAfterMs === null ? {} : { retryAfterMs: reply.retryAfterMs }),
        };
      return { outcome: 'rejected', code: note };
    },
  };
}
