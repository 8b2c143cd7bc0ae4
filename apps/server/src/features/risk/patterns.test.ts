import { beforeAll, expect, test } from 'vitest';
import type { TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { BROWSER, failedTransfer, riskHelpers } from './testing-risk.ts';

const env = await startTestEnv();
const script = riskHelpers(env);
let finance: TestOperator;

beforeAll(async () => {
  finance = await script.operators.operator('finance');
  await env.set('withdraw.oneOpen', false);
});

const members = (count: number): Promise<TestMember[]> =>
  Promise.all(Array.from({ length: count }, () => env.member()));
const refs = (of: readonly TestMember[]) => of.map(({ id }) => ({ id: String(id), name: 'ทดสอบ ระบบ' }));

/** What each pattern does to a member with money, and the figures that its part then tells. */
const PATTERNS: [code: string, run: (one: TestMember) => Promise<object>][] = [
  [
    'SHARED_ACCOUNT',
    async (one) => {
      const other = await env.member();
      await script.shareAccount(one, other);
      return { count: 1, members: refs([other]) };
    },
  ],
  [
    'SHARED_DEVICE',
    async (one) => {
      const others = await members(2);
      for (const member of [one, ...others]) await script.login(member, '198.51.100.7');
      return { count: 2, members: expect.arrayContaining(refs(others)) };
    },
  ],
  [
    'SHARED_ADDRESS',
    async (one) => {
      const others = await members(3);
      await script.login(one, '198.51.100.8', BROWSER.desktop);
      for (const [index, member] of others.entries())
        await script.login(member, '198.51.100.8', `Other ${index}`);
      return { count: 3, members: expect.arrayContaining(refs(others)) };
    },
  ],
  [
    'INVITER_RING',
    async (one) => {
      const invited = await members(3);
      for (const member of invited) await script.invite(one, member);
      for (const member of invited) await script.login(member, '198.51.100.9');
      return { count: 3, members: expect.arrayContaining(refs(invited)) };
    },
  ],
  [
    'SLIPS_REFUSED',
    async (one) => {
      await script.refuseSlips(one, 3);
      return { count: 3 };
    },
  ],
  [
    'PAID_TWICE',
    async (one) => {
      const { id } = await script.withdraw(finance, one, 100);
      await env.owner.query("update withdrawal set status = 'FAILED' where id = $1", [id]);
      await env.app.deps.alert('payout-contradicts', `withdrawal:${id}`, 'paid after all');
      return { withdrawal: id };
    },
  ],
  [
    'PAID_TWICE',
    async (one) => {
      const transfer = await failedTransfer(env, one, 'IN');
      await env.app.deps.alert('transfer-contradicts', `transfer:${transfer}`, 'taken after all');
      return { withdrawal: null, transfer };
    },
  ],
  [
    'BONUS_HOPPING',
    async (one) => {
      for (let time = 0; time < 2; time++) {
        await script.endBonus(one);
        expect((await script.withdraw(finance, one, 100)).automatic).toBe(true);
      }
      await script.endBonus(one);
      return { count: 3 };
    },
  ],
  [
    'SUDDEN_STAKES',
    async (one) => {
      for (const day of [2, 5, 9]) await script.takeIn(one, 200, day);
      await script.takeIn(one, 2_100, 0);
      return { amount: 2_100, usual: 200, count: 3 };
    },
  ],
  [
    'MANY_NETWORKS',
    async (one) => {
      for (const network of ['198.51.100.1', '203.0.113.1', '2001:db8::/64'])
        await script.login(one, network, network);
      return { count: 3 };
    },
  ],
];

test.each(PATTERNS)('reports %s with its figures, and holds the member’s withdrawal', async (code, run) => {
  const one = await env.member({ amountMinor: 100_000n });
  const figures = await run(one);
  const detail = await script.withdraw(finance, one, 100);
  expect(detail).toMatchObject({ status: 'REVIEW', automatic: false });
  expect(detail.assessment.parts).toEqual([expect.objectContaining({ code, ...figures })]);
  expect(detail.assessment.reasons).toEqual(['SCORE']);
  expect(detail.assessment.score).toBe(detail.assessment.parts[0].points);
});

test('a transfer out of a game that was executed after all harms only the member, and holds nothing', async () => {
  const one = await env.member({ amountMinor: 100_000n });
  const transfer = await failedTransfer(env, one, 'OUT');
  await env.app.deps.alert('transfer-contradicts', `transfer:${transfer}`, 'taken out after all');
  expect((await script.withdraw(finance, one, 100)).automatic).toBe(true);
});

test('money deposited and withdrawn without a stake waits, also when it went through a game', async () => {
  const [one] = await members(1);
  await script.payIn(one!, 300);
  await script.play(one!, 300, 0);
  const detail = await script.withdraw(finance, one!, 300);
  expect(detail).toMatchObject({
    status: 'REVIEW',
    assessment: { score: 40, reasons: ['SCORE', 'UNPLAYED'] },
  });
  expect(detail.assessment.parts).toMatchObject([{ code: 'UNPLAYED', amount: 300 }]);
  expect(await script.riskOf(finance, one!)).toMatchObject({ score: 40, parts: [{ code: 'UNPLAYED' }] });
});

test('an amount far above what the member usually withdraws waits', async () => {
  const one = await env.member({ amountMinor: 500_000n });
  const ids: string[] = [];
  for (let time = 0; time < 3; time++) ids.push((await script.withdraw(finance, one, 100)).id);
  await until(async () => {
    const { rows } = await env.pool.query(
      "select count(*)::int as paid from withdrawal where id = any($1) and status = 'SUCCESS'",
      [ids],
    );
    return rows[0].paid === 3;
  });
  expect((await script.withdraw(finance, one, 1_000)).automatic).toBe(true);
  const detail = await script.withdraw(finance, one, 1_100);
  expect(detail.assessment).toMatchObject({
    reasons: ['SCORE'],
    parts: [{ code: 'UNUSUAL_AMOUNT', amount: 1_100, usual: 100, count: expect.any(Number) }],
  });
});

test('who deposits, plays and withdraws scores 0 and is paid automatically, with unrelated members on the same networks', async () => {
  const [one, unrelated, ...crowd] = await members(25);
  await script.payIn(one!, 300);
  await script.play(one!, 300, 300);
  await script.refuseSlips(one!, 2);
  await script.refuseSlips(one!, 9, 8);
  // At home by cable, under way by mobile network; two at home, and an unrelated member there last month.
  await script.login(one!, '203.0.113.20', BROWSER.desktop, 50);
  await script.login(one!, '198.51.100.20', BROWSER.phone, 20);
  await script.login(crowd[0]!, '203.0.113.20', BROWSER.phone);
  await script.login(crowd[1]!, '203.0.113.20', 'Other');
  await script.login(unrelated!, '203.0.113.20', BROWSER.desktop, 31 * 24 * 60);
  // A mobile provider's address: many members at once, each with a browser of their own.
  for (const [index, member] of crowd.entries())
    await script.login(member, '198.51.100.20', `Phone ${index}`);
  // Invited by one member, as are others who share nothing.
  for (const member of [one!, crowd[2]!, crowd[3]!]) await script.invite(unrelated!, member);
  await script.endBonus(one!);
  for (const day of [1, 3, 8]) await script.takeIn(one!, 200, day);
  const detail = await script.withdraw(finance, one!, 300);
  expect(detail).toMatchObject({
    automatic: true,
    risk: { score: 0, outcome: 'pass' },
    assessment: {
      score: 0,
      parts: [],
      reasons: [],
      automaticMax: 2_000,
      automaticDayMax: 10_000,
      dayTotal: 0,
    },
  });
  expect(await script.riskOf(finance, one!)).toEqual({ score: 0, parts: [] });
});

test('a login keeps its public network, and none of a private address', async () => {
  const one = await env.member();
  const { insertSession } = await import('../sessions/queries.ts');
  const open = (address: string, token: string) =>
    insertSession(env.pool, {
      tokenHash: Buffer.from(token),
      memberId: one.id,
      passwordHash: 'none',
      address,
      userAgent: null,
      deviceIsNew: false,
      now: new Date(),
      expiresAt: new Date(),
    });
  await open('2001:db8:1:2:3:4:5:6', 'net-1');
  await open('::ffff:203.0.113.77', 'net-2');
  await open('192.168.1.5', 'net-3');
  const { rows } = await env.pool.query(
    "select network from session where member_id = $1 and token_hash in ('net-1', 'net-2', 'net-3') order by token_hash",
    [one.id],
  );
  expect(rows.map(({ network }) => network)).toEqual(['2001:db8:1:2::/64', '203.0.113.77', null]);
});

test('a count of 0 switches its part off, whatever was found', async () => {
  const counts = ['addressMembers', 'ringMembers', 'slips', 'bonuses', 'networks'] as const;
  const [plain, suspect] = [await env.member(), await env.member()];
  await script.refuseSlips(suspect, 4);
  for (const name of counts) await env.set(`risk.${name}`, 0);
  for (const one of [plain, suspect])
    expect(await script.riskOf(finance, one)).toEqual({ score: 0, parts: [] });
  for (const name of counts) await env.set(`risk.${name}`, 3);
  expect(await script.riskOf(finance, suspect)).toMatchObject({
    parts: [{ code: 'SLIPS_REFUSED', count: 4 }],
  });
});
