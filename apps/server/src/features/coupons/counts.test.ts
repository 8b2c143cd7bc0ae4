/** Counts of coupons and spins that are written with them instead of being taken from all there ever were. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { wheelHelpers } from '../wheel/testing-wheel.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { putUp, giveCoins, spin, coupons, redeem, giveCoupon } = wheelHelpers(env);
const marketing = await operators.operator('marketing');

const rowsOf = async (sql: string) => (await env.owner.query(sql)).rows;
/** What the counts say, and what they are to say. */
const counted = () =>
  Promise.all([
    rowsOf('select prize_id, given::int, redeemed::int, by_operators from coupon_count order by 1, 4'),
    rowsOf('select wheel_id, slice_code, spins::int from spin_count order by 1, 2'),
  ]);
const there = () =>
  Promise.all([
    rowsOf(`select prize_id, count(*) filter (where batch_id is not null = by_operators)::int as given,
        count(*) filter (where state = 'CLAIMED' and not by_operators)::int as redeemed, by_operators
      from coupon join (select distinct prize_id, batch_id is not null as by_operators from coupon) k using (prize_id)
      group by 1, 4 order by 1, 4`),
    rowsOf(`select n.wheel_id, s.code as slice_code, count(*)::int as spins from spin n
      join wheel_slice s using (wheel_id, version, position) group by 1, 2 order by 1, 2`),
  ]);

test('coupons given, won and redeemed and spins at once are each counted, also by a server of the version before', async () => {
  const members = await Promise.all(Array.from({ length: 8 }, () => env.member()));
  for (const member of members) await giveCoins(member, 6);
  const [prize] = await putUp([{ kind: 'CASH', value: 100n }, {}, { kind: 'COIN', value: 1n }]);
  const grant = (key: string) =>
    operators.call(marketing, 'POST', '/api/operator/coupons', {
      prize: { id: String(prize) },
      members: members.map(({ phone }) => phone),
      check: false,
      key,
      reason: 'a festival',
    });
  const granted = Promise.all(['festival-1', 'festival-2'].map(grant));
  await Promise.all(members.flatMap((member) => Array.from({ length: 5 }, () => spin(member))));
  for (const { status } of await granted) expect(status).toBe(200);
  // It writes the row alone.
  await giveCoupon(members[0]!, prize!);
  await Promise.all(
    members.map(async (member) => {
      for (const { _id } of await coupons(member)) await redeem(member, _id);
    }),
  );
  const [counts, spins] = await counted();
  expect([counts, spins]).toEqual(await there());
  expect(spins.reduce((sum, row) => sum + row.spins, 0)).toBe(40);
  const { prizes } = (await operators.call(marketing, 'GET', '/api/operator/prizes')).body;
  const own = counts.filter(({ prize_id: id }) => id === prize);
  expect(prizes.find(({ id }: { id: string }) => id === String(prize))).toMatchObject({
    given: own.reduce((sum, { given }) => sum + given, 0),
    redeemed: own.reduce((sum, { redeemed }) => sum + redeemed, 0),
  });
});

test('coupons and spins from before the counts are counted once, when the routines come', async () => {
  await env.owner.query('delete from coupon_count; delete from spin_count');
  const apply = async () => {
    for (const file of ['coupons/sql/coupons.sql', 'wheel/sql/spins.sql'])
      await env.owner.query(await readFile(join(import.meta.dirname, '..', file), 'utf8'));
  };
  await apply();
  const sums = ([prizes, spins]: Awaited<ReturnType<typeof counted>>) => [
    prizes.reduce((sum, { given }) => sum + given, 0),
    prizes.reduce((sum, { redeemed }) => sum + redeemed, 0),
    spins,
  ];
  const first = await counted();
  expect(sums(first)).toEqual(sums(await there()));
  expect(sums(first)[1]).toBeGreaterThan(0);
  await apply();
  expect(await counted()).toEqual(first);
});
