import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { pass, pushedClock } from '../../testing.ts';
import { paymentHelpers } from '../testing-payments.ts';
import { slipHelpers } from './testing-slips.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { make, upload } = slipHelpers(env);
const { qr } = paymentHelpers(env, clock.now);

beforeAll(async () => {
  await env.set('slip.hourMax', 1000);
  // Accounts are watched from now on.
  await env.app.runJob('feeds.read');
});
afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const list = async (member: TestMember, page = 1, limit = 10) =>
  (await env.call('POST', '/api/statement/slip', { page, limit }, { token: member.token })).body;
/** The whole day: a window's own end is outside it. */
const ALL_DAY = [
  { from: '00:00', to: '12:00' },
  { from: '12:00', to: '00:00' },
];
const open = (path: string) => fetch(env.url + path);

describe('a good slip', () => {
  test.each(['png', 'jpeg'])('is credited with the bank’s data, as %s', async (format) => {
    const member = await env.member();
    const slip = await make(member, { amount: '250.75', format });
    const { status, body } = await upload(member, slip.bytes, { more: { bankCode: 'KBANK' } });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^SL/),
        type: 'deposit',
        status: 'SUCCESS',
        amount: 250.75,
        from: 'KBANK',
        to: 'wallet',
        createdAt: expect.any(String),
        message: 'OK',
        wallet: { amount: 250.75 },
        reference: expect.any(String),
        statementId: expect.stringMatching(/^DP/),
      },
    ]);
    expect(await env.balance(member)).toBe(25_075n);
  });

  test('with an edited amount brings the true one', async () => {
    const member = await env.member();
    const slip = await make(member, { kind: 'edited-amount', amount: '10.00' });
    expect((await upload(member, slip.bytes)).body).toMatchObject({ status: 'SUCCESS', amount: 10 });
    expect(await env.balance(member)).toBe(1_000n);
  });

  test('is credited whatever the picture was turned into on the way', async () => {
    const member = await env.member();
    const slip = await make(member, { amount: '20.00' });
    const webp = await sharp(slip.bytes)
      .rotate(8, { background: '#777' })
      .resize(640)
      .webp({ quality: 60 })
      .toBuffer();
    expect((await upload(member, webp, { name: 'photo.WEBP' })).body.status).toBe('SUCCESS');
  });
});

describe('a slip of a payment that was made is taken', () => {
  test('while deposits are closed, as the lookup says', async () => {
    const member = await env.member();
    const { bytes } = await make(member);
    await env.set('deposit.open', false);
    const [{ body }, lookup] = [
      await upload(member, bytes),
      await env.call('GET', '/api/lookup/slip', undefined, { token: member.token }),
    ];
    await env.set('deposit.open', true);
    expect([body.status, lookup.body.open]).toEqual(['SUCCESS', true]);
  });

  test('within the window after the transfer, without the hours in which none was taken', async () => {
    const member = await env.member();
    const { bytes } = await make(member, { kind: 'old' });
    const time = (minutes: number) =>
      new Date(clock.now().getTime() + 7 * HOUR_MS + minutes * MINUTE_MS).toISOString().slice(11, 16);
    await env.set('slip.closedHours', [{ from: time(30), to: time(-10) }]);
    const { body } = await upload(member, bytes);
    await env.set('slip.closedHours', []);
    expect(body).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('each reason a slip is refused for', () => {
  test('credited for money of others: an account with the visible digits of ours, under another name, waits', async () => {
    const member = await env.member();
    const accountNo = `999${String(Math.floor(Math.random() * 90) + 10)}2333${Math.floor(Math.random() * 10)}`;
    const phone = `089${accountNo.slice(3)}`;
    await env.control('persons', { name: 'มานพ ผ่านทาง', phone, bankCode: 'KBANK', accountNo });
    const slip = await make(member, { toBank: 'KBANK', toAccount: accountNo, amount: '2000.00' });
    const { body } = await upload(member, slip.bytes);
    expect(body.status).toBe('REVIEW');
    expect(await env.balance(member)).toBe(0n);
    const { rows } = await env.pool.query('select status, doubts from slip where id = $1', [body.id]);
    expect(rows).toEqual([{ status: 'REVIEW', doubts: ['receiver name'] }]);
  });

  const reasons: [string, string][] = [
    ['cropped', 'CROPPED_IMAGE_UNREADABLE'],
    ['no-qr', 'CROPPED_IMAGE_UNREADABLE'],
    ['blurred', 'IMAGE_UNPROCESSABLE'],
    ['broken-qr', 'UNSTABLE_REFERENCE'],
    ['not-a-slip', 'INVALID_SLIP'],
    ['unknown', 'INVALID_SLIP'],
    ['wrong-receiver', 'INVALID_DESTINATION_ACCOUNT'],
    ['other-sender', 'ACCOUNT_NOT_MATCH'],
    ['old', 'SLIP_EXPIRED'],
  ];
  test.each(reasons)('%s: %s', async (kind, note) => {
    const member = await env.member();
    const slip = await make(member, { kind });
    const { status, body } = await upload(member, slip.bytes);
    expect([status, body.status, body.message]).toEqual([200, 'FAILED', note]);
    expect(await env.balance(member)).toBe(0n);
    expect((await list(member)).slips).toMatchObject([{ status: 'FAILED', note, reference: body.reference }]);
  });

  test.each([
    [1000, 'FILE_NOT_EXIST'],
    [1099, 'CAPTCHA_WRONG_3_TIMES'],
    [1012, 'DUPLICATE_REFERENCE'],
    [4242, 'UNKNOWN_ERROR'],
  ])('the checker returns %i: %s', async (code, note) => {
    const member = await env.member();
    const slip = await make(member);
    await env.fault({ party: 'slip', kind: 'refuse', code, reference: slip.transRef, count: 1 });
    expect((await upload(member, slip.bytes)).body).toMatchObject({ status: 'FAILED', message: note });
    expect(await env.balance(member)).toBe(0n);
  });

  test('reused, by any member: DUPLICATE_REFERENCE', async () => {
    const member = await env.member();
    const slip = await make(member);
    expect((await upload(member, slip.bytes)).body.status).toBe('SUCCESS');
    const copy = await sharp(slip.bytes).resize(500).jpeg({ quality: 70 }).toBuffer();
    expect((await upload(member, copy, { name: 'copy.jpg' })).body).toMatchObject({
      status: 'FAILED',
      message: 'DUPLICATE_REFERENCE',
    });
    await pass(env, clock, 61 * MINUTE_MS);
    expect((await upload(member, copy, { name: 'copy.jpg' })).body.message).toBe('DUPLICATE_REFERENCE');
    expect((await upload(await env.member(), copy, { name: 'copy.jpg' })).body.message).toBe(
      'ACCOUNT_NOT_MATCH',
    );
    expect(await env.balance(member)).toBe(10_000n);
  });
});

describe('a slip that is not sure', () => {
  test('of a bank that hides too much of the sender waits for an operator', async () => {
    const member = await env.member();
    const slip = await make(member);
    await env.fault({ party: 'slip', kind: 'masked-digits', reference: slip.transRef, count: 1 });
    expect((await upload(member, slip.bytes)).body).toMatchObject({
      status: 'REVIEW',
      message: 'OK',
      amount: 100,
    });
    expect(await env.balance(member)).toBe(0n);
    const { rows } = await env.pool.query('select doubts from slip where member_id = $1', [member.id]);
    expect(rows).toEqual([{ doubts: ['sender account'] }]);
  });

  test('not known to the bank yet stays pending, is queried again and credited once', async () => {
    const member = await env.member();
    const slip = await make(member);
    await env.fault({ party: 'slip', kind: 'late', reference: slip.transRef, count: 2 });
    expect((await upload(member, slip.bytes)).body).toMatchObject({ status: 'PENDING', message: 'OK' });
    await env.app.runJob('slips.ask');
    expect(await env.balance(member)).toBe(0n);
    for (const _ of [1, 2]) {
      await pass(env, clock, 61_000);
      await Promise.all([env.app.runJob('slips.ask'), env.app.runJob('slips.ask')]);
    }
    expect(await env.balance(member)).toBe(10_000n);
    expect((await list(member)).slips).toMatchObject([{ status: 'SUCCESS', note: null }]);
  });

  test('throttled by the checker stays pending, is queried again and credited once', async () => {
    const member = await env.member();
    const slip = await make(member);
    await env.fault({ party: 'slip', kind: '429', code: 4242, reference: slip.transRef, count: 1 });
    expect((await upload(member, slip.bytes)).body).toMatchObject({ status: 'PENDING', message: 'OK' });
    await pass(env, clock, 61_000);
    await env.app.runJob('slips.ask');
    expect((await list(member)).slips).toMatchObject([{ status: 'SUCCESS', note: null }]);
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('never known to the bank fails once the window is over', async () => {
    const member = await env.member();
    const slip = await make(member);
    await env.fault({ party: 'slip', kind: 'late', reference: slip.transRef, count: 99 });
    await upload(member, slip.bytes);
    await pass(env, clock, 61 * MINUTE_MS);
    await env.app.runJob('slips.ask');
    expect((await list(member)).slips).toMatchObject([{ status: 'FAILED', note: 'INVALID_SLIP' }]);
  });

  test.each([
    ['outage'],
    ['malformed'],
    ['cut-after'],
    ['500'],
    // The vendor's "the bank does not answer" as a refusal.
    ['refuse', 1009],
  ])(
    'while the checker or the bank is away (%s) is pending, then an operator’s',
    async (kind, code = undefined) => {
      const member = await env.member();
      const slip = await make(member);
      await env.fault({ party: 'slip', kind, code, reference: slip.transRef, count: 2 });
      expect((await upload(member, slip.bytes)).body).toMatchObject({ status: 'PENDING' });
      await pass(env, clock, 16 * MINUTE_MS);
      await env.app.runJob('slips.ask');
      expect((await list(member)).slips).toMatchObject([{ status: 'REVIEW' }]);
      expect(await env.balance(member)).toBe(0n);
      await env.control('faults', { clear: true });
    },
  );
});

/** Uploads, and retries as often as the server requests: a slow machine reads few of forty pictures in time. */
const uploadPatiently: typeof upload = async (...given) => {
  for (;;) {
    const response = await upload(...given);
    if (response.status !== 503) return response;
    expect(response.headers.has('retry-after')).toBe(true);
  }
};

describe('one transfer with repeated evidence', () => {
  test('forty identical uploads at once credit once', async () => {
    const member = await env.member();
    const slip = await make(member);
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => uploadPatiently(member, slip.bytes)),
    );
    const results = responses.map(({ body }) => `${body.status} ${body.message}`).toSorted();
    expect(results).toEqual([
      ...Array.from({ length: 39 }, () => 'FAILED DUPLICATE_REFERENCE'),
      'SUCCESS OK',
    ]);
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('forty under one key are one slip with one answer; another picture under it is a conflict', async () => {
    const member = await env.member();
    const slip = await make(member);
    const key = 'slip-key-0001';
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => uploadPatiently(member, slip.bytes, { key })),
    );
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(responses[0]!.body.status).toBe('SUCCESS');
    expect((await list(member)).total).toBe(1);
    const other = await make(member);
    expect(await upload(member, other.bytes, { key })).toMatchObject({
      status: 409,
      body: { message: 'IDEMPOTENCY_CONFLICT' },
    });
  });

  test('paid by QR, then its slip handed in, then the notice again: added once', async () => {
    const member = await env.member();
    const { id, payload } = await qr(member, 80);
    const { payments } = await env.control('pay-qr', { payload, phone: member.phone });
    await env.control('wait', { for: 'confirmation', reference: id });
    const slip = await make(member, { transRef: payments[0].transRef });
    expect((await upload(member, slip.bytes)).body).toMatchObject({
      status: 'FAILED',
      message: 'DUPLICATE_REFERENCE',
    });
    await env.control('confirm', { reference: id });
    expect(await env.balance(member)).toBe(8_000n);
  });

  test('of a paid QR is credited by the bank’s own word while the checker is away, once', async () => {
    const member = await env.member();
    const { id, payload } = await qr(member, 85);
    await env.fault({ party: 'bank-a', call: 'confirmation', kind: 'cut-before', reference: id, count: 99 });
    const { payments } = await env.control('pay-qr', { payload, phone: member.phone });
    const slip = await make(member, { transRef: payments[0].transRef });
    await env.fault({ party: 'slip', kind: 'outage', reference: slip.transRef, count: 1 });
    expect((await upload(member, slip.bytes)).body).toMatchObject({ status: 'SUCCESS', amount: 85 });
    await env.control('confirm', { reference: id });
    expect(await env.balance(member)).toBe(8_500n);
    const { rows } = await env.pool.query('select status from qr where id = $1', [id]);
    expect(rows).toEqual([{ status: 'PAID' }]);
  });

  test.each([
    ['slip, then feed', ['slip', 'feed']],
    ['feed, then slip', ['feed', 'slip']],
  ])('to a watched account: %s', async (_name, order) => {
    const member = await env.member();
    const slip = await make(member, { toBank: 'SCB', toAccount: '2223334445' });
    for (const way of order)
      if (way === 'slip') await upload(member, slip.bytes);
      else await env.app.runJob('feeds.read');
    expect(await env.balance(member)).toBe(10_000n);
    expect((await list(member)).slips[0].status).toBe(order[0] === 'slip' ? 'SUCCESS' : 'FAILED');
  });

  test('a slip uses up its unmatched transaction', async () => {
    const member = await env.member();
    const slip = await make(member, { toBank: 'SCB', toAccount: '2223334445' });
    await env.fault({ party: 'bank-b', call: 'statement', kind: 'masked-digits' });
    await env.app.runJob('feeds.read');
    await env.control('faults', { clear: true });
    expect(await env.balance(member)).toBe(0n);
    expect((await upload(member, slip.bytes)).body.status).toBe('SUCCESS');
    expect(await env.balance(member)).toBe(10_000n);
    const { rows } = await env.pool.query('select state from bank_transaction where bank_reference = $1', [
      slip.transRef,
    ]);
    expect(rows).toEqual([{ state: 'CREDITED' }]);
  });
});

describe('the picture', () => {
  test('opens for its owner only, by a link that expires', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const slip = await make(member);
    const { body } = await upload(member, slip.bytes);
    const path = `/api/statement/slip/reference/${body.reference}`;
    const { url } = (await env.call('GET', path, undefined, { token: member.token })).body;
    const reply = await open(url);
    expect([
      reply.status,
      reply.headers.get('content-type'),
      reply.headers.get('x-content-type-options'),
    ]).toEqual([200, 'image/jpeg', 'nosniff']);
    const kept = await sharp(Buffer.from(await reply.arrayBuffer())).metadata();
    expect([kept.width, kept.height, kept.exif]).toEqual([720, 1080, undefined]);
    expect((await open((await list(member)).slips[0].link)).status).toBe(200);
    for (const response of [
      await env.call('GET', path, undefined, { token: other.token }),
      await env.call('GET', '/api/statement/slip/reference/none', undefined, { token: member.token }),
    ])
      expect(response).toMatchObject({ status: 404, body: { message: 'NO_DATA' } });
    expect((await env.call('GET', path)).status).toBe(401);
    const forged = url.replace(/until=\d+/, `until=${Date.now() + 9_999_999}`);
    for (const wrong of [
      forged,
      url.replace(/sign=./, (start: string) => (start === 'sign=_' ? 'sign=-' : 'sign=_')),
      url.split('?')[0],
      '/api/file/..%2f..%2fsecret',
    ])
      expect((await open(wrong)).status).toBe(404);
    clock.push(61 * MINUTE_MS);
    expect((await open(url)).status).toBe(404);
    clock.push(-61 * MINUTE_MS);
  });

  test('is not readable on the disk, and carries nothing the sender hid in it', async () => {
    const member = await env.member();
    const slip = await make(member);
    const tagged = await sharp(slip.bytes)
      .withExif({ IFD0: { Copyright: 'hidden words' } })
      .jpeg()
      .toBuffer();
    expect(tagged.includes('hidden words')).toBe(true);
    const { body } = await upload(member, tagged, { name: 'x.jpeg' });
    const { rows } = await env.pool.query('select file from slip where reference = $1', [body.reference]);
    const jpeg = await env.app.deps.files.read(rows[0].file);
    expect(jpeg!.includes('hidden words')).toBe(false);
  });
});

describe('refused before anything is stored', () => {
  const rows = async () => (await env.pool.query('select count(*)::int as count from slip')).rows[0].count;

  test.each<[string, Buffer, string, string]>([
    ['a text file', Buffer.from('hello'), 'slip.png', 'SLIP_INVALID_FILE'],
    ['a text file named so', Buffer.from('hello'), 'slip.txt', 'SLIP_INVALID_FILE'],
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'slip.png',
      'SLIP_INVALID_FILE',
    ],
    [
      'half a JPEG',
      Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
      'slip.jpg',
      'SLIP_INVALID_FILE',
    ],
    ['nothing in it', Buffer.alloc(0), 'slip.png', 'SLIP_NO_FILE'],
    ['more than 10 MB', Buffer.alloc(10 * 1024 * 1024 + 1), 'slip.png', 'SLIP_INVALID_FILE'],
  ])('%s', async (_what, bytes, name, code) => {
    const [member, before] = [await env.member(), await rows()];
    expect(await upload(member, bytes, { name })).toMatchObject({ status: 400, body: { message: code } });
    expect(await rows()).toBe(before);
  });

  test('a true GIF, another field, another part, no form, no member', async () => {
    const member = await env.member();
    const { bytes } = await make(member);
    const gif = await sharp(bytes).gif().toBuffer();
    expect((await upload(member, gif, { name: 'slip.png' })).body.message).toBe('SLIP_INVALID_FILE');
    expect((await upload(member, bytes, { more: { amount: '1' } })).body.message).toBe('INVALID_REQUEST');
    expect((await upload(member, bytes, { field: 'picture' })).body.message).toBe('INVALID_REQUEST');
    const json = await env.call('POST', '/api/wallet/slip', {}, { token: member.token });
    expect(json).toMatchObject({ status: 400, body: { message: 'SLIP_NO_FILE' } });
    expect((await upload(null, bytes)).status).toBe(401);
    expect((await upload({ token: 'x' }, bytes)).body.message).toBe('invalid-token');
  });

  test('a form where JSON belongs', async () => {
    const member = await env.member();
    const form = new FormData();
    form.append('amount', '5');
    const reply = await fetch(`${env.url}/api/wallet/withdraw`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member.token}` },
      body: form,
    });
    expect(reply.status).toBe(415);
  });

  test('in closed hours, with the hours', async () => {
    const member = await env.member();
    const { bytes } = await make(member);
    const hours = ALL_DAY;
    await env.set('slip.closedHours', hours);
    const response = await upload(member, bytes);
    await env.set('slip.closedHours', []);
    expect(response).toMatchObject({
      status: 400,
      body: { message: 'SLIP_UPLOAD_FAIL', data: { closedHours: hours } },
    });
  });

  test('but not a repeat under its key of one that was handed in before the hours', async () => {
    const member = await env.member();
    const { bytes } = await make(member);
    const key = 'slip-before-the-hours';
    const first = await upload(member, bytes, { key });
    await env.set('slip.closedHours', ALL_DAY);
    const repeated = await upload(member, bytes, { key });
    await env.set('slip.closedHours', []);
    expect(repeated).toMatchObject({ status: 200, body: { id: first.body.id, status: 'SUCCESS' } });
  });

  test('too many an hour', async () => {
    const member = await env.member();
    const { bytes } = await make(member, { kind: 'no-qr' });
    await env.set('slip.hourMax', 2);
    const responses = await Promise.all([1, 2, 3].map(() => upload(member, bytes)));
    await env.set('slip.hourMax', 1000);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
  });
});

test('the list is newest first, a page at a time, and only the member’s own', async () => {
  const [member, other] = [await env.member(), await env.member()];
  const { bytes } = await make(member, { kind: 'no-qr' });
  const references: string[] = [];
  for (const _ of [1, 2, 3]) references.unshift((await upload(member, bytes)).body.reference);
  const pages = [await list(member, 1, 2), await list(member, 2, 2)];
  expect(pages.map(({ total }) => total)).toEqual([3, 3]);
  expect(pages.flatMap(({ slips }) => slips.map((slip: { reference: string }) => slip.reference))).toEqual(
    references,
  );
  expect(pages[0].slips[0].amount).toBeNull();
  expect(await list(other)).toEqual({ slips: [], total: 0 });
});
