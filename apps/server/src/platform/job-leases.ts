import { type Pool, type PoolClient, sql } from './database/db.ts';
import { openDedicated } from './listen.ts';

/**
 * The leases of runners: advisory locks whose second key is the hash of the id. They are shared, because a connection that
 * broke may still hold them for the server while its successor takes them.
 */
const HOLD = 'select pg_advisory_lock_shared(7071003, hashtext(r.id)) from unnest($1::text[]) r(id)';
const LOOK_MS = 5_000;
const AGAIN_MS = 500;

/**
 * Gives back the jobs of runners that hold no lock. The library itself waits four hours for a runner that has ended
 * without a word.
 */
const GIVE_BACK = sql(`
  select graphile_worker.force_unlock_workers($1::text[])`);

const ENDED = sql(`
  select distinct locked_by as runner from graphile_worker._private_jobs
  where locked_by is not null and not exists (
    select from pg_locks
    where locktype = 'advisory' and granted and classid = 7071003 and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and objid = (hashtext(locked_by)::bigint & 4294967295)::oid)`);

export interface JobLeases {
  /** Holds the lease of a runner of this process until it ends; the database ends it with the connection. */
  hold(runner: string): void;
  stop(): Promise<void>;
}

/**
 * Holds leases on a connection of their own, and gives back the jobs of every runner whose lease has ended: at the second
 * look without it, since a connection that broke is made again in between. Such a job runs again from its beginning.
 */
export function openJobLeases(pool: Pool, onError: (error: unknown) => void): JobLeases {
  const runners = new Set<string>();
  let client: PoolClient | null = null;
  let suspected = new Set<string>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const lose = () => {
    client?.release();
    client = null;
  };
  /** One query after another, as the connection wants it. */
  let holding: Promise<unknown> = Promise.resolve();
  const holdAll = () => {
    holding = holding.then(() => client?.query(HOLD, [[...runners]])).catch(lose);
    return holding;
  };
  async function connect(): Promise<void> {
    const next = await openDedicated(pool);
    if (isStopped) return next.release();
    next.once('end', () => client === next && lose());
    client = next;
    await holdAll();
  }
  async function giveBack(): Promise<void> {
    const { rows } = await pool.query(ENDED);
    const ended = new Set(rows.map(({ runner }) => runner!));
    const forCertain = [...ended].filter((runner) => suspected.has(runner));
    suspected = ended;
    if (forCertain.length > 0) await pool.query(GIVE_BACK, [forCertain]);
  }
  async function look(): Promise<void> {
    try {
      if (!client) await connect();
      await giveBack();
    } catch (error) {
      onError(error);
    }
    if (!isStopped) timer = setTimeout(() => void turn(), client ? LOOK_MS : AGAIN_MS);
  }
  let running: Promise<void> = Promise.resolve();
  const turn = () => {
    running = look();
    return running;
  };
  void turn();
  return {
    hold(runner) {
      runners.add(runner);
      void holdAll();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      lose();
    },
  };
}
