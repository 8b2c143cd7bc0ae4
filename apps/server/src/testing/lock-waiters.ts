import type { TestEnv } from './test-env.ts';
import { until } from './until.ts';

/** Waits until so many connections of the test's database wait for a lock. */
export async function untilWaiting({ owner }: Pick<TestEnv, 'owner'>, wanted: number): Promise<void> {
  await until(async () => {
    const { rows } = await owner.query(
      `select count(distinct l.pid)::int as count from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where a.datname = current_database() and not l.granted`,
    );
    return rows[0].count === wanted;
  });
}
