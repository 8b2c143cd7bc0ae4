import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { expect, test } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { pass, pushedClock } from '../testing.ts';
import { addDays, dayAt, spanOf } from './days.ts';
import { runDay } from './run.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { open, transfer } = gameHelpers(env);
const GAME = 'game:betflix:BAHT';

const alerts = async () => {
  const sql = `select kind, subject from alert where kind like 'reconciliation%' and closed_at is null order by kind`;
  return (await env.owner.query(sql)).rows;
};

test('a game that stays silent until its day cannot be compared any more leaves what was found, and no alert of its silence', async () => {
  const noon = spanOf(addDays(dayAt(clock.now()), 1))!.from.getTime() + 12 * HOUR_MS;
  await pass(env, clock, noon - clock.now().getTime());
  const day = dayAt(clock.now());
  const member = await env.member({ amountMinor: 10_000n });
  await open(member, 'betflix');
  await transfer(member, 'wallet', 'betflix', 50);
  await pass(env, clock, 3 * MINUTE_MS);
  const compare = () => runDay(env.app.deps, day, GAME);
  await env.control('misprint', { party: 'game-f', reference: `betflix/kp${member.id}`, amount: '50.01' });
  await compare();
  const subject = `reconciliation:${day}:${GAME}`;
  expect(await alerts()).toEqual([{ kind: 'reconciliation', subject }]);
  await env.fault({ party: 'game-f', call: 'balance', kind: 'outage' });
  for (let time = 0; time < 3; time++) await compare();
  expect(await alerts()).toEqual([
    { kind: 'reconciliation', subject },
    { kind: 'reconciliation-silent', subject },
  ]);
  await pass(env, clock, 72 * HOUR_MS);
  await compare();
  const sql = 'select state, note from reconciliation_run where day = $1 and source = $2';
  expect((await env.owner.query(sql, [day, GAME])).rows).toEqual([
    { state: 'NOT_OFFERED', note: 'ONLY_NOW' },
  ]);
  expect(await alerts()).toEqual([{ kind: 'reconciliation', subject }]);
});
