import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';

const CONNECT_MS = 2_000;
/** A connection without any answer for this long is given up; pings see to it that there are answers. */
const SILENT_MS = 3_000;
const PING_MS = 1_000;
/** The longest wait for a response of Redis: every use of it has a fallback. */
const RESPONSE_MS = 250;
const RECONNECT_MS_MAX = 1_000;

type Client = ReturnType<typeof newClient>;

/**
 * Redis, which carries what may be lost: live hints between servers and counts of calls. Nothing depends on it: every
 * caller has another way when it does not answer.
 */
export interface Redis {
  /** Whether commands are answered at the moment, as far as is known. */
  isUp(): boolean;
  /** What `work` resolves to; null when Redis is away, or does not answer within 250 ms. */
  attempt<T>(work: (client: Client) => Promise<T>): Promise<T | null>;
  /** A connection of its own that queues commands while Redis is away; connect it, and it connects again by itself. */
  duplicate(): Client;
  /** A name that no other installation on the same Redis has. */
  name(suffix: string): string;
  /** Throws when Redis does not answer. */
  check(): Promise<void>;
  close(): void;
}

const newClient = (url: string, queues: boolean) =>
  createClient({
    url,
    // The adapter of socket.io reads answers in this form.
    RESP: 2,
    disableOfflineQueue: !queues,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (retries) =>
        Math.min(50 * 2 ** Math.min(retries, 10), RECONNECT_MS_MAX) * (0.5 + Math.random() / 2),
    },
  });

/**
 * Opens Redis without waiting for it; it may come, go and come back at any time.
 * @param installation what is the same for all servers of this installation and for no other
 * @param onChange called when Redis is lost, with the error, and when it is back
 */
export function openRedis(url: string, installation: string, onChange: (error: Error | null) => void): Redis {
  const client = newClient(url, false);
  const duplicates: Client[] = [];
  let isLost = false;
  client.on('error', (error: Error) => {
    if (!isLost) onChange(error);
    isLost = true;
  });
  client.on('ready', () => {
    if (isLost) onChange(null);
    isLost = false;
  });
  // Ends when the client is closed, and is tried again until then.
  void client.connect().catch(() => undefined);
  const redis: Redis = {
    isUp: () => client.isReady,
    async attempt(work) {
      if (!client.isReady) return null;
      const response = work(client).catch(() => null);
      return Promise.race([response, pause(RESPONSE_MS, null, { ref: false })]);
    },
    duplicate() {
      const copy = newClient(url, true);
      copy.on('error', () => undefined);
      duplicates.push(copy);
      return copy;
    },
    name: (suffix) => `krapao:${installation}:${suffix}`,
    async check() {
      if ((await redis.attempt((one) => one.ping())) === null) throw new Error('Redis does not respond');
    },
    close() {
      for (const one of [client, ...duplicates]) if (one.isOpen) one.destroy();
    },
  };
  return redis;
}
