import { type Pool, sql } from './database/db.ts';
import { openDedicated, requireSignOfLife } from './listen.ts';

/**
 * The leases of runners: advisory locks whose second key is the hash of the id. They are shared, because a connection that
 * broke may still hold them for the server while its successor takes them.
 */
const HOLD = 'select pg_advisory_lock_shared(7071003, hashtext(r.id)) from unnest($1::text[]) r(id)';
const RENEW_MS = 1_000;
const LOOK_MS = 3_000;
/** A runner without a lease at so many looks in a row has ended: one that only lost its connection has a new one by then. */
const MISSES_MAX = 3;

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

/** Repeats work with a pause after each time until it is stopped; stopping waits for the time under way. */
function repeat(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void>;
  const turn = () => {
    running = work().then(() => {
      if (!isStopped) timer = setTimeout(turn, pauseMs);
    });
  };
  turn();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}

/** Holds leases of this process on a connection of their own, which is made again when it breaks or falls silent. */
function holdLeases(pool: Pool, runners: ReadonlySet<string>, onError: (error: unknown) => void) {
  let client: Awaited<ReturnType<typeof openDedicated>> | null = null;
  const lose = () => {
    client?.release();
    client = null;
  };
  /** One query after another, as the connection wants it. */
  let holding: Promise<unknown> = Promise.resolve();
  const hold = () => {
    holding = holding.then(() => client?.query(HOLD, [[...runners]])).catch(lose);
    return holding;
  };
  async function connect(): Promise<void> {
    const next = await openDedicated(pool);
    next.once('end', () => client === next && lose());
    client = next;
    await hold();
  }
  const stop = repeat(async () => {
    if (client) await requireSignOfLife(client).catch(lose);
    if (!client) await connect().catch(onError);
  }, RENEW_MS);
  return {
    hold,
    async stop() {
      await stop();
      lose();
    },
  };
}

/** Gives back the jobs of every runner of another process that has ended; such a job runs again from its beginning. */
function giveBackJobs(pool: Pool, own: ReadonlySet<string>, onError: (error: unknown) => void) {
  /** At how many looks in a row a runner had no lease. */
  let missed = new Map<string, number>();
  async function look(): Promise<void> {
    const { rows } = await pool.query(ENDED);
    const others = rows.map(({ runner }) => runner!).filter((runner) => !own.has(runner));
    missed = new Map(others.map((runner) => [runner, (missed.get(runner) ?? 0) + 1]));
    const ended = others.filter((runner) => missed.get(runner)! >= MISSES_MAX);
    if (ended.length > 0) await pool.query(GIVE_BACK, [ended]);
  }
  return { stop: repeat(() => look().catch(onError), LOOK_MS) };
}

/** Holds the leases of this process's runners, and gives back the jobs of runners of other processes that have ended. */
export function openJobLeases(pool: Pool, onError: (error: unknown) => void): JobLeases {
  const runners = new Set<string>();
  const leases = holdLeases(pool, runners, onError);
  const others = giveBackJobs(pool, runners, onError);
  return {
    hold(runner) {
      runners.add(runner);
      void leases.hold();
    },
    async stop() {
      await Promise.all([others.stop(), leases.stop()]);
    },
  };
}
