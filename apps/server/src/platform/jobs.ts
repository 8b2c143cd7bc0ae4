import { EventEmitter } from 'node:events';
import {
  type CronItem,
  type Job,
  Logger,
  parseCronItems,
  type Runner,
  run,
  type Task,
  type WorkerEvents,
} from 'graphile-worker';
import pg from 'pg';
import type { Db, Pool } from './database/db.ts';
import { untyped } from './database/untyped.ts';
import { openJobLeases } from './job-leases.ts';
import { openDedicated } from './listen.ts';

/** What one job does; it may run again after a crash and must be safe to repeat. */
export type JobTask = (payload: unknown) => Promise<void>;

export interface JobSet {
  /** The partner its tasks call, and for what. Jobs of one kind run apart from all others, so that a slow partner delays only its own. */
  partner?:
    | 'payouts'
    | 'qr'
    | 'gifts'
    | 'slips'
    | 'feeds'
    | 'games'
    | 'game readings'
    | 'bonuses'
    | 'push'
    | 'mail'
    | 'reconciliation';
  tasks: Record<string, JobTask>;
  /** Tasks run once a minute by one instance. */
  everyMinute: readonly string[];
  /** The same once an hour. */
  everyHour?: readonly string[];
}

/**
 * Enqueues a job, in the caller's transaction when given one; with a key, an earlier one that has not started is
 * replaced. Whatever the caller commits with it is seen by a run that starts, or looks, after that commit.
 */
export async function addJob(
  pool: Db,
  task: string,
  payload: object,
  options: { key?: string; inMs?: number } = {},
): Promise<void> {
  await pool.query(
    "select graphile_worker.add_job($1, $2::json, run_at := now() + $3 * interval '1 millisecond', job_key := $4)",
    [task, JSON.stringify(payload), options.inMs ?? 0, options.key ?? null],
  );
}

/**
 * Enqueues a job for what a sweep found, under a key; a scheduled one keeps its time. It has one try: the sweep, which
 * finds its subject until that has ended, is the repeat. With more, a job that fails each time, and has given up its key
 * with its first, would have a copy from each sweep.
 */
export async function addSweptJob(pool: Db, task: string, payload: object, key: string): Promise<void> {
  await pool.query(
    `select graphile_worker.add_job($1, $2::json, job_key := $3, job_key_mode := 'preserve_run_at', max_attempts := 1)`,
    [task, JSON.stringify(payload), key],
  );
}

/** Failures arrive through onError with our own log; the library's running commentary is dropped. */
const quiet = new Logger(() => () => undefined);

const CANNOT_CONNECT_NOW = '57P03';
const RESTART_MS = 1000;

/**
 * A failure of the line or of the database itself, such as a full or slow disk, rather than of the statement: it passes,
 * and the statement may be sent again.
 */
const isPassing = (error: unknown): boolean => {
  const code = String((error as { code?: unknown }).code ?? '');
  // Codes of the database hold a digit; EPIPE has five letters too.
  return !/^(?=.*\d)[0-9A-Z]{5}$/.test(code) || /^(08|25006|53|57|58)/.test(code);
};

type Query = string | { text: string; values?: unknown[] };

/**
 * The same pool as the job library needs it. It expects BIGINT as text. And it ends a job with a statement that is not
 * awaited and is retried only when the failure has a known code: otherwise a broken connection, or a full
 * disk, in that moment ends the process. `requested` resolves when every requested connection is given: a pool that is ended
 * before would leave the end of a job unwritten.
 */
function forLibrary(pool: pg.Pool): { pool: pg.Pool; requested(): Promise<void> } {
  const connecting = new Set<Promise<unknown>>();
  const known = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw isPassing(error) ? Object.assign(error as Error, { code: CANNOT_CONNECT_NOW }) : error;
    }
  };
  const overriding = <O extends object>(target: O, methods: Record<string, unknown>): O =>
    new Proxy(target, {
      get(_target, name) {
        const value = methods[name as string] ?? Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const connect = async (open: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> => {
    const coming = known(open());
    connecting.add(coming);
    const client = await coming.finally(() => connecting.delete(coming));
    return overriding(client, {
      query: (query: Query, values?: unknown[]) => {
        const requested = typeof query === 'string' ? { text: query, values } : query;
        return known(client.query({ ...requested, types: pg.types } as pg.QueryConfig));
      },
    });
  };
  const lent = overriding(pool, {
    // With a callback the library requests its permanent connection, to listen on; that one is outside the pool.
    connect: (
      callback?: (error: unknown, client?: pg.PoolClient, release?: pg.PoolClient['release']) => void,
    ) =>
      callback
        ? void connect(() => openDedicated(pool)).then(
            (client) => callback(undefined, client, client.release),
            callback,
          )
        : connect(() => pool.connect()),
  });
  return {
    pool: lent,
    async requested() {
      await Promise.allSettled(connecting);
    },
  };
}

/**
 * Takes the key off a job that has begun. The library does not add a job under the key of one that began an instant
 * before the adding transaction looked: what that transaction brings would be seen by no run. It does lock the row it
 * found, so this waits for its end, and the run looks after that.
 */
const giveUpKey = async (pool: Pool, { id, key }: Pick<Job, 'id' | 'key'>): Promise<void> => {
  if (key) await pool.query('update graphile_worker._private_jobs set key = null where id = $1', [id]);
};

/** Jobs at once of one partner, and of all that call none. */
const PARTNER_CONCURRENCY = 2;
const OTHER_CONCURRENCY = 4;

/** When the tasks of some sets run. The next minute, or hour, is the repeat of one that failed. */
export function cronItems(sets: readonly JobSet[]): CronItem[] {
  const once = (task: string) => ({ maxAttempts: 1, jobKey: task, jobKeyMode: 'replace' as const });
  return sets.flatMap(({ everyMinute, everyHour = [] }) => [
    ...everyMinute.map((task) => ({ task, match: '* * * * *', options: once(task) })),
    ...everyHour.map((task) => ({ task, match: '17 * * * *', options: once(task) })),
  ]);
}

/** Deletes jobs that failed for the last time a week ago, so many at most: the library leaves them where they are. */
export async function sweepFailedJobs(db: Db, count: number): Promise<void> {
  await db.query(
    `delete from graphile_worker._private_jobs where id = any(array(
       select id from graphile_worker._private_jobs
       where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '7 days'
       order by id limit $1))`,
    [count],
  );
}

/** What a runner of the job library needs. */
interface RunnerDeps {
  pgPool: pg.Pool;
  pool: Pool;
  events: WorkerEvents;
  onError(error: unknown, task: string): void;
}

/** Runs the jobs of some sets until stopped. A runner that gave up is followed by another, for as long as it takes. */
async function startRunner(
  { pgPool, pool, events, onError }: RunnerDeps,
  sets: readonly JobSet[],
  concurrency: number,
): Promise<{ stop(): Promise<void> }> {
  const taskList: Record<string, Task> = {};
  for (const [name, task] of sets.flatMap((set) => Object.entries(set.tasks))) {
    taskList[name] = async (payload, { job }) => {
      try {
        await giveUpKey(pool, job);
        await task(payload);
      } catch (error) {
        onError(error, name);
        throw error;
      }
    };
  }
  const start = (): Promise<Runner> =>
    run({
      pgPool,
      taskList,
      parsedCronItems: parseCronItems(cronItems(sets)),
      concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      logger: quiet,
      events,
    });
  let stopped = false;
  let runner = await start();
  const follow = async (): Promise<void> => {
    while (!stopped) {
      await runner.promise.catch((error: unknown) => onError(error, 'runner'));
      while (!stopped) {
        await new Promise((resume) => setTimeout(resume, RESTART_MS).unref());
        if (stopped) return;
        const next = await start().catch((error: unknown) => onError(error, 'runner'));
        if (next) {
          runner = next;
          break;
        }
      }
    }
  };
  void follow();
  return {
    async stop() {
      stopped = true;
      await runner.stop().catch((error: unknown) => onError(error, 'runner'));
    },
  };
}

/**
 * Runs jobs until stopped. Each job runs on one of all instances; stop waits for those under way, after which the
 * pool may be ended. Jobs of an instance that was killed run on another within some seconds.
 */
export async function startJobs(
  pool: Pool,
  sets: readonly JobSet[],
  onError: (error: unknown, task: string) => void,
): Promise<{ stop(): Promise<void> }> {
  const { pool: pgPool, requested } = forLibrary(untyped(pool));
  const leases = openJobLeases(pool, (error) => onError(error, 'leases'));
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => leases.hold(workerPool.id));
  const byPartner = Map.groupBy(sets, ({ partner }) => partner);
  const runners = await Promise.all(
    [...byPartner].map(([partner, own]) =>
      startRunner({ pgPool, pool, events, onError }, own, partner ? PARTNER_CONCURRENCY : OTHER_CONCURRENCY),
    ),
  );
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
      await requested();
      await leases.stop();
    },
  };
}
