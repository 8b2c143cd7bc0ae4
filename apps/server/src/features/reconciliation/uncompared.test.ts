import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { expect, test } from 'vitest';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { qrWarnings } from '../deposits/qr/gone-gateways.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { pass, pushedClock } from '../testing.ts';
import { addDays, dayAt, spanOf } from './days.ts';
import { runDay, runDue } from './run.ts';
import { listSources } from './sources.ts';

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

test('a gateway whose settings were removed is listed as not offered, and warned of, while its QRs may be paid', async () => {
  const member = await env.member();
  await env.call('POST', '/api/qrcode/WW', { amount: 100 }, { token: member.token });
  const day = dayAt(clock.now());
  await pass(env, clock, 3 * MINUTE_MS);
  const { qrMakers } = env.app.deps;
  const deps = { ...env.app.deps, qrMakers: qrMakers.filter(({ code }) => code !== 'WW') };
  const gateways = async () =>
    (await listSources(deps)).map(({ id }) => id).filter((id) => /gateway/.test(id));
  expect(await gateways()).toEqual(['gateway:ZAPMAN', 'gateway:WW']);
  await runDay(deps, day, 'gateway:WW');
  const sql = `select state, note from reconciliation_run where day = $1 and source = 'gateway:WW'`;
  expect((await env.owner.query(sql, [day])).rows).toEqual([
    { state: 'NOT_OFFERED', note: 'NOT_CONFIGURED' },
  ]);
  expect(await qrWarnings(deps, deps.qrMakers)).toEqual([expect.stringMatching(/^WW is not configured/)]);
  expect(await qrWarnings(deps, qrMakers)).toEqual([]);
  await env.owner.query('update qr set answered_at = expires_at');
  expect(await qrWarnings(deps, deps.qrMakers)).toEqual([]);
  expect(await gateways()).toEqual(['gateway:ZAPMAN', 'gateway:WW']);
  await pass(env, clock, 8 * 24 * HOUR_MS);
  expect(await gateways()).toEqual(['gateway:ZAPMAN']);
});

test('a gateway whose settings are missing keeps what was found, and is compared for missed nights once they are back', async () => {
  const noon = spanOf(addDays(dayAt(clock.now()), 1))!.from.getTime() + 12 * HOUR_MS;
  await pass(env, clock, noon - clock.now().getTime());
  const member = await env.member();
  const { body } = await env.call('POST', '/api/qrcode/WW', { amount: 150 }, { token: member.token });
  const { payments } = await env.control('pay-qr', { payload: body.payload, phone: member.phone });
  await until(async () => (await env.balance(member)) > 0n);
  const { deps } = env.app;
  const without = { ...deps, qrMakers: deps.qrMakers.filter(({ code }) => code !== 'WW') };
  const day = dayAt(clock.now());
  const runOf = async () => {
    const sql = `select r.state, r.note, count(d.*)::int as found from reconciliation_run r
      left join reconciliation_difference d on d.day = r.day and d.source = r.source
      where r.day = $1 and r.source = 'gateway:WW' group by 1, 2`;
    return (await env.owner.query(sql, [day])).rows;
  };
  const ofGateway = async () =>
    (await alerts()).filter(({ subject }) => subject.endsWith(`${day}:gateway:WW`));
  await pass(env, clock, 3 * MINUTE_MS);
  await env.control('misprint', { party: 'ww', reference: payments[0].transRef });
  await runDay(deps, day, 'gateway:WW');
  const [alert] = await ofGateway();
  expect(await runOf()).toEqual([{ state: 'COMPARED', note: null, found: 1 }]);
  await runDay(without, day, 'gateway:WW');
  expect(await runOf()).toEqual([{ state: 'NOT_OFFERED', note: 'NOT_CONFIGURED', found: 1 }]);
  expect(await ofGateway()).toEqual([alert]);
  await pass(env, clock, 24 * HOUR_MS);
  await runDue(without);
  expect(await runOf()).toEqual([{ state: 'NOT_OFFERED', note: 'NOT_CONFIGURED', found: 1 }]);
  await env.control('misprint', { party: 'ww', reference: payments[0].transRef, restore: true });
  await runDue(deps);
  expect((await runOf())[0]).toMatchObject({ state: 'NOT_OFFERED' });
  await pass(env, clock, HOUR_MS);
  await runDue(deps);
  expect(await runOf()).toEqual([{ state: 'COMPARED', note: null, found: 0 }]);
  expect(await ofGateway()).toEqual([]);
}, 120_000);
