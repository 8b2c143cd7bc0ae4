import { Logger, parseCronItems, type Runner, run, type Task } from 'graphile-worker';
import type { Pool } from 'pg';

/** What one job does; it may run again after a crash and must be safe to repeat. */
export type JobTask = (payload: unknown) => Promise<void>;

export interface JobSet {
  tasks: Record<string, JobTask>;
  /** Tasks run once a minute by one instance. */
  everyMinute: readonly string[];
}

/** Enqueues a job; with a key, an earlier one that has not started is replaced. */
export async function addJob(
  pool: Pool,
  task: string,
  payload: object,
  options: { key?: string; inMs?: number } = {},
): Promise<void> {
  await pool.query(
    "select graphile_worker.add_job($1, $2::json, run_at := now() + $3 * interval '1 millisecond', job_key := $4)",
    [task, JSON.stringify(payload), options.inMs ?? 0, options.key ?? null],
  );
}

/** Failures arrive through onError with our own log; the library's running commentary is dropped. */
const quiet = new Logger(() => () => undefined);

/** Runs jobs until stopped. Each job runs on one of all instances; stop waits for those under way. */
export async function startJobs(
  pool: Pool,
  sets: readonly JobSet[],
  onError: (error: unknown, task: string) => void,
): Promise<{ stop(): Promise<void> }> {
  const taskList: Record<string, Task> = {};
  for (const [name, task] of sets.flatMap((set) => Object.entries(set.tasks))) {
    taskList[name] = async (payload) => {
      try {
        await task(payload);
      } catch (error) {
        onError(error, name);
        throw error;
      }
    };
  }
  const runner: Runner = await run({
    pgPool: pool,
    taskList,
    parsedCronItems: parseCronItems(
      sets.flatMap((set) => set.everyMinute).map((task) => ({ task, match: '* * * * *' })),
    ),
    concurrency: 4,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: quiet,
  });
  return { stop: () => runner.stop() };
}
