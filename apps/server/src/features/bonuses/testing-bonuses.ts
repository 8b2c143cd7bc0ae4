/** Helpers for tests of bonuses: terms, deposits made through the bank, and the member's calls. */
import { onTestFinished, vi } from 'vitest';
import type { ApiResponse, TestEnv, TestMember } from '../../testing/test-env.ts';
import { paymentHelpers } from '../deposits/testing-payments.ts';

const TEXTS = JSON.stringify({ th: 'โบนัสทดสอบ', la: 'ໂບນັດທົດສອບ', en: 'Test bonus' });

/** A bonus of 100 % of a deposit, at most 1,000.00, won at double and lost at a tenth; any game. */
const USUAL = {
  kind: 'bonus',
  currency: 'BAHT',
  title: TEXTS,
  banners: JSON.stringify([
    { image: '/art/x.svg', html: { th: '<b>ก</b><script>1</script>', la: '', en: '' } },
  ]),
  award: 'percent',
  award_percent: 100,
  award_max: 100_000n,
  deposit_min: 1_000n,
  success_percent: 200,
  fail_percent: 10,
  count_by: 'limit',
  max_received: 100,
  is_open: true,
  changed_by: 'test',
  changed_at: new Date(0),
};

/** Terms as operators write them: 50.00 without a deposit, doubled to keep. */
export const WRITTEN = {
  code: 'NEWYEAR',
  kind: 'bonus',
  currency: 'BAHT',
  title: { th: 'ปีใหม่', la: 'ປີໃໝ່', en: 'New year' },
  description: { th: '<p>ฉลองปีใหม่</p>', la: '', en: '' },
  banners: [],
  award: { fixed: 50 },
  deposit: null,
  successPercent: 200,
  failPercent: 10,
  turnoverTimes: 1.5,
  games: { betflix: 100 },
  withdrawMost: 500,
  days: 7,
  countBy: 'limit',
  maxReceived: 1,
  quota: null,
  codes: 'shared',
  isOpen: true,
  startsAt: null,
  endsAt: '2099-01-01T00:00:00.000Z',
};

let serial = 0;

export function bonusHelpers(env: TestEnv) {
  const { qr, notice, notify } = paymentHelpers(env, () => env.app.deps.clock.now());
  const signed = paymentHelpers(env, () => env.app.deps.clock.now());
  const as = (method: string) => (member: TestMember, path: string) =>
    env.call(method, path, undefined, { token: member.token });
  const get = as('GET');
  const atMost = (path: string, takenMost?: number) =>
    takenMost === undefined ? path : `${path}?takenMost=${takenMost}`;
  return {
    /** Puts a bonus on offer, differing from the usual one; returns its code. */
    async offer(change: Record<string, unknown> = {}): Promise<string> {
      const code = `TEST${++serial}`;
      const row: Record<string, unknown> = { ...USUAL, code, ...change };
      const names = Object.keys(row);
      await env.owner.query(
        `insert into bonus (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
        names.map((name) => row[name]),
      );
      return code;
    },
    /** Pays in through the bank. */
    async deposit(member: TestMember, amount: number): Promise<string> {
      const { id } = await qr(member, amount);
      const paid = notice(id, { amount: amount.toFixed(2), payerAccountNumber: member.accountNo });
      const { status, body } = await notify.call(signed, paid);
      if (status !== 200) throw new Error(`deposit: ${status} ${JSON.stringify(body)}`);
      const { rows } = await env.pool.query('select id from deposit where qr_id = $1', [id]);
      return rows[0].id;
    },
    /** For the rest of the test, posts items of these two kinds in one turn of the event loop, in this order. */
    inOneTurn(first: string, second: string): void {
      const { ledger } = env.app.deps;
      const post = ledger.post.bind(ledger);
      const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const spy = vi.spyOn(ledger, 'post').mockImplementation(async (item) => {
        if (item.kind === first) {
          one.resolve();
          await other.promise;
        }
        if (item.kind === second) {
          await one.promise;
          other.resolve();
          await Promise.resolve();
        }
        return post(item);
      });
      onTestFinished(() => spy.mockRestore());
    },
    list: (member: TestMember) => get(member, '/api/bonus'),
    activate: (member: TestMember, code: string, version?: number): Promise<ApiResponse> =>
      get(member, `/api/bonus/activate/${code}${version === undefined ? '' : `?version=${version}`}`),
    find: (member: TestMember, code: string): Promise<ApiResponse> =>
      get(member, `/api/promotion/find/${code}`),
    receive: (member: TestMember, code: string, version?: number): Promise<ApiResponse> =>
      get(member, `/api/promotion/activate/${code}${version === undefined ? '' : `?version=${version}`}`),
    clear: (member: TestMember, takenMost?: number): Promise<ApiResponse> =>
      get(member, atMost('/api/bonus/clear', takenMost)),
    forfeit: (member: TestMember, takenMost?: number): Promise<ApiResponse> =>
      as('POST')(member, atMost('/api/bonus/forfeit', takenMost)),
    active: async (member: TestMember) => (await get(member, '/api/bonus/check/active')).body,
    minimum: async (member: TestMember) => (await get(member, '/api/bonus/check/minimum')).body,
    withdraw: (member: TestMember, amount: number, path = 'withdraw'): Promise<ApiResponse> =>
      env.call('POST', `/api/wallet/${path}`, { amount }, { token: member.token }),
    async statement(member: TestMember): Promise<{ statementType: string; amount: number }[]> {
      const { body } = await env.call(
        'POST',
        '/api/statement',
        { page: 1, limit: 100 },
        { token: member.token },
      );
      return body.statements;
    },
  };
}
