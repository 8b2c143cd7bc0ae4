import { io } from 'socket.io-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { PLAN, wheelHelpers } from './testing-wheel.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { giveCoins, setup, spin, coinsOf } = wheelHelpers(env);
const [mali, lead, finance, auditor] = await Promise.all(
  ['marketing', 'finance-lead', 'finance', 'auditor'].map((role) => operators.operator(role)),
);
await env.set('wheel.active', true);
// No wheel turns but those made here.
await env.owner.query("update wheel set state = 'STOPPED' where state = 'OPEN'");

const reason = 'as agreed';
const post = (as: typeof mali, path: string, body: object) =>
  operators.call(as!, 'POST', `/api/operator/${path}`, body);
const read = async (id: string) => (await operators.call(mali!, 'GET', `/api/operator/wheels/${id}`)).body;
const approve = (id: string, as = lead) => post(as, `approvals/${id}/approve`, {});

/** A wheel of this plan, written and not published. */
async function draft(plan: object = PLAN): Promise<string> {
  const { status, body } = await post(mali, 'wheels', { currency: 'BAHT', plan, reason });
  expect([status, body]).toEqual([200, { id: expect.any(String), version: 1 }]);
  return body.id;
}

async function publish(id: string, version: number, seen: number | null) {
  const { body } = await post(mali, `wheels/${id}/publish`, { version, seen, reason });
  return (await approve(body.approval)).body;
}

describe('a wheel', () => {
  test('a payload that the request hides: the checker sees the terms that decide what a prize is worth', async () => {
    const terms = {
      successPercent: 101,
      failPercent: 99,
      turnoverTimes: 0,
      games: null,
      withdrawMost: null,
      days: 30,
    };
    const slices = PLAN.slices.map((slice, at) =>
      at === 0 ? { ...slice, prize: { ...slice.prize, kind: 'BONUS', terms } } : slice,
    );
    const id = await draft({ ...PLAN, slices });
    const { approval } = (await post(mali, `wheels/${id}/publish`, { version: 1, seen: null, reason })).body;
    const { approvals } = (await operators.call(lead!, 'GET', '/api/operator/approvals')).body;
    const { summary } = approvals.find((row: { id: string }) => row.id === approval);
    expect(summary.slicesBONUS.en).toMatch(/\(101 %, 99 %/);
  });

  test('that is published, replaced or stopped is known to the apps of members at once, a draft is not', async () => {
    const member = await env.member();
    const socket = io(env.url, { auth: { token: member.token }, transports: ['websocket'] });
    onTestFinished(() => void socket.close());
    const parts: string[] = [];
    socket.on('site', ({ part }) => parts.push(part));
    await new Promise((resume) => socket.once('connect', () => resume(null)));
    const event = [{ memberId: '*', event: 'site', payload: { part: 'mark' } }];
    /** How many events about the wheel arrived since the last call. */
    const arrived = async () => {
      await env.owner.query("select pg_notify('member_event', $1)", [JSON.stringify(event)]);
      await until(async () => parts.includes('mark'));
      return parts.splice(0).filter((part) => part === 'wheel').length;
    };
    await arrived();
    const id = await draft();
    await post(mali, `wheels/${id}/versions`, { plan: { ...PLAN, costPerSpin: 10 }, after: 1, reason });
    expect(await arrived()).toBe(0);
    await publish(id, 1, null);
    expect(await arrived()).toBe(1);
    await publish(id, 2, 1);
    expect(await arrived()).toBe(1);
    await post(mali, `wheels/${id}/stop`, { reason });
    expect(await arrived()).toBe(1);
  });

  test('is seen by members only once a second person agreed, and is gone when it is stopped', async () => {
    const member = await env.member();
    const id = await draft();
    expect((await setup(member)).activeSpinwheel).toBeNull();
    const requested = await post(mali, `wheels/${id}/publish`, { version: 1, seen: null, reason });
    expect(requested.body).toEqual({ state: 'DRAFT', approval: expect.any(String) });
    expect((await setup(member)).activeSpinwheel).toBeNull();
    const again = await post(mali, `wheels/${id}/publish`, { version: 1, seen: null, reason });
    expect(again.body).toEqual({ message: 'APPROVAL_PENDING', data: { approval: requested.body.approval } });
    expect((await approve(requested.body.approval, mali)).body.message).toBe('UNAUTHORIZED');
    expect((await approve(requested.body.approval, finance)).body.message).toBe('UNAUTHORIZED');
    expect((await approve(requested.body.approval)).body.state).toBe('OPEN');
    expect((await setup(member)).activeSpinwheel).toMatchObject({
      name: 'Lucky wheel',
      slices: [{ code: 'CASH20', htmlDescription: '<p>x</p>' }, { code: 'BAG' }, { code: 'BLANK' }],
    });
    expect((await post(auditor, `wheels/${id}/stop`, { reason })).status).toBe(403);
    expect((await post(mali, `wheels/${id}/stop`, { reason })).body.state).toBe('STOPPED');
    expect((await spin(member)).body.error).toBe('SPINWHEEL_INACTIVE');
    expect((await post(mali, `wheels/${id}/stop`, { reason })).body.message).toBe('ROW_CHANGED');
    expect((await operators.audit(`wheel:${id}`)).map((row) => row.action)).toEqual([
      'wheel.save',
      'approval.request',
      'wheel.publish',
      'wheel.stop',
    ]);
  });

  test('replaces the active one, and an earlier version is restored as the next', async () => {
    const [old, id] = [await draft(), await draft()];
    await publish(old, 1, null);
    await publish(id, 1, null);
    expect((await read(old)).wheel.state).toBe('STOPPED');
    const changed = { ...PLAN, costPerSpin: 3 };
    expect(
      (await post(mali, `wheels/${id}/versions`, { plan: changed, after: 1, reason })).body.version,
    ).toBe(2);
    const stale = await post(mali, `wheels/${id}/versions`, { plan: changed, after: 1, reason });
    expect(stale.body.message).toBe('ROW_CHANGED');
    await publish(id, 2, 1);
    const member = await env.member();
    expect((await setup(member)).activeSpinwheel.costPerSpin).toBe(3);
    expect((await post(mali, `wheels/${id}/revert`, { to: 1, after: 2, reason })).body.version).toBe(3);
    await publish(id, 3, 2);
    expect((await setup(member)).activeSpinwheel.costPerSpin).toBe(1);
    const { versions } = await read(id);
    expect(
      versions.map((one: { version: number; revertsTo: number | null }) => [one.version, one.revertsTo]),
    ).toEqual([
      [3, 1],
      [2, null],
      [1, null],
    ]);
    expect(versions[0].plan).toEqual(versions[2].plan);
  });

  test('goes on with the stock and the coupons of a prize, however its names and games are ordered', async () => {
    const terms = { successPercent: 0, failPercent: 0, turnoverTimes: 1, withdrawMost: null, days: 30 };
    const planOf = (games: Record<string, number>) => ({
      ...PLAN,
      slices: PLAN.slices.map((slice, at) =>
        at === 0 ? { ...slice, prize: { ...slice.prize, kind: 'BONUS', terms: { ...terms, games } } } : slice,
      ),
    });
    const id = await draft(planOf({ pg: 100, imi: 50, betflix: 0 }));
    const save = (plan: object, after: number) =>
      post(mali, `wheels/${id}/versions`, { plan, after, reason });
    expect((await save(planOf({ betflix: 0, pg: 100, imi: 50 }), 1)).body.version).toBe(2);
    expect((await post(mali, `wheels/${id}/revert`, { to: 1, after: 2, reason })).body.version).toBe(3);
    expect((await save(planOf({ pg: 99, imi: 50, betflix: 0 }), 3)).body.version).toBe(4);
    const { rows } = await env.owner.query(
      `select code, array_agg(prize_id order by version) as prizes from wheel_slice
       where wheel_id = $1 and prize_id is not null group by code`,
      [id],
    );
    const prizesOf = Object.fromEntries(rows.map(({ code, prizes }) => [code, prizes]));
    const [bag, weighted] = [prizesOf.BAG[0], prizesOf.CASH20[0]];
    expect(prizesOf).toEqual({
      BAG: [bag, bag, bag, bag],
      CASH20: [weighted, weighted, weighted, expect.toSatisfy((id) => id !== weighted)],
    });
  });

  test('approved after another version was published meanwhile is not', async () => {
    const id = await draft();
    await publish(id, 1, null);
    await post(mali, `wheels/${id}/versions`, { plan: PLAN, after: 1, reason });
    const { body } = await post(mali, `wheels/${id}/publish`, { version: 2, seen: 1, reason });
    await env.owner.query('update wheel set version = 2 where id = $1', [id]);
    expect((await approve(body.approval)).body.message).toBe('ROW_CHANGED');
  });

  test('stopped after the request stays stopped, as does a replaced one', async () => {
    const [id, other] = [await draft(), await draft()];
    await publish(id, 1, null);
    const request = async () =>
      (await post(mali, `wheels/${id}/publish`, { version: 1, seen: 1, reason })).body;
    const first = await request();
    await post(mali, `wheels/${id}/stop`, { reason });
    expect((await approve(first.approval)).body).toEqual({
      message: 'ROW_CHANGED',
      data: { state: 'STOPPED' },
    });
    expect((await read(id)).wheel.state).toBe('STOPPED');
    await post(mali, `approvals/${first.approval}/withdraw`, {});
    const second = await request();
    // Its checker was shown that nothing is replaced.
    await publish(other, 1, null);
    expect((await approve(second.approval)).body.message).toBe('ROW_CHANGED');
    expect((await read(other)).wheel.state).toBe('OPEN');
    await post(mali, `wheels/${other}/stop`, { reason });
    expect((await approve(second.approval)).body.state).toBe('OPEN');
  });

  test('counts its prizes; stock continues over versions and restarts with another prize', async () => {
    const member = await env.member();
    await giveCoins(member, 10);
    const bags = {
      ...PLAN,
      slices: PLAN.slices.map((one) => ({ ...one, weight: one.code === 'BAG' ? 1 : 0 })),
    };
    const id = await draft({
      ...bags,
      slices: [...bags.slices, { ...PLAN.slices[2], code: 'X', weight: 1 }],
    });
    await publish(id, 1, null);
    while ((await read(id)).slices[1].left > 0) {
      await giveCoins(member, 1);
      await spin(member);
    }
    const { wheel, slices } = await read(id);
    expect(wheel).toMatchObject({ won: 300, expectedCost: 0, name: PLAN.name });
    expect(slices[1]).toEqual({ code: 'BAG', spins: 2, left: 0 });
    await post(mali, `wheels/${id}/versions`, { plan: bags, after: 1, reason });
    await publish(id, 2, 1);
    expect((await spin(member)).body.error).toBe('SPINWHEEL_INACTIVE');
    const other = { ...bags.slices[1]!, prize: { ...bags.slices[1]!.prize!, value: 200 } };
    const richer = { ...bags, slices: [other, PLAN.slices[2]] };
    await post(mali, `wheels/${id}/versions`, { plan: richer, after: 2, reason });
    await publish(id, 3, 2);
    expect((await read(id)).slices[0]).toMatchObject({ code: 'BAG', left: 2 });
    const before = await coinsOf(member);
    expect((await spin(member)).body.success).toBe(true);
    expect(await coinsOf(member)).toBe(before - 1);
  });

  test.each([
    ['two slices of one code', { slices: [PLAN.slices[0], PLAN.slices[0]] }],
    ['nothing to draw', { slices: PLAN.slices.map((one) => ({ ...one, weight: 0 })) }],
    ['no name in Lao', { name: { ...PLAN.name, la: ' ' } }],
    ['stock of nothing', { slices: [PLAN.slices[0], { ...PLAN.slices[2], stock: 3 }] }],
    [
      'half a satang',
      { slices: [PLAN.slices[2], { ...PLAN.slices[0], prize: { ...PLAN.slices[0]!.prize, value: 0.005 } }] },
    ],
    [
      'cash with terms',
      {
        slices: [
          PLAN.slices[2],
          {
            ...PLAN.slices[0],
            prize: {
              ...PLAN.slices[0]!.prize,
              terms: {
                successPercent: 200,
                failPercent: 0,
                turnoverTimes: 0,
                games: null,
                withdrawMost: null,
                days: 3,
              },
            },
          },
        ],
      },
    ],
    [
      'a bonus without terms',
      { slices: [PLAN.slices[2], { ...PLAN.slices[0], prize: { ...PLAN.slices[0]!.prize, kind: 'BONUS' } }] },
    ],
    ['a colour that is none', { slices: [PLAN.slices[2], { ...PLAN.slices[0], bgColor: 'red' }] }],
  ])('is refused with %s', async (_what, change) => {
    const { body } = await post(mali, 'wheels', { currency: 'BAHT', plan: { ...PLAN, ...change }, reason });
    expect(body.message).toBe('INVALID_REQUEST');
  });
});

test('a simulation agrees with the weights and never wins what is out of stock', async () => {
  const simulate = async (slices: object[]) => (await post(auditor, 'wheel-simulation', { slices })).body;
  const { spins, counts } = await simulate([
    { weight: 1, left: null },
    { weight: 9, left: null },
    { weight: 500, left: 0 },
    { weight: 500, left: 7 },
  ]);
  expect([spins, counts[2], counts[3]]).toEqual([100_000, 0, 7]);
  // Five standard deviations around a tenth.
  expect(Math.abs(counts[0] - 9_999)).toBeLessThan(480);
  expect(await simulate([{ weight: 3, left: 2 }])).toEqual({ spins: 2, counts: [2] });
});

test('the books agree', async () => {
  expect(await verifyLedger(env.owner)).toEqual([]);
});
