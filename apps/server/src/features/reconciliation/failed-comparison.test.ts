import { DAY_MS, HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { beforeAll, expect, test } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';
import { pass, pushedClock } from '../testing.ts';
import { addDays, dayAt, spanOf } from './days.ts';
import { runDay, runDue } from './run.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const KBANK = 'bank:KBANK:1112223334';
const WW = 'gateway:WW';

/** The product with a bank whose statement makes the comparison throw. */
let calls = 0;
const deps = {
  ...env.app.deps,
  qrMakers: env.app.deps.qrMakers.map((maker) => ({
    ...maker,
    statement:
      maker.code === 'KBANK'
        ? () => {
            calls += 1;
            throw new RangeError('a statement beyond bounds');
          }
        : maker.statement,
  })),
};

const runOf = async (source: string, day: string) => {
  const sql = 'select state, note, tried, taken_by from reconciliation_run where day = $1 and source = $2';
  return (await env.owner.query(sql, [day, source])).rows[0];
};
const alerts = async () => {
  const sql = `select subject from alert where kind = 'reconciliation-silent' and closed_at is null`;
  return (await env.owner.query(sql)).rows.map(({ subject }) => subject);
};
const note = 'the comparison failed: RangeError: a statement beyond bounds';

beforeAll(async () => {
  const noon = spanOf(addDays(dayAt(clock.now()), 1))!.from.getTime() + 12 * HOUR_MS;
  await pass(env, clock, noon - clock.now().getTime());
  await env.app.runJob('feeds.read');
});

test('a source whose comparison throws ends as UNKNOWN with a note, and every other source is compared', async () => {
  const day = dayAt(clock.now());
  const { busy, failures } = await runDay(deps, day);
  expect(busy).toEqual([]);
  expect(failures).toMatchObject([{ message: 'a statement beyond bounds' }]);
  expect(await runOf(KBANK, day)).toEqual({ state: 'UNKNOWN', note, tried: 1, taken_by: null });
  expect(await runOf(WW, day)).toMatchObject({ state: 'COMPARED' });
});

test('the night goes on to every other source and day, waits longer each time, and alerts at the third failure', async () => {
  const yesterday = dayAt(clock.now());
  await pass(env, clock, DAY_MS);
  const day = addDays(yesterday, -1);
  await runDay(env.app.deps, day, WW);
  calls = 0;
  await expect(runDue(deps)).rejects.toThrow('a statement beyond bounds');
  const days = calls;
  expect(days).toBeGreaterThan(0);
  expect(await runOf(WW, yesterday)).toMatchObject({ state: 'COMPARED' });
  expect(await runOf(KBANK, yesterday)).toMatchObject({ state: 'UNKNOWN', note });
  // A minute is less than the pause after a failure.
  await pass(env, clock, MINUTE_MS);
  await runDue(deps);
  expect(calls).toBe(days);
  for (let time = 0; time < 3; time++) {
    await pass(env, clock, HOUR_MS);
    await expect(runDue(deps)).rejects.toThrow('a statement beyond bounds');
  }
  expect(await alerts()).toContain(`reconciliation:${yesterday}:${KBANK}`);
  await pass(env, clock, HOUR_MS);
  await runDue(env.app.deps);
  expect(await runOf(KBANK, yesterday)).toMatchObject({ state: 'COMPARED', note: null });
  expect(await alerts()).toEqual([]);
});
