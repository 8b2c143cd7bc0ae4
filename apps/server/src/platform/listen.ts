import type { Pool, PoolClient } from 'pg';

export interface Listener {
  /** Whether notices are heard at this moment. */
  isHearing(): boolean;
  stop(): Promise<void>;
}

const AGAIN_MS = 500;
/** A line that fell silent is only noticed by speaking on it. */
const SIGN_OF_LIFE_MS = 10_000;

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
  let isHearing = false;
  let drop: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;

  const again = () => {
    isHearing = false;
    if (!stopped) timer = setTimeout(() => void open().then(onMissed, again), AGAIN_MS);
  };

  /** Resolves once the channel is followed; a line that breaks later is replaced, one that breaks before rejects. */
  async function open(): Promise<void> {
    const client = await pool.connect();
    let isDropped = false;
    const life = setInterval(() => void client.query('select 1').catch(onBreak), SIGN_OF_LIFE_MS);
    drop = () => {
      if (isDropped) return;
      isDropped = true;
      clearInterval(life);
      client.release(true);
    };
    const dropThis = drop;
    function onBreak(): void {
      const wasHearing = isHearing && !isDropped;
      dropThis();
      if (wasHearing) again();
    }
    client.on('error', onBreak);
    client.on('notification', (notice) => onNotice(notice.payload ?? ''));
    try {
      await client.query(`listen ${channel}`);
    } catch (error) {
      dropThis();
      throw error;
    }
    if (stopped || isDropped) {
      dropThis();
      throw new Error('the line broke as it was opened');
    }
    isHearing = true;
  }

  const opening = open().catch(again);
  return {
    isHearing: () => isHearing,
    async stop() {
      stopped = true;
      isHearing = false;
      clearTimeout(timer);
      await opening;
      drop?.();
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
    const onEnd = () => client.release(true);
    let isBack = false;
    client.release = (broken) => {
      client.off('end', onEnd);
      if (!isBack) giveBack(broken);
      isBack = true;
    };
    client.once('end', onEnd);
    return client;
  };
  return { connect: connect as Pool['connect'], query: pool.query.bind(pool) as Pool['query'] };
}
