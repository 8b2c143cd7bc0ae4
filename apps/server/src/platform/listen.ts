import type { Pool, PoolClient } from 'pg';

export interface Listener {
  stop(): Promise<void>;
}

const AGAIN_MS = 500;

/**
 * Follows a PostgreSQL notification channel on a connection of its own, and takes a new one when that breaks.
 * `onMissed` is called after each such gap: what was said meanwhile was not heard.
 */
export function listen(
  pool: Pool,
  channel: string,
  onNotice: (payload: string) => void,
  onMissed: () => void = () => undefined,
): Listener {
  let stopped = false;
  let client: PoolClient | null = null;
  let timer: NodeJS.Timeout | undefined;

  const again = () => {
    client = null;
    if (!stopped) timer = setTimeout(() => void open().then(onMissed, again), AGAIN_MS);
  };

  async function open(): Promise<void> {
    const taken = await pool.connect();
    let isBroken = false;
    const onBreak = () => {
      if (isBroken) return;
      isBroken = true;
      taken.release(true);
      again();
    };
    taken.on('error', onBreak);
    taken.on('notification', (notice) => onNotice(notice.payload ?? ''));
    if (stopped) return taken.release(true);
    client = taken;
    try {
      await taken.query(`listen ${channel}`);
    } catch (error) {
      taken.off('error', onBreak);
      taken.on('error', () => undefined);
      taken.release(true);
      throw error;
    }
  }

  const opening = open().catch(again);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await opening;
      client?.removeAllListeners('error').on('error', () => undefined);
      client?.release(true);
      client = null;
    },
  };
}

/**
 * The same pool for a library that keeps a connection to listen on and asks for a new one when it breaks, but never
 * gives the broken one back: each break would take one connection from the pool for good.
 */
export function returningBroken(pool: Pool): Pick<Pool, 'connect' | 'query'> {
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    const giveBack = client.release.bind(client);
    let isBack = false;
    client.release = (broken) => {
      if (!isBack) giveBack(broken);
      isBack = true;
    };
    client.once('end', () => client.release(true));
    return client;
  };
  return { connect: connect as Pool['connect'], query: pool.query.bind(pool) as Pool['query'] };
}
