import { MINUTE_MS } from '@krapao/contract/durations';
import { parseBillPayment } from '@krapao/contract/shared';
import { io } from 'socket.io-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestEnv, type TestMember, until } from '../../../testing/test-env.ts';
import { pass, pushedClock } from '../../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });

const NONE = { qrcodeId: null, hasQrcode: false, qrcode: null, amount: 0, expireIn: 0, message: null };

const create = (member: TestMember, amount: unknown, bank = 'KBANK') =>
  env.call('POST', `/api/qrcode/${bank}`, { amount }, { token: member.token });
const read = (member: TestMember, bank = 'KBANK') =>
  env.call('GET', `/api/qrcode/${bank}`, undefined, { token: member.token });
const cancel = (member: TestMember, bank = 'KBANK') =>
  env.call('DELETE', `/api/qrcode/${bank}`, undefined, { token: member.token });

/** Pays a QR of a member, and waits until the wallet has it; returns the QR. */
async function pay(member: TestMember): Promise<string> {
  const { payload, qrcodeId } = (await create(member, 10)).body;
  const before = await env.balance(member);
  await env.control('pay-qr', { payload, phone: member.phone });
  await until(async () => (await env.balance(member)) > before);
  return qrcodeId;
}

async function statuses(member: TestMember): Promise<string[]> {
  const { rows } = await env.pool.query('select status from qr where member_id = $1 order by created_at', [
    member.id,
  ]);
  return rows.map((row) => row.status);
}

test('limits the QRs that a member makes in an hour, and no other member’s', async () => {
  await env.set('qr.hourMax', 2);
  const [member, other] = [await env.member(), await env.member()];
  for (const amount of [100, 200]) expect((await create(member, amount)).status).toBe(200);
  const refused = await create(member, 300);
  expect(refused).toMatchObject({ status: 429, body: { message: 'REQUEST_LIMIT', data: { minutes: 60 } } });
  expect((await read(member)).body).toMatchObject({ hasQrcode: true, amount: 200 });
  expect((await create(other, 100)).status).toBe(200);
  await pass(env, clock, 60 * MINUTE_MS);
  expect((await create(member, 300)).status).toBe(200);
  await env.set('qr.hourMax', 1_000);
});

test('a QR refused for its amount does not count to the limit of the hour', async () => {
  await env.set('qr.hourMax', 1);
  const member = await env.member();
  for (const amount of [0, 1e9]) expect((await create(member, amount)).status).toBe(400);
  expect((await create(member, 100)).status).toBe(200);
  await env.set('qr.hourMax', 1_000);
});

describe('a QR', () => {
  test('expires beside one that is being paid, whose payment waits for neither', async () => {
    const [first, second] = [await env.member(), await env.member()];
    for (const member of [first, second]) await create(member, 100);
    await pass(env, clock, 11 * MINUTE_MS);
    const pay = (member: TestMember) =>
      payer.query("update qr set status = 'PAID', closed_at = now() where member_id = $1", [member.id]);
    const payer = await env.owner.connect();
    await payer.query('begin');
    await pay(second);
    await env.app.runJob('qr.expire');
    expect([await statuses(first), await statuses(second)]).toEqual([['EXPIRED'], ['OPEN']]);
    await pay(first);
    await payer.query('commit');
    payer.release();
    expect([await statuses(first), await statuses(second)]).toEqual([['PAID'], ['PAID']]);
  }, 30_000);

  test('contains receiver, amount and reference, and can be read again', async () => {
    const member = await env.member();
    const made = await create(member, 123.45);
    expect(made).toMatchObject({ status: 200, body: { hasQrcode: true, amount: 123.45, message: null } });
    expect(made.body.expireIn).toBeGreaterThan(595);
    expect(made.body.expireIn).toBeLessThanOrEqual(600);
    expect(made.body.qrcode).toMatch(/^<svg/);
    expect(parseBillPayment(made.body.payload)).toEqual({
      billerId: env.app.deps.config.BANK_A_BILLER_ID,
      reference1: made.body.reference,
      reference2: 'KRAPAO',
      amountMinor: 12_345n,
    });
    expect((await read(member)).body).toMatchObject({
      qrcodeId: made.body.qrcodeId,
      payload: made.body.payload,
    });
  });

  test('counts down by the clock and is gone when its time is over', async () => {
    const member = await env.member();
    await create(member, 10);
    await pass(env, clock, 9 * MINUTE_MS);
    const left = (await read(member)).body.expireIn;
    expect(left).toBeGreaterThan(50);
    expect(left).toBeLessThanOrEqual(60);
    await pass(env, clock, MINUTE_MS);
    expect((await read(member)).body).toMatchObject(NONE);
    await env.app.runJob('qr.expire');
    expect(await statuses(member)).toEqual(['EXPIRED']);
  });

  test('is valid as long as operators set', async () => {
    await env.set('qr.minutes', 2);
    const member = await env.member();
    expect((await create(member, 10)).body.expireIn).toBeLessThanOrEqual(120);
    await env.set('qr.minutes', 10);
  });

  test('is cancelled once and for all, and a new one can be made at once', async () => {
    const member = await env.member();
    await create(member, 10);
    expect((await cancel(member)).body).toMatchObject(NONE);
    expect((await read(member)).body).toMatchObject(NONE);
    expect((await cancel(member)).body).toMatchObject(NONE);
    expect((await create(member, 20)).body).toMatchObject({ hasQrcode: true, amount: 20 });
    expect(await statuses(member)).toEqual(['CANCELLED', 'OPEN']);
  });

  test('made or cancelled is sent to every screen of its member, and to no other', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const received: string[] = [];
    for (const [name, { token }] of Object.entries({ member, other })) {
      const socket = io(env.url, { auth: { token }, transports: ['websocket'] });
      onTestFinished(() => void socket.close());
      socket.on('qr', () => received.push(name));
      await new Promise((resume) => socket.once('connect', () => resume(null)));
    }
    await create(member, 10);
    await until(async () => received.length === 1);
    await cancel(member);
    await until(async () => received.length === 2);
    expect(received).toEqual(['member', 'member']);
  });

  test('that was paid is answered with its deposit until another is made, to its member alone', async () => {
    const [owner, other] = [await env.member(), await env.member()];
    const qrcodeId = await pay(owner);
    const { rows } = await env.pool.query('select id from deposit where qr_id = $1', [qrcodeId]);
    expect((await read(owner)).body).toMatchObject({
      ...NONE,
      paid: { qrcodeId, id: rows[0].id, amount: 10 },
    });
    expect((await read(other)).body.paid).toBeUndefined();
    await create(owner, 10);
    expect((await read(owner)).body.paid).toBeUndefined();
    await cancel(owner);
    expect((await read(owner)).body.paid).toBeUndefined();
  });

  test('belongs to its member alone', async () => {
    const [owner, other] = [await env.member(), await env.member()];
    await create(owner, 10);
    expect((await read(other)).body).toMatchObject(NONE);
    await cancel(other);
    expect((await read(owner)).body.hasQrcode).toBe(true);
  });
});

describe('one open QR a member', () => {
  test('a new one takes the place of the old one, whichever bank that was at', async () => {
    const member = await env.member();
    const first = await create(member, 10);
    await env.owner.query("update qr set bank_code = 'WW' where id = $1", [first.body.qrcodeId]);
    const second = await create(member, 20);
    expect((await read(member)).body.qrcodeId).toBe(second.body.qrcodeId);
    expect(await statuses(member)).toEqual(['CANCELLED', 'OPEN']);
  });

  test('forty made at once leave one open, and none fails', async () => {
    await env.allowSlowPartners();
    const member = await env.member();
    const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => create(member, 10 + index)));
    expect(responses.map((response) => response.status)).toEqual(Array(40).fill(200));
    expect((await statuses(member)).filter((status) => status === 'OPEN')).toHaveLength(1);
    expect((await read(member)).body.hasQrcode).toBe(true);
  });
});

describe('refused', () => {
  test.each([0, -1, 0.5, 0.999, 1.001, '5', null, true, [5], { amount: 5 }])(
    'an amount of %j, and nothing is stored',
    async (amount) => {
      const member = await env.member();
      expect(await create(member, amount)).toMatchObject({
        status: 400,
        body: { message: 'TRANSFER_MINIMUM', data: { min: 1 } },
      });
      expect(await statuses(member)).toEqual([]);
    },
  );

  test.each([2_000_000.01, 10_000_000_000, 1e15, 1e300])(
    'more than one QR is made for: %f',
    async (amount) => {
      const member = await env.member();
      expect(await create(member, amount)).toMatchObject({
        status: 400,
        body: { message: 'TRANSFER_MAXIMUM', data: { max: 2_000_000 } },
      });
      expect(await statuses(member)).toEqual([]);
      expect((await create(member, 2_000_000)).body).toMatchObject({ hasQrcode: true, amount: 2_000_000 });
    },
  );

  test('more than the QR format can carry, with any setting', async () => {
    await env.set('qr.maximum', { BAHT: 50_000_000_000, LAK: 50_000_000_000 });
    const member = await env.member();
    expect((await create(member, 10_000_000_000)).body).toEqual({
      message: 'TRANSFER_MAXIMUM',
      data: { max: 9_999_999_999.99 },
    });
    const { payload } = (await create(member, 9_999_999_999.99)).body;
    expect(payload).toContain('54139999999999.99');
  });

  test.each(['SCB', '__proto__', "KBANK'--", 'kbank'])('a bank that is not offered: %s', async (bank) => {
    const member = await env.member();
    for (const response of [
      await create(member, 100, bank),
      await read(member, bank),
      await cancel(member, bank),
    ])
      expect(response).toMatchObject({ status: 400, body: { message: 'NO_BANK' } });
  });

  test('a bank whose deposit account operators have closed', async () => {
    const member = await env.member();
    await env.owner.query("update deposit_account set is_open = false where bank_code = 'KBANK'");
    expect(await create(member, 100)).toMatchObject({ status: 400, body: { message: 'NO_BANK' } });
    await env.owner.query("update deposit_account set is_open = true where bank_code = 'KBANK'");
  });

  test('a bank closed after its QR was made: the QR can be cancelled but not read', async () => {
    const member = await env.member();
    await create(member, 10);
    await env.owner.query("update deposit_account set is_open = false where bank_code = 'KBANK'");
    expect(await read(member)).toMatchObject({ status: 400, body: { message: 'NO_BANK' } });
    expect(await cancel(member)).toMatchObject({ status: 200, body: NONE });
    expect(await statuses(member)).toEqual(['CANCELLED']);
    await env.owner.query("update deposit_account set is_open = true where bank_code = 'KBANK'");
  });

  test.each([
    ['paused', { is_paused: true }],
    ['full for the day', { daily_ceiling: 1 }],
  ])(
    'a bank that is %s after its QR was made: the QR is read and offered, and no other is made',
    async (_, change) => {
      const member = await env.member();
      const { qrcodeId } = (await create(member, 10)).body;
      const [column, value] = Object.entries(change)[0]!;
      const set = (to: unknown) =>
        env.owner.query(
          `update deposit_account set ${column} = $1 where bank_code = 'KBANK' and mode = 'QR'`,
          [to],
        );
      await pay(await env.member());
      await set(value);
      const look = async () =>
        (await env.call('GET', '/api/lookup/deposit', undefined, { token: member.token })).body.banks.filter(
          (bank: { mode: string; bankCode: string }) => bank.mode === 'QR' && bank.bankCode === 'KBANK',
        );
      const during = [
        (await read(member)).body.qrcodeId,
        (await look()).length,
        (await create(member, 20)).body.message,
      ];
      await cancel(member);
      const after = [(await read(member)).body.message, (await look()).length];
      await set(column === 'is_paused' ? false : null);
      expect(during).toEqual([qrcodeId, 1, 'NO_BANK']);
      expect(after).toEqual(['NO_BANK', 0]);
    },
  );

  test('less than the minimum operators have set', async () => {
    await env.set('qr.minimum', { BAHT: 50, LAK: 35_000 });
    expect(await create(await env.member(), 49.99)).toMatchObject({
      status: 400,
      body: { data: { min: 50 } },
    });
    expect((await create(await env.member(), 50)).body.hasQrcode).toBe(true);
    await env.set('qr.minimum', { BAHT: 1, LAK: 700 });
  });
});

describe('a bank that fails to make one', () => {
  test.each(['refuse', '429', '500', 'outage', 'cut-before', 'cut-after', 'malformed', 'delay'])(
    'by %s is QR_FAIL with status 200, and the QR before it stays',
    async (kind) => {
      const member = await env.member();
      const before = await create(member, 10);
      await env.fault({
        party: 'bank-a',
        call: 'create-qr',
        kind,
        count: 1,
        ...(kind === 'delay' ? { ms: 1500 } : {}),
      });
      expect(await create(member, 20)).toMatchObject({
        status: 200,
        body: { ...NONE, message: 'QR_FAIL' },
      });
      expect((await read(member)).body.qrcodeId).toBe(before.body.qrcodeId);
    },
  );
});
