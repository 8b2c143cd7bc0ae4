import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../platform/database/testing.ts';
import { addJob, startJobs } from '../platform/jobs.ts';

const { app: pool, owner } = await testDatabase();
await owner.query(`
  create sequence refused;
  grant usage on sequence refused to krapao_app;
  create function refuse_writes() returns trigger language plpgsql as $$
  begin
    perform nextval('refused');
    raise exception 'not now' using errcode = tg_argv[0];
  end $$`);

/** The database refuses every change of the jobs' table with this code, as with a full disk. */
const refuseWrites = (code: string) =>
  owner.query(`create trigger refuse_writes before update or delete on graphile_worker._private_jobs
    for each row execute function refuse_writes('${code}')`);
const takeWrites = () => owner.query('drop trigger refuse_writes on graphile_worker._private_jobs');
const refusals = async (): Promise<number> =>
  Number((await owner.query('select last_value from refused where is_called')).rows[0]?.last_value ?? 0);

const ran: string[] = [];
const jobs = await startJobs(
  pool,
  [
    {
      tasks: {
        'test.good': async (payload) => {
          const { code } = payload as { code: string };
          ran.push(code);
          if (ran.filter((one) => one === code).length === 1) await refuseWrites(code);
        },
      },
      everyMinute: [],
    },
  ],
  () => undefined,
);
afterAll(() => jobs.stop());

// An end that is refused for good rejects as an unhandled error, which ends a server and fails this file.
test.each([
  ['a full disk', '53100'],
  ['a statement out of time', '57014'],
  ['a disk that does not answer', '58030'],
])(
  'the end of a job waits for %s to pass',
  async (_what, code) => {
    const before = await refusals();
    await addJob(owner, 'test.good', { code });
    await expect.poll(refusals).toBeGreaterThan(before);
    await takeWrites();
    const left = async () =>
      (await owner.query("select from graphile_worker.jobs where task_identifier = 'test.good'")).rowCount;
    await expect.poll(left).toBe(0);
    expect(ran.filter((one) => one === code)).toHaveLength(1);
  },
  60_000,
);
