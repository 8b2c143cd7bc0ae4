/** Helpers for tests of the wheel: wheels put up at once, coins out of nowhere, and the member's calls. */
import { DAY_MS } from '@krapao/contract/durations';
import type { PrizeKind } from '@krapao/contract/prizes';
import { io } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import type { ApiResponse, TestEnv, TestMember } from '../../testing/test-env.ts';

/** A slice and what it pays; no kind: a blank one. Values in minor units, coins for COIN. */
export interface TestSlice {
  weight?: number;
  kind?: PrizeKind;
  value?: bigint;
  stock?: bigint;
  couponDays?: number;
  successPercent?: number;
}

const inAll = (text: string) => ({ th: text, la: text, en: text });
const slice = {
  bgColor: '#113355',
  textColor: '#ffffff',
  html: inAll('<p>x</p><script>1</script>'),
  stock: null,
};
const prize = { name: inAll('Twenty'), terms: null, couponDays: 7 };

/** A wheel as operators write it: 20.00 once in four spins, one of two bags, else nothing. */
export const PLAN = {
  name: inAll('Lucky wheel'),
  costPerSpin: 1,
  slices: [
    {
      ...slice,
      code: 'CASH20',
      label: inAll('20'),
      weight: 5,
      prize: { ...prize, kind: 'CASH' as const, value: 20 },
    },
    {
      ...slice,
      code: 'BAG',
      label: inAll('Bag'),
      weight: 1,
      stock: 2,
      prize: { ...prize, name: inAll('Bag'), kind: 'ITEM' as const, value: 150 },
    },
    { ...slice, code: 'BLANK', label: inAll('None'), weight: 14, prize: null },
  ],
};

const texts = (text: string) => JSON.stringify({ th: `${text} th`, la: `${text} la`, en: text });
let serial = 0;

async function makePrize({ owner, app }: TestEnv, slice: TestSlice): Promise<bigint> {
  const { kind, value, couponDays = 30, successPercent = 200 } = slice;
  const { rows } = await owner.query(
    `insert into prize (currency, kind, name, value, success_percent, coupon_days, fingerprint, created_at)
       values ('BAHT', $1, $2, $3, $4, $5, $6, $7) returning id`,
    [
      kind,
      texts(`Prize ${++serial}`),
      value ?? 0n,
      kind === 'BONUS' ? successPercent : 0,
      couponDays,
      `test ${serial}`,
      app.deps.clock.now(),
    ],
  );
  return rows[0]!.id;
}

/** How many coins a member has. */
const coinsIn = async ({ owner }: TestEnv, member: TestMember): Promise<number> => {
  const { rows } = await owner.query(
    'select a.balance from ledger_account a join member m on m.coin_account = a.id where m.id = $1',
    [member.id],
  );
  return Number(rows[0].balance);
};

async function grantCoins({ owner, app }: TestEnv, member: TestMember, count: number): Promise<void> {
  const { rows } = await owner.query('select coin_account from member where id = $1', [member.id]);
  await app.deps.ledger.post({
    reference: `coins:test:${++serial}`,
    kind: 'coin_grant',
    memberId: member.id,
    legs: [
      {
        from: await app.deps.systemAccount('coin_issue', 'COIN'),
        to: rows[0].coin_account,
        amountMinor: BigInt(count),
      },
    ],
  });
}

/** The member's own calls. */
const memberCalls = (env: TestEnv) => ({
  setup: async (member: TestMember) =>
    (await env.call('GET', '/api/spinwheel/setup', undefined, { token: member.token })).body.result,
  spin: (member: TestMember, key?: string, version?: string): Promise<ApiResponse> =>
    env.call('POST', `/api/spinwheel/spin${version === undefined ? '' : `?version=${version}`}`, undefined, {
      token: member.token,
      ...(key ? { key } : {}),
    }),
  coupons: async (member: TestMember) =>
    (await env.call('GET', '/api/spinwheel/coupon', undefined, { token: member.token })).body.result,
  redeem: (member: TestMember, coupon: string, key?: string): Promise<ApiResponse> =>
    env.call(
      'POST',
      '/api/spinwheel/coupon/claim',
      { coupon },
      { token: member.token, ...(key ? { key } : {}) },
    ),
});

/** Opens a screen of a member until the test ends; returns how often it was notified of coins or coupons so far. */
export async function wheelNotices({ url }: TestEnv, { token }: TestMember): Promise<() => number> {
  const socket = io(url, { auth: { token }, transports: ['websocket'] });
  onTestFinished(() => void socket.close());
  let count = 0;
  socket.on('notice', ({ kind }: { kind: string }) => {
    if (kind === 'coins') count++;
  });
  await new Promise((resume) => socket.once('connect', () => resume(null)));
  return () => count;
}

export function wheelHelpers(env: TestEnv) {
  const { owner, app } = env;
  const now = () => app.deps.clock.now();

  const prize = (slice: TestSlice) => makePrize(env, slice);

  /** Puts up a wheel, the only one that turns; slices are called A, B, C… Answers the ids of their prizes. */
  async function putUp(slices: TestSlice[], costPerSpin = 1): Promise<(bigint | null)[]> {
    await env.set('wheel.active', true);
    const prizes: (bigint | null)[] = [];
    for (const slice of slices) prizes.push(slice.kind ? await prize(slice) : null);
    await owner.query("update wheel set state = 'STOPPED' where state = 'OPEN'");
    const { rows } = await owner.query(
      `insert into wheel (currency, state, version, latest, changed_by, changed_at)
       values ('BAHT', 'OPEN', 1, 1, 'test', $1) returning id`,
      [now()],
    );
    const { id } = rows[0];
    await owner.query(
      `insert into wheel_version (wheel_id, version, name, cost_per_spin, made_by, made_at, published_at)
       values ($1, 1, $2, $3, 'test', $4, $4)`,
      [id, texts('Wheel'), costPerSpin, now()],
    );
    for (const [position, { weight = 1, stock }] of slices.entries()) {
      const code = String.fromCharCode(65 + position);
      await owner.query(
        `insert into wheel_slice (wheel_id, version, position, code, label, bg_color, text_color, html, weight, prize_id, stock)
         values ($1, 1, $2, $3, $4, '#112233', '#ffffff', $5, $6, $7, $8)`,
        [
          id,
          position,
          code,
          texts(code),
          texts('<b>x</b><script>1</script>'),
          weight,
          prizes[position],
          stock,
        ],
      );
    }
    return prizes;
  }

  return {
    prize,
    putUp,
    coinsOf: (member: TestMember) => coinsIn(env, member),
    giveCoins: (member: TestMember, count: number) => grantCoins(env, member, count),
    /** A coupon as if it had been won. */
    async giveCoupon(member: TestMember, prizeId: bigint, days = 30): Promise<string> {
      const id = `CPTEST${++serial}`;
      await owner.query(
        `insert into coupon (id, member_id, prize_id, slice_code, state, created_at, expires_at)
         values ($1, $2, $3, 'A', 'OPEN', $4, $5)`,
        [id, member.id, prizeId, now(), new Date(now().getTime() + days * DAY_MS)],
      );
      return `CP${prizeId}-${member.id}`;
    },
    ...memberCalls(env),
  };
}
