import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { manualEntryRow, startTestEnv } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { TRANSFER_CHECK } from './read.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false });
const { open, transfer, credits, gameBalance, rowStatus } = gameHelpers(env);

/** A member with 1,000.00 in the wallet and these games opened. */
async function player(...slots: string[]) {
  const member = await env.member({ amountMinor: 100_000n });
  for (const slot of slots) await open(member, slot);
  return member;
}

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

describe('forty at once', () => {
  test('into a game: as many as the wallet covers, the others get MONEY_NOT_ENOUGH', async () => {
    await env.allowSlowPartners();
    const member = await player('betflix');
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => transfer(member, 'wallet', 'betflix', 100)),
    );
    expect(responses.filter((response) => response.status === 200)).toHaveLength(10);
    expect(responses.filter((response) => response.body.message === 'MONEY_NOT_ENOUGH')).toHaveLength(30);
    expect([await env.balance(member), await credits(member, 'betflix')]).toEqual([0n, 100_000n]);
  });

  test('out of a game: never more than is in it, and never a fault', async () => {
    await env.allowSlowPartners();
    const member = await player('betflix');
    await transfer(member, 'wallet', 'betflix', 1000);
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => transfer(member, 'betflix', 'wallet', 100)),
    );
    const done = responses.filter((response) => response.status === 200);
    expect(done).toHaveLength(10);
    expect(responses.filter((response) => response.body.message === 'MONEY_NOT_ENOUGH')).toHaveLength(30);
    expect([
      await env.balance(member),
      await credits(member, 'betflix'),
      await gameBalance(member, 'betflix'),
    ]).toEqual([100_000n, 0n, 0n]);
  });

  test('under one key: one transfer, forty equal answers, and another body is refused', async () => {
    await env.allowSlowPartners();
    const member = await player('betflix', 'areaslot');
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => transfer(member, 'wallet', 'betflix', 400, 'one-intent-1')),
    );
    expect(
      new Set(responses.map((response) => `${response.status} ${JSON.stringify(response.body)}`)).size,
    ).toBe(1);
    expect(responses[0]).toMatchObject({ status: 200, body: { status: 'SUCCESS', wallet: { amount: 600 } } });
    const across = await Promise.all(
      Array.from({ length: 40 }, () => transfer(member, 'betflix', 'areaslot', 100, 'one-intent-2')),
    );
    expect(
      new Set(across.map((response) => `${response.status} ${JSON.stringify(response.body)}`)).size,
    ).toBe(1);
    expect(across[0]).toMatchObject({ status: 200, body: { status: 'SUCCESS', amount: 100 } });
    expect([await credits(member, 'betflix'), await credits(member, 'areaslot')]).toEqual([30_000n, 1_000n]);
    expect(await transfer(member, 'wallet', 'betflix', 401, 'one-intent-1')).toMatchObject({
      status: 409,
      body: { message: 'IDEMPOTENCY_CONFLICT' },
    });
    expect(await transfer(member, 'wallet', 'betflix', 400, 'one-intent-1')).toEqual(
      expect.objectContaining({ status: 200, body: responses[0]!.body }),
    );
  });
});

describe('a key', () => {
  test('belongs to one member and one call', async () => {
    const [one, other] = [await player('betflix'), await player('betflix')];
    await transfer(one, 'wallet', 'betflix', 10, 'shared-key');
    expect((await transfer(other, 'wallet', 'betflix', 20, 'shared-key')).body).toMatchObject({
      status: 'SUCCESS',
      amount: 20,
    });
    const withdrawal = await env.call(
      'POST',
      '/api/wallet/withdraw',
      { amount: 100 },
      { token: one.token, key: 'shared-key' },
    );
    expect(withdrawal.status).toBe(200);
  });

  test('remembers a refusal', async () => {
    const member = await player('betflix');
    expect((await transfer(member, 'wallet', 'betflix', 5000, 'too-much-1')).body).toEqual({
      message: 'MONEY_NOT_ENOUGH',
    });
    const manual = await env.app.deps.systemAccount('manual', 'BAHT');
    const { rows } = await env.pool.query('select wallet_account from member where id = $1', [member.id]);
    await env.app.deps.ledger.post({
      reference: `manual:key:${member.id}`,
      kind: 'manual_credit',
      memberId: member.id,
      legs: [{ from: manual, to: rows[0].wallet_account, amountMinor: 500_000n }],
      attached: manualEntryRow(BigInt(member.id), `MNKEY${member.id}`, 500_000n),
    });
    expect((await transfer(member, 'wallet', 'betflix', 5000, 'too-much-1')).body).toEqual({
      message: 'MONEY_NOT_ENOUGH',
    });
    expect((await transfer(member, 'wallet', 'betflix', 5000, 'too-much-2')).body).toMatchObject({
      status: 'SUCCESS',
    });
    expect(await rowStatus((await transfer(member, 'wallet', 'betflix', 5000, 'too-much-2')).body.id)).toBe(
      'SUCCESS',
    );
  });

  test.each(['short', 'white space', 'x'.repeat(129), 'ไทยไทยไทย'.slice(0, 0)])(
    'out of form (%j) is refused or no key at all',
    async (key) => {
      const member = await player('betflix');
      const response = await transfer(member, 'wallet', 'betflix', 10, key);
      expect(key === '' ? response.status : response.body).toEqual(
        key === '' ? 200 : { message: 'INVALID_REQUEST' },
      );
    },
  );
});
