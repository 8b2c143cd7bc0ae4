import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { contents } from '../../testing.ts';

const env = await startTestEnv({ jobs: false });
await env.set('unknown.absentGraceSeconds', 0);
await env.set('gift.hourMax', 1000);

const make = (amount: unknown, more: object = {}) =>
  env.control('vouchers', { amount, phone: '0815550142', ...more }) as Promise<{
    code: string;
    link: string;
  }>;
const send = (member: TestMember, link: unknown, key?: string) =>
  env.call('POST', '/api/wallet/truelink', { link }, { token: member.token, ...(key ? { key } : {}) });
const resolve = (id: string) => env.app.runJob('gifts.resolve', { id });
const troubled = (reference: string, call: string, kind: string, count = 1) =>
  env.fault({ party: 'gift', call, kind, reference, count });
async function rows(code: string) {
  const { rows: found } = await env.pool.query(
    `select g.id, g.state, g.amount, s.status, s.amount as shown from gift_redemption g join statement s on s.id = g.id
     where g.code = $1 order by g.created_at`,
    [code],
  );
  return found;
}
/** What our wallet has taken out of a voucher, by the gift service's own books. */
async function taken(code: string): Promise<string[]> {
  const { vouchers } = await env.control('books');
  const one = vouchers.find((voucher: { code: string }) => voucher.code === code);
  return one.tickets.map((ticket: { amount: string }) => ticket.amount);
}

/** Vouchers that a test took into our wallet without the product. */
const takenManually: string[] = [];

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
  // What our wallet took is what members were credited, voucher by voucher.
  const { vouchers } = await env.control('books');
  const { rows: done } = await env.pool.query(
    "select code, amount from gift_redemption where state = 'DONE'",
  );
  const ours = vouchers.flatMap((voucher: { code: string; tickets: { phone: string; amount: string }[] }) =>
    voucher.tickets
      .filter(({ phone }) => phone === '0815550199' && !takenManually.includes(voucher.code))
      .map(({ amount }) => `${voucher.code} ${Number(amount) * 100}`),
  );
  expect(done.map((row) => `${row.code} ${row.amount}`).sort()).toEqual(ours.sort());
});

describe('a gift link', () => {
  test('adds what our wallet received, with a receipt, a statement row and a deposit', async () => {
    const member = await env.member();
    const { code, link } = await make(50);
    const response = await send(member, link);
    expect(response).toMatchObject({
      status: 200,
      body: {
        type: 'deposit',
        status: 'SUCCESS',
        message: 'SUCCESS',
        amount: 50,
        from: 'gift',
        to: 'wallet',
        wallet: { amount: 50 },
      },
    });
    expect(await env.balance(member)).toBe(5_000n);
    const page = { page: 1, limit: 10 };
    const { body } = await env.call('POST', '/api/statement', page, { token: member.token });
    expect(body.statements).toMatchObject([
      { statementType: 'deposit', status: 'SUCCESS', from: 'gift', to: 'wallet', amount: 50 },
    ]);
    const { rows: deposits } = await env.pool.query(
      'select channel, bank_reference from deposit where id = $1',
      [response.body.id],
    );
    expect(deposits).toEqual([{ channel: 'GIFT', bank_reference: code }]);
  });

  test('is taken as the old clients hide it, too', async () => {
    const member = await env.member();
    const { link } = await make(20);
    const { createCipheriv, createHash, randomBytes } = await import('node:crypto');
    const salt = randomBytes(8);
    const secret = Buffer.concat([Buffer.from(env.app.deps.config.GIFT_PASSPHRASE), salt]);
    const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
    const one = md5(secret);
    const two = md5(one, secret);
    const cipher = createCipheriv('aes-256-cbc', Buffer.concat([one, two]), md5(two, secret));
    const hidden = Buffer.concat([Buffer.from('Salted__'), salt, cipher.update(link), cipher.final()]);
    expect((await send(member, hidden.toString('base64'))).body).toMatchObject({ amount: 20 });
  });

  test.each(['F', 'R'])('of an envelope shared by three (%s) adds our part only', async (kind) => {
    const member = await env.member();
    const { code, link } = await make(90, { receivers: 3, kind });
    const { body } = await send(member, link);
    const [part] = await taken(code);
    expect(body.amount).toBe(Number(part));
    expect(await env.balance(member)).toBe(BigInt(Math.round(Number(part) * 100)));
    if (kind === 'F') expect(body.amount).toBe(30);
    expect(await rows(code)).toMatchObject([{ state: 'DONE', status: 'SUCCESS' }]);
  });

  test('is offered to baht members while it is open', async () => {
    const member = await env.member();
    const offer = async () =>
      (await env.call('GET', '/api/lookup/deposit', undefined, { token: member.token })).body;
    const auto = { mode: 'AUTO' };
    expect(await offer()).toMatchObject({ wallets: [auto, { mode: 'LINK' }], giftMinimum: 2 });
    await env.set('gift.open', false);
    expect((await offer()).wallets).toMatchObject([auto]);
    const { link } = await make(50);
    expect(await send(member, link)).toMatchObject({ status: 400, body: { message: 'NO_BANK' } });
    await env.set('gift.open', true);
  });

  test('in another currency than baht, or without a session, is refused', async () => {
    const member = await env.member();
    const { code, link } = await make(50);
    await env.owner.query("update member set currency = 'LAK' where id = $1", [member.id]);
    expect((await send(member, link)).body).toEqual({ message: 'NO_BANK' });
    await env.owner.query("update member set currency = 'BAHT' where id = $1", [member.id]);
    expect((await env.call('POST', '/api/wallet/truelink', { link })).status).toBe(401);
    expect(await taken(code)).toEqual([]);
  });
});

describe('refused as TRUELINK_INVALID, with nothing written and nothing spent:', () => {
  test.each([
    '',
    'hello',
    5,
    null,
    {},
    'https://gift.truemoney.com/campaign/?v=',
    'https://evil.example/campaign/?v=abc',
    'U2FsdGVkX1+AAAA',
    `https://gift.truemoney.com/campaign/?v=${'0'.repeat(35)}`,
    `https://gift.truemoney.com/campaign/?v=${'x'.repeat(4000)}`,
  ])('%j', async (link) => {
    const member = await env.member();
    const before = await contents(env.owner);
    expect(await send(member, link)).toMatchObject({ status: 400, body: { message: 'TRUELINK_INVALID' } });
    expect(await contents(env.owner)).toEqual(before);
  });

  test('an envelope below 2 baht, whole or in parts; 2 baht is enough', async () => {
    const member = await env.member();
    for (const [amount, more] of [
      [1, {}],
      [1.99, {}],
      [10, { receivers: 6 }],
    ] as const) {
      const { code, link } = await make(amount, more);
      expect((await send(member, link)).body).toEqual({ message: 'TRUELINK_INVALID', data: { min: 2 } });
      expect(await taken(code)).toEqual([]);
    }
    expect((await send(member, (await make(2)).link)).body).toMatchObject({ amount: 2 });
  });

  test('one that is spent, expired, or our own', async () => {
    const member = await env.member();
    const { GIFT_URL } = env.app.deps.config;
    const spent = await make(50);
    await fetch(`${GIFT_URL}/campaign/vouchers/${spent.code}/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mobile: '0815550167', voucher_hash: spent.code }),
    });
    const own = await make(50, { phone: '0815550199' });
    const old = await make(50, { validMs: 0 });
    for (const { link, code } of [spent, own, old]) {
      expect((await send(member, link)).body.message).toBe('TRUELINK_INVALID');
      expect(await rows(code)).toEqual([]);
    }
  });

  test('one our wallet took outside of this server, which alerts operators', async () => {
    const member = await env.member();
    const { code, link } = await make(50);
    const { GIFT_URL, GIFT_MOBILE } = env.app.deps.config;
    await fetch(`${GIFT_URL}/campaign/vouchers/${code}/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mobile: GIFT_MOBILE, voucher_hash: code }),
    });
    expect((await send(member, link)).body.message).toBe('TRUELINK_INVALID');
    const { rows: alerts } = await env.pool.query('select kind from alert where subject = $1', [
      `gift-code:${code}`,
    ]);
    expect(alerts).toEqual([{ kind: 'gift-taken-elsewhere' }]);
    takenManually.push(code);
  });
});

describe('a link sent again', () => {
  test('is TRUELINK_DUPLICATE, for the same member and for another', async () => {
    const [one, two] = [await env.member(), await env.member()];
    const { code, link } = await make(50);
    await send(one, link);
    for (const member of [one, two])
      expect(await send(member, ` ${link} `)).toMatchObject({
        status: 400,
        body: { message: 'TRUELINK_DUPLICATE' },
      });
    expect([await env.balance(one), await env.balance(two)]).toEqual([5_000n, 0n]);
    expect(await taken(code)).toEqual(['50.00']);
  });

  test('forty times at once by two members credits once, the others get TRUELINK_DUPLICATE', async () => {
    await env.allowSlowPartners();
    const members = [await env.member(), await env.member()];
    const { code, link } = await make(50);
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => send(members[index % 2]!, link)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 200).map(({ body }) => body.message)).toEqual(
      Array(39).fill('TRUELINK_DUPLICATE'),
    );
    const balances = await Promise.all(members.map((member) => env.balance(member)));
    expect(balances.sort()).toEqual([0n, 5_000n]);
    expect([await taken(code), (await rows(code)).length]).toEqual([['50.00'], 1]);
  });

  test('called used though it is the member’s own: the refusal names their row, and no other member’s', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const refusal = (data?: object) => ({
      status: 400,
      body: { message: 'TRUELINK_DUPLICATE', ...(data && { data }) },
    });
    const { link } = await make(50);
    const { id } = (await send(member, link, 'gift-own-1')).body;
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await send(member, link, 'gift-own-2')).toMatchObject(refusal({ own: id }));
    expect((await send(other, link)).body).toEqual(refusal().body);
    const pending = await make(50);
    await troubled(pending.code, 'redeem', 'cut-after');
    const { body } = await send(member, pending.link);
    expect(body.status).toBe('PENDING');
    expect(await send(member, pending.link)).toMatchObject(refusal({ own: body.id }));
    expect((await send(other, pending.link)).body).toEqual(refusal().body);
    await resolve(body.id);
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('sent twice at once by one member: the call that comes second names their row', async () => {
    const member = await env.member();
    const { code, link } = await make(50);
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(member, link)));
    const [{ id }] = await rows(code);
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body)).toEqual(
      Array(9).fill({ message: 'TRUELINK_DUPLICATE', data: { own: id } }),
    );
  });

  test('with the same key gets the first response, also for twenty concurrent calls', async () => {
    await env.allowSlowPartners();
    const member = await env.member();
    const { link } = await make(50);
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(member, link, 'gift-key-1')));
    expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(responses[0]!.body).toMatchObject({ status: 'SUCCESS', amount: 50 });
    expect((await send(member, `${link}x`, 'gift-key-1')).body).toEqual({ message: 'IDEMPOTENCY_CONFLICT' });
    expect((await send(member, link, 'gift-key-2')).body.message).toBe('TRUELINK_DUPLICATE');
    expect((await send(member, link, 'gift-key-2')).body.message).toBe('TRUELINK_DUPLICATE');
  });
});

describe('the gift service in trouble', () => {
  test.each(['outage', '500', '429', 'cut-before', 'cut-after', 'malformed', 'delay'])(
    'by %s when looked at: PROVIDER_UNAVAILABLE, nothing written, and the same key is a fresh try',
    async (kind) => {
      const member = await env.member();
      const { code, link } = await make(50);
      await env.fault({
        party: 'gift',
        call: 'look',
        reference: code,
        count: 1,
        kind,
        ...(kind === 'delay' ? { ms: 1500 } : {}),
      });
      const before = await contents(env.owner);
      expect(await send(member, link, `look-${kind}`)).toMatchObject({
        status: 503,
        body: { message: 'PROVIDER_UNAVAILABLE' },
      });
      expect(await contents(env.owner)).toEqual(before);
      expect((await send(member, link, `look-${kind}`)).body).toMatchObject({
        status: 'SUCCESS',
        amount: 50,
      });
    },
  );

  test.each(['outage', '500', '429', 'cut-before', 'cut-after', 'malformed', 'delay'])(
    'by %s when redeemed: a PENDING receipt, then queried again and credited once',
    async (kind) => {
      const member = await env.member();
      const { code, link } = await make(50);
      await env.fault({
        party: 'gift',
        call: 'redeem',
        reference: code,
        count: 1,
        kind,
        ...(kind === 'delay' ? { ms: 1500 } : {}),
      });
      const { body } = await send(member, link, `take-${kind}`);
      expect(body).toMatchObject({ status: 'PENDING', amount: 50, message: 'OK', wallet: { amount: 0 } });
      expect(await rows(code)).toMatchObject([{ state: 'UNKNOWN', status: 'PENDING' }]);
      expect((await send(member, link)).body.message).toBe('TRUELINK_DUPLICATE');
      expect((await send(member, link, `take-${kind}`)).body).toEqual(body);
      await Promise.all(Array.from({ length: 5 }, () => resolve(body.id)));
      await resolve(body.id);
      expect(await rows(code)).toMatchObject([{ state: 'DONE', status: 'SUCCESS', amount: 5_000n }]);
      expect([await env.balance(member), await taken(code)]).toEqual([5_000n, ['50.00']]);
    },
  );

  test.each(['outage', 'cut-after', 'malformed'])(
    'by %s when queried again: it stays PENDING and is queried once more',
    async (kind) => {
      const member = await env.member();
      const { code, link } = await make(50);
      await troubled(code, 'redeem', 'cut-after');
      const { body } = await send(member, link);
      await troubled(code, 'look', kind, 1);
      await resolve(body.id);
      expect(await rows(code)).toMatchObject([{ state: 'UNKNOWN', status: 'PENDING' }]);
      await resolve(body.id);
      expect(await rows(code)).toMatchObject([{ state: 'DONE', status: 'SUCCESS' }]);
      expect(await env.balance(member)).toBe(5_000n);
    },
  );

  test('refused at the redemption: TRUELINK_INVALID and a FAILED row; the link may be tried again', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const { code, link } = await make(50);
    await troubled(code, 'redeem', 'refuse');
    expect((await send(member, link, 'no-1234567')).body).toEqual({ message: 'TRUELINK_INVALID' });
    expect((await send(member, link, 'no-1234567')).body).toEqual({ message: 'TRUELINK_INVALID' });
    expect(await rows(code)).toMatchObject([{ state: 'FAILED', status: 'FAILED', shown: 5_000n }]);
    expect((await send(other, link)).body).toMatchObject({ status: 'SUCCESS', amount: 50 });
    expect(await env.balance(member)).toBe(0n);
  });

  test('a lost call whose voucher others emptied meanwhile ends FAILED, proven by the list of takers', async () => {
    const member = await env.member();
    const { code, link } = await make(50);
    await troubled(code, 'redeem', 'cut-before');
    const { body } = await send(member, link);
    await fetch(`${env.app.deps.config.GIFT_URL}/campaign/vouchers/${code}/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mobile: '0815550167', voucher_hash: code }),
    });
    await resolve(body.id);
    expect(await rows(code)).toMatchObject([{ state: 'FAILED', status: 'FAILED' }]);
    expect(await env.balance(member)).toBe(0n);
  });

  test('a refusal without proof ends nothing', async () => {
    const member = await env.member();
    const { code, link } = await make(50);
    await troubled(code, 'redeem', 'cut-after');
    const { body } = await send(member, link);
    // "Out of stock", without the list of takers, though our wallet has the money.
    await troubled(code, 'look', 'refuse');
    await resolve(body.id);
    expect(await rows(code)).toMatchObject([{ state: 'UNKNOWN', status: 'PENDING' }]);
    await resolve(body.id);
    expect(await env.balance(member)).toBe(5_000n);
  });

  test('the sweep finds an attempt whose process crashed; one open for 15 minutes alerts operators', async () => {
    const member = await env.member();
    const { code, link } = await make(50);
    await troubled(code, 'redeem', 'cut-after');
    const { body } = await send(member, link);
    await env.owner.query('delete from graphile_worker._private_jobs');
    const long =
      "state = 'SENT', sent_at = now() - interval '16 minutes', tried_at = now() - interval '16 minutes'";
    await env.owner.query(`update gift_redemption set ${long} where id = $1`, [body.id]);
    await env.app.runJob('gifts.sweep');
    const { rows: jobs } = await env.owner.query(
      'select max_attempts from graphile_worker.jobs where key = $1',
      [`gifts.resolve:${body.id}`],
    );
    expect(jobs).toEqual([{ max_attempts: 1 }]);
    await troubled(code, 'look', 'outage', 2);
    await resolve(body.id);
    await resolve(body.id);
    const { rows: alerts } = await env.pool.query('select kind from alert where subject = $1', [
      `gift:${body.id}`,
    ]);
    expect(alerts).toEqual([{ kind: 'gift-unknown' }]);
    await resolve(body.id);
    expect(await env.balance(member)).toBe(5_000n);
  });
});

test('limits a member who tries links by the hundred', async () => {
  await env.set('gift.hourMax', 5);
  const member = await env.member();
  const responses = await Promise.all(Array.from({ length: 12 }, () => send(member, 'x')));
  expect(responses.filter(({ status }) => status === 429).map(({ body }) => body.message)).toEqual(
    Array(7).fill('REQUEST_LIMIT'),
  );
});
