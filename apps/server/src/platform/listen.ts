import pg from 'pg';
import type { Pool } from './database/db.ts';

export interface Listener {
  /** Returns whether notifications are being received. */
  isHearing(): boolean;
  stop(): Promise<void>;
}

const AGAIN_MS = 500;
/** A connection that fell silent is only noticed by a query on it. */
const SIGN_OF_LIFE_MS = 10_000;

/**
 * Opens a connection of its own with the settings of a pool, outside the pool: it neither takes one of the pool's
 * places nor waits for one. `release` ends it; a repeat changes nothing.
 */
export async function openDedicated(pool: Pool): Promise<pg.PoolClient> {
  // The pool keeps its password where a copy does not find it.
  const { password, application_name } = pool.options;
  const name = `${application_name ?? 'krapao'} listen`;
  const client = new pg.Client({ ...pool.options, password, application_name: name });
  // Without a listener Node ends the process when the server drops the connection.
  client.on('error', () => undefined);
  await client.connect();
  return Object.assign(client, { release: () => void client.end().catch(() => undefined) });
}

/** Rejects unless the database responds on this connection within 2 s; a broken one can be silent for hours. */
export async function requireSignOfLife(client: Pick<pg.PoolClient, 'query'>): Promise<void> {
  await client.query({ text: 'select 1', query_timeout: 2_000 } as pg.QueryConfig);
}

interface Subscriber {
  channel: string;
  onNotice(payload: string): void;
  onMissed(): void;
}

/** One connection for all channels that are followed with the settings of one pool. */
interface Line {
  add(subscriber: Subscriber): Promise<void>;
  remove(subscriber: Subscriber): Promise<void>;
  isReceiving(subscriber: Subscriber): boolean;
}

const lines = new WeakMap<Pool, Line>();

/** A subscriber's mistake must not end the process, nor keep others from the notice. */
function notify(work: () => void): void {
  try {
    work();
  } catch (error) {
    process.stderr.write(`database: a notice could not be handled: ${error}\n`);
  }
}

/** Opens a connection whose notices go to the subscribers of their channel. */
async function openHearing(
  pool: Pool,
  subscribers: ReadonlySet<Subscriber>,
  onDisconnect: (client: pg.PoolClient) => void,
): Promise<pg.PoolClient> {
  const client = await openDedicated(pool);
  client.on('error', () => onDisconnect(client));
  client.on('end', () => onDisconnect(client));
  client.on('notification', ({ channel, payload = '' }) => {
    for (const subscriber of subscribers)
      if (subscriber.channel === channel) notify(() => subscriber.onNotice(payload));
  });
  return client;
}

function createConnection(pool: Pool): Line {
  const subscribers = new Set<Subscriber>();
  /** Channels the open connection follows. */
  let followed = new Set<string>();
  let client: pg.PoolClient | null = null;
  let life: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Connects, subscribes and releases one after the other. */
  let turn: Promise<unknown> = Promise.resolve();

  const drop = () => {
    clearInterval(life);
    client?.release();
    client = null;
    followed = new Set();
  };
  const onDisconnect = (broken: pg.PoolClient) => {
    if (client !== broken) return;
    drop();
    again();
  };
  const again = () => {
    clearTimeout(timer);
    if (subscribers.size > 0) timer = setTimeout(() => void inTurn(follow).then(missed, again), AGAIN_MS);
  };
  const missed = () => {
    for (const subscriber of subscribers) if (followed.has(subscriber.channel)) notify(subscriber.onMissed);
  };
  async function connect(): Promise<pg.PoolClient> {
    const next = await openHearing(pool, subscribers, onDisconnect);
    life = setInterval(() => void requireSignOfLife(next).catch(() => onDisconnect(next)), SIGN_OF_LIFE_MS);
    client = next;
    return next;
  }
  /** Connects if needed and follows exactly the channels that somebody subscribed to; rejects when that fails. */
  async function follow(): Promise<void> {
    if (subscribers.size === 0) return drop();
    const open = client ?? (await connect());
    const wanted = new Set([...subscribers].map(({ channel }) => channel));
    try {
      for (const channel of wanted) if (!followed.has(channel)) await open.query(`listen ${channel}`);
      for (const channel of followed) if (!wanted.has(channel)) await open.query(`unlisten ${channel}`);
    } catch (error) {
      if (client === open) drop();
      throw error;
    }
    if (client === open) followed = wanted;
    else throw new Error('the connection broke as it was opened');
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work, work);
    turn = next.catch(() => undefined);
    return next;
  };
  return {
    isReceiving: (subscriber) => subscribers.has(subscriber) && followed.has(subscriber.channel),
    add(subscriber) {
      subscribers.add(subscriber);
      return inTurn(follow).catch(again);
    },
    remove(subscriber) {
      subscribers.delete(subscriber);
      if (subscribers.size === 0) clearTimeout(timer);
      return inTurn(follow).catch(again);
    },
  };
}

/**
 * Follows a PostgreSQL notification channel, and again when the connection breaks. All channels followed with one
 * pool's settings share one connection outside that pool. `onMissed` is called after each gap: notices sent meanwhile
 * were not received.
 */
export function listen(
  pool: Pool,
  channel: string,
  onNotice: (payload: string) => void,
  onMissed: () => void = () => undefined,
): Listener {
  const connection = lines.get(pool) ?? createConnection(pool);
  lines.set(pool, connection);
  const subscriber = { channel, onNotice, onMissed };
  const added = connection.add(subscriber);
  return {
    isHearing: () => connection.isReceiving(subscriber),
    async stop() {
      await added;
      await connection.remove(subscriber);
    },
  };
}
