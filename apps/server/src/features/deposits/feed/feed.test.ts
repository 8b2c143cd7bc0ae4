import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import type { BankFeed } from '../../../outside/index.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { pushedClock } from '../../testing.ts';
import { paymentHelpers } from '../testing-payments.ts';
import { readFeeds } from './feed.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { qr, transaction } = paymentHelpers(env, clock.now);
const SCB = { toBank: 'SCB', toAccount: '2223334445' };

const read = () => env.app.runJob('feeds.read');
const send = async (phone: string, amount: number, to: object = SCB): Promise<string> =>
  (await env.control('transfer', { phone, amount, ...to })).transRef;
const fault = (kind: string) => env.fault({ party: 'bank-b', call: 'statement', kind });
const clearFaults = () => env.control('faults', { clear: true });

/** Watching starts when the server does; what was sent before is not taken for a deposit. */
await read();

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

async function statement(member: TestMember) {
  const { body } = await env.call('POST', '/api/statement', { page: 1, limit: 10 }, { token: member.token });
  return body.statements;
}

const likely = async (transRef: string) =>
  (
    await env.pool.query(
      'select state, reason, likely_members from bank_transaction where bank_reference = $1',
      [transRef],
    )
  ).rows[0];

describe('a transfer to the shown account', () => {
  test('from the registered account is credited once, however often the feed is read', async () => {
    const member = await env.member();
    await send(member.phone, 250.5);
    await Promise.all([read(), read(), read()]);
    await env.owner.query('update bank_feed set cursor = null');
    await Promise.all(Array.from({ length: 40 }, read));
    await read();
    expect(await env.balance(member)).toBe(25_050n);
    expect(await statement(member)).toMatchObject([
      { statementType: 'deposit', status: 'SUCCESS', from: 'SCB', to: 'wallet', amount: 250.5 },
    ]);
  });

  test('two of the same amount at once are two deposits', async () => {
    const member = await env.member();
    await Promise.all([send(member.phone, 70), send(member.phone, 70)]);
    await read();
    expect(await env.balance(member)).toBe(14_000n);
  });

  test('is found over many pages', async () => {
    const member = await env.member();
    for (let count = 0; count < 101; count++) await send(member.phone, 1);
    await read();
    expect(await env.balance(member)).toBe(10_100n);
  });

  test('made before watching began stays what it was', async () => {
    const member = await env.member();
    await env.owner.query("update bank_feed set cursor = null, started_at = now() + interval '1 minute'");
    await send(member.phone, 33);
    await read();
    expect(await env.balance(member)).toBe(0n);
    await env.owner.query("update bank_feed set cursor = null, started_at = now() - interval '1 hour'");
    await read();
    expect(await env.balance(member)).toBe(3_300n);
  });
});

describe('a transaction without one owner is unmatched, with its candidates', () => {
  test('an account of no member', async () => {
    await env.control('persons', { name: 'นิรนาม ไกลบ้าน', phone: '0899990001', bankCode: 'KTB' });
    const transRef = await send('0899990001', 40);
    await read();
    expect(await likely(transRef)).toEqual({ state: 'UNMATCHED', reason: 'NO_MEMBER', likely_members: [] });
  });

  test('another name on the same digits', async () => {
    const member = await env.member();
    const accountNo = `9${member.accountNo.slice(1)}`;
    await env.control('persons', { name: 'คนอื่น ไกล', phone: '0899990002', bankCode: 'KBANK', accountNo });
    const transRef = await send('0899990002', 41);
    await read();
    expect(await likely(transRef)).toMatchObject({ state: 'UNMATCHED', reason: 'NO_MEMBER' });
    expect(await env.balance(member)).toBe(0n);
  });

  test('money that we move between our own accounts, also when a member has registered one of them', async () => {
    const member = await env.member();
    const { secrets } = env.app.deps;
    const [bankCode, accountNo] = ['KBANK', '1112223334'];
    await env.owner.query(
      `update bank_account set bank_code = $2, account_name = 'บริษัท กระเป๋า จำกัด', account_no_sealed = $3,
         account_no_fingerprint = $4 where member_id = $1`,
      [
        member.id,
        bankCode,
        secrets.encrypt('bank-account', accountNo),
        secrets.fingerprint('bank-account', `${bankCode} ${accountNo}`),
      ],
    );
    await read();
    const { transRef } = await env.control('transfer', {
      fromAccount: `${bankCode}:${accountNo}`,
      toBank: 'KBANK',
      toAccount: '3334445556',
      amount: '50000.00',
    });
    await read();
    expect(await likely(transRef)).toEqual({ state: 'UNMATCHED', reason: 'OWN_ACCOUNT', likely_members: [] });
    expect(await env.balance(member)).toBe(0n);
  });

  test('two similar members', async () => {
    const [one, two] = [await env.member(), await env.member()];
    const { rows } = await env.owner.query(
      'select bank_account_id from bank_account_digits d join bank_account a on a.id = d.bank_account_id where a.member_id = $1',
      [one.id],
    );
    expect(rows).toEqual([]);
    // The second one's number differs only where banks show nothing.
    const alike = `8${one.accountNo.slice(1)}`;
    const { secrets } = env.app.deps;
    await env.owner.query(
      'update bank_account set account_no_sealed = $2, account_no_fingerprint = $3 where member_id = $1',
      [two.id, secrets.encrypt('bank-account', alike), secrets.fingerprint('bank-account', `KBANK ${alike}`)],
    );
    const transRef = await send(one.phone, 42);
    await read();
    expect(await likely(transRef)).toEqual({
      state: 'UNMATCHED',
      reason: 'SEVERAL_MEMBERS',
      likely_members: [one.id, two.id],
    });
  });

  test('a bank that hides too many digits', async () => {
    const member = await env.member();
    const transRef = await send(member.phone, 43);
    await fault('masked-digits');
    await read();
    await clearFaults();
    expect(await likely(transRef)).toMatchObject({ state: 'UNMATCHED', reason: 'NO_MEMBER' });
    expect(await env.balance(member)).toBe(0n);
  });

  test('money in another currency than the member’s', async () => {
    const member = await env.member();
    const transRef = await send(member.phone, 50_000, { toBank: 'BCEL', toAccount: '010120008887' });
    await read();
    expect(await likely(transRef)).toEqual({
      state: 'UNMATCHED',
      reason: 'WRONG_CURRENCY',
      likely_members: [member.id],
    });
    const { rows } = await env.pool.query(
      'select currency, amount from bank_transaction where bank_reference = $1',
      [transRef],
    );
    expect(rows).toEqual([{ currency: 'LAK', amount: 50_000n }]);
  });
});

describe('when the bank is away, nothing is lost:', () => {
  test.each(['outage', 'malformed', 'cut-after', '500', '429', 'refuse'])('%s', async (kind) => {
    const member = await env.member();
    await send(member.phone, 60);
    await fault(kind);
    await read();
    expect(await env.balance(member)).toBe(0n);
    await clearFaults();
    await read();
    expect(await env.balance(member)).toBe(6_000n);
  });

  test('alerts operators about a feed that stays silent, until it responds', async () => {
    const silent = async () =>
      (
        await env.pool.query(
          `select d.bank_code || ' ' || d.account_no as account, a.detail from alert a
           join deposit_account d on a.subject = 'deposit-account:' || d.id where a.kind = 'feed-silent' and a.closed_at is null`,
        )
      ).rows;
    await fault('outage');
    clock.push(16 * 60_000);
    await read();
    await clearFaults();
    const account = 'SCB 2223334445';
    expect(await silent()).toContainEqual({ account, detail: expect.stringContaining(`${account}: `) });
    await read();
    expect(await silent()).toEqual([]);
    clock.push(-16 * 60_000);
  });

  describe('its alert', () => {
    const good = (more: boolean) => ({
      outcome: 'ok' as const,
      value: { lines: [], next: randomBytes(6).toString('hex'), more },
    });
    const down = { outcome: 'unknown' as const, note: 'status 503' };
    /** Reads SCB's feed with these responses, the others without any transfer. */
    const readWith = (read: () => Promise<Awaited<ReturnType<BankFeed['read']>>>) => {
      const bank = env.app.deps.feed!;
      return readFeeds(env.app.deps, {
        ...bank,
        read: async ({ bankCode }) => (bankCode === 'SCB' ? read() : good(false)),
      });
    };
    const open = async () =>
      (await env.pool.query("select 1 from alert where kind = 'feed-silent' and closed_at is null")).rows
        .length;

    test('does not open again while a feed that responds again catches up', async () => {
      await readWith(async () => good(false));
      clock.push(16 * 60_000);
      await readWith(async () => down);
      expect(await open()).toBe(1);
      clock.push(10_000);
      const responses = [good(true), down];
      await readWith(async () => responses.shift()!);
      expect(await open()).toBe(0);
      clock.push(10_000);
      await readWith(async () => good(false));
      expect(await open()).toBe(0);
    });

    test('does not open about an account that was closed while it was read', async () => {
      await readWith(async () => good(false));
      clock.push(16 * 60_000);
      const isOpen = (value: boolean) =>
        env.owner.query("update deposit_account set is_open = $1 where bank_code = 'SCB' and mode = 'AUTO'", [
          value,
        ]);
      await readWith(async () => {
        await isOpen(false);
        return down;
      });
      expect(await open()).toBe(0);
      await isOpen(true);
    });
  });
});

describe('an account that takes QRs and is watched', () => {
  test('credits a paid QR once, for either order of its confirmation and its transaction', async () => {
    await env.owner.query(
      "insert into deposit_account (bank_code, bank_type, mode, account_name, account_no, currency, position) values ('KBANK', 'BANK', 'AUTO', 'x', '1112223334', 'BAHT', 9)",
    );
    await read();
    for (const transactionFirst of [true, false]) {
      const [member, payer] = [await env.member(), await env.member()];
      const { id, payload } = await qr(member, 90);
      await env.fault({
        party: 'bank-a',
        call: 'confirmation',
        kind: 'cut-before',
        reference: id,
        count: 99,
      });
      const { payments } = await env.control('pay-qr', { payload, phone: payer.phone });
      const notify = () => env.control('confirm', { reference: id });
      for (const way of transactionFirst ? [read, notify, read, notify] : [notify, read, notify, read])
        await way();
      expect(await env.balance(member)).toBe(9_000n);
      expect(await env.balance(payer)).toBe(0n);
      expect(await transaction(payments[0].transRef)).toMatchObject([{ state: 'CREDITED' }]);
      const { rows } = await env.pool.query(
        'select channel, from_stranger, q.status from deposit d join qr q on q.id = d.qr_id where d.member_id = $1',
        [member.id],
      );
      expect(rows).toEqual([{ channel: 'QR', from_stranger: true, status: 'PAID' }]);
    }
  });
});
