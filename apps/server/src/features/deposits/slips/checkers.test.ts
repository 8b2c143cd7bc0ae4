import { parseSlipCode } from '@krapao/contract/shared';
import { describe, expect, test } from 'vitest';
import { easySlipChecker, slipOkChecker } from '../../../outside/index.ts';
import { startTestEnv } from '../../../testing/test-env.ts';
import { slipHelpers } from './testing-slips.ts';

const env = await startTestEnv({ jobs: false });
const { make } = slipHelpers(env);
const base = env.app.deps.config.SLIP_URL.replace(/\/slipok$/, '');
const settings = { key: 'sandbox-slip', branch: 'sandbox', timeoutMs: () => 10_000 };
const checkers = {
  slipok: (more = {}) => slipOkChecker({ ...settings, url: `${base}/slipok`, ...more }),
  easyslip: (more = {}) => easySlipChecker({ ...settings, url: `${base}/easyslip`, ...more }),
};
type Style = keyof typeof checkers;
const STYLES = Object.keys(checkers) as Style[];
const fault = (kind: string, more = {}) => env.fault({ party: 'slip', kind, count: 1, ...more });

describe.each(STYLES)('a checker in the shape of %s', (style) => {
  test('tells the bank’s facts, masked', async () => {
    const member = await env.member();
    const slip = await make(member, { amount: '123.45', kind: 'edited-amount' });
    const response = await checkers[style]().check(slip.payload);
    expect(response).toEqual({
      outcome: 'ok',
      value: {
        sendingBank: '004',
        transRef: slip.transRef,
        amountMinor: 12_345n,
        paidAt: expect.any(Date),
        sender: {
          bank: '004',
          account: `xxx-x-x${member.accountNo.slice(-5, -1)}-x`,
          name: expect.stringContaining('ทดสอบ ร'),
        },
        receiver: { bank: '004', account: 'xxx-x-x2333-x', name: expect.any(String) },
        reference1: null,
      },
    });
    expect(parseSlipCode(slip.payload)).toMatchObject({ transRef: slip.transRef });
  });

  test('distinguishes a refusal from not yet known', async () => {
    const member = await env.member();
    const [unknown, good] = [await make(member, { kind: 'unknown' }), await make(member)];
    expect(await checkers[style]().check(unknown.payload)).toEqual({
      outcome: 'rejected',
      reason: 'INVALID_SLIP',
    });
    await fault('late');
    expect(await checkers[style]().check(good.payload)).toEqual({ outcome: 'later', afterMs: 60_000 });
    await fault('refuse', { code: 1012 });
    expect(await checkers[style]().check(good.payload)).toEqual({
      outcome: 'rejected',
      reason: 'DUPLICATE_REFERENCE',
    });
  });

  test.each(['500', 'cut-after', 'cut-before', 'malformed', '429'])(
    'treats %s as no response, never as a refusal',
    async (kind) => {
      const { payload } = await make(await env.member());
      await fault(kind);
      expect((await checkers[style]().check(payload)).outcome).toBe('unknown');
    },
  );

  test('treats a throttled request as no response, whatever code its body names', async () => {
    const { payload } = await make(await env.member());
    for (const code of [1011, 4321]) {
      await fault('429', { code });
      expect(await checkers[style]().check(payload)).toEqual({ outcome: 'unknown', note: 'status 429' });
    }
  });

  test('takes a refusal of our key for silence, too', async () => {
    const { payload } = await make(await env.member());
    expect((await checkers[style]({ key: 'wrong' }).check(payload)).outcome).toBe('unknown');
    expect((await checkers[style]({ url: 'http://127.0.0.1:1' }).check(payload)).outcome).toBe('unknown');
  });
});

test('treats SlipOK’s 1009, the bank is away, as no response, whatever its status', async () => {
  const { payload } = await make(await env.member());
  for (const kind of ['refuse', 'outage']) {
    await fault(kind, { code: 1009 });
    expect((await checkers.slipok().check(payload)).outcome).toBe('unknown');
  }
});
