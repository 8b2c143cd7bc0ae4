import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { type LedgerItem, verifyLedger } from '../../ledger/index.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { TRANSFER_CHECK } from '../games/read.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { bonusHelpers } from './testing-bonuses.ts';

const env = await startTestEnv({ jobs: false });
const { offer, deposit, activate, active } = bonusHelpers(env);
const { open, transfer, play, refresh } = gameHelpers(env);
await env.set('refresh.seconds', 0);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/**
 * Posts the first start of a run in one batch with a reading that `read` makes, in this order. Returns what waits for the
 * reading.
 */
function withReading(isReadingFirst: boolean, read: () => Promise<unknown>): () => Promise<unknown> {
  const { ledger } = env.app.deps;
  const post = ledger.post.bind(ledger);
  const [arrived, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let [isArmed, reading] = [false, Promise.resolve() as Promise<unknown>];
  const spy = vi.spyOn(ledger, 'post').mockImplementation(async (item: LedgerItem) => {
    if (item.kind === 'bonus_granted' && !isArmed) {
      isArmed = true;
      reading = read();
      await arrived.promise;
      const posted = post(item);
      started.resolve();
      return posted;
    }
    if (item.kind !== 'game_result' || !isArmed) return post(item);
    const posted = isReadingFirst ? post(item) : null;
    arrived.resolve();
    await started.promise;
    return posted ?? post(item);
  });
  onTestFinished(() => spy.mockRestore());
  return () => reading;
}

test.each([true, false])(
  'guard blind to its own batch: a reading in the batch of a start binds no money that is gone (reading first: %s)',
  async (isReadingFirst) => {
    const member = await env.member();
    await open(member, 'betflix');
    await deposit(member, 100);
    await transfer(member, 'wallet', 'betflix', 60);
    const code = await offer();
    const isRead = withReading(isReadingFirst, async () => {
      await play(member, 'betflix', 60, 'lose');
      await refresh(member);
    });
    expect(await activate(member, code)).toMatchObject({ status: 200 });
    await isRead();
    const sql = 'select unbound, qualifying, granted from bonus_run where member_id = $1';
    const { unbound, qualifying, granted } = (await env.pool.query(sql, [member.id])).rows[0];
    expect(unbound).toBe(0n);
    // The loss is of the run when it was read after the start; else the start was decided again without it.
    expect([4_000n, 10_000n]).toContain(qualifying);
    const balance = Number(qualifying + granted - (qualifying === 10_000n ? 6_000n : 0n)) / 100;
    expect(await active(member)).toMatchObject({ balance });
  },
);
