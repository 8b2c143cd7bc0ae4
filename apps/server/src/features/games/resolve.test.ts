import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { alertUnknown } from './queries.ts';
import { TRANSFER_CHECK } from './read.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false });
const { open, transfer, refresh, get, gameBalance, rowStatus, settle } = gameHelpers(env);
const resolve = (id: string) => env.app.runJob('transfers.resolve', { id });

afterAll(async () => {
  expect(await verifyLedger(env.pool, [TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
});

/** A member with 900.00 in the wallet and 100 credits in betflix. */
async function player() {
  const member = await env.member({ amountMinor: 100_000n });
  await open(member, 'betflix');
  await transfer(member, 'wallet', 'betflix', 100);
  return member;
}

describe('what became of a transfer', () => {
  test('stays open while the provider has no definite response, and is never guessed', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
    const { id } = (await transfer(member, 'wallet', 'betflix', 40)).body;
    await env.set('unknown.absentGraceSeconds', 0);
    for (const kind of ['outage', '500', '429', 'malformed', 'cut-before', 'wrong-amount']) {
      await env.fault({ party: 'game-f', call: 'transfer-status', kind, count: 1 });
      await resolve(id);
      expect([kind, await rowStatus(id), await env.balance(member)]).toEqual([kind, 'PENDING', 86_000n]);
    }
    await resolve(id);
    expect([await rowStatus(id), await gameBalance(member, 'betflix')]).toEqual(['SUCCESS', 14_000n]);
    await env.set('unknown.absentGraceSeconds', 1);
  });

  test.each(['cut-before', 'cut-after'])(
    '%s: the member’s total is the same until it has ended',
    async (kind) => {
      const member = await player();
      const figures = async () => {
        const { wallet, slots } = (await get(member, '/api/wallet')).body;
        const { amount } = slots.find(({ code }: { code: string }) => code === 'betflix');
        return [wallet.amount, wallet.onTheWay, amount];
      };
      await env.fault({ party: 'game-f', call: 'transfer', kind, count: 1 });
      await transfer(member, 'wallet', 'betflix', 40);
      expect(await figures()).toEqual([860, 40, 100]);
      // The game may have it already; its balance is not taken in before the transfer has ended.
      await refresh(member);
      expect(await figures()).toEqual([860, 40, 100]);
      await settle(member);
      expect(await figures()).toEqual(kind === 'cut-after' ? [860, 0, 140] : [900, 0, 100]);
    },
  );

  test('is booked once by any number of concurrent resolvers', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
    const { id } = (await transfer(member, 'betflix', 'wallet', 40)).body;
    await Promise.all(Array.from({ length: 10 }, () => resolve(id)));
    expect([await env.balance(member), await gameBalance(member, 'betflix')]).toEqual([94_000n, 6_000n]);
  });

  test('"never seen" is believed only after a grace', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-before', count: 1 });
    const { id } = (await transfer(member, 'wallet', 'betflix', 40)).body;
    await resolve(id);
    expect(await rowStatus(id)).toBe('PENDING');
    await until(async () => {
      await resolve(id);
      return (await rowStatus(id)) === 'FAILED';
    });
    expect(await env.balance(member)).toBe(90_000n);
  });

  test('is not given back while its call may still be on its way, however short the grace', async () => {
    const member = await player();
    await env.set('game.timeoutSeconds', 60);
    await env.set('unknown.absentGraceSeconds', 0);
    const fault = { party: 'game-f', call: 'transfer', kind: 'delay', ms: 3_000, count: 1 };
    await env.fault(fault);
    const going = transfer(member, 'wallet', 'betflix', 40);
    const [id] = await until(async () => {
      const { rows } = await env.pool.query(
        "select id from provider_transfer where member_id = $1 and state = 'RESERVED'",
        [member.id],
      );
      return rows.length > 0 && rows.map((row) => row.id);
    });
    await resolve(id);
    await resolve(id);
    expect(await rowStatus(id)).toBe('PENDING');
    expect((await going).body).toMatchObject({ id, status: 'SUCCESS' });
    expect([await env.balance(member), await gameBalance(member, 'betflix')]).toEqual([86_000n, 14_000n]);

    // Refunded nevertheless, here because its sending time is set far back: the later success alerts operators.
    await env.fault(fault);
    const late = transfer(member, 'wallet', 'betflix', 40);
    const [second] = await until(async () => {
      const { rows } = await env.owner.query(
        "update provider_transfer set sent_at = now() - interval '2 minutes' where member_id = $1 and state = 'RESERVED' returning id",
        [member.id],
      );
      return rows.length > 0 && rows.map((row) => row.id);
    });
    await resolve(second);
    await resolve(second);
    expect(await rowStatus(second)).toBe('FAILED');
    await late;
    const { rows } = await env.pool.query('select kind from alert where subject = $1', [
      `transfer:${second}`,
    ]);
    expect(rows).toEqual([{ kind: 'transfer-contradicts' }]);
    expect([await rowStatus(second), await env.balance(member)]).toEqual(['FAILED', 86_000n]);
    await env.set('game.timeoutSeconds', 1);
    await env.set('unknown.absentGraceSeconds', 1);
  });

  test('alerts operators once when it stays open for fifteen minutes', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-before', count: 1 });
    const { id } = (await transfer(member, 'wallet', 'betflix', 40)).body;
    await env.fault({ party: 'game-f', call: 'transfer-status', kind: 'outage' });
    const alerts = async () =>
      (await env.pool.query('select kind from alert where subject = $1', [`transfer:${id}`])).rows;
    await resolve(id);
    expect(await alerts()).toEqual([]);
    await env.owner.query(
      "update provider_transfer set sent_at = now() - interval '16 minutes' where id = $1",
      [id],
    );
    await resolve(id);
    await resolve(id);
    expect(await alerts()).toEqual([{ kind: 'transfer-unknown' }]);
    await env.control('faults', { clear: true });
    await settle(member);
  });

  test('opens no alert for a transfer that was settled while the provider was asked', async () => {
    const member = await player();
    const { id } = (await transfer(member, 'wallet', 'betflix', 40)).body;
    await alertUnknown(env.pool, id, 'silent', new Date());
    const { rows } = await env.pool.query('select from alert where subject = $1', [`transfer:${id}`]);
    expect(rows).toEqual([]);
    await settle(member);
  });

  test('the sweep finds a call that crashed with its process', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
    const { id } = (await transfer(member, 'wallet', 'betflix', 40)).body;
    await env.owner.query(
      "update provider_transfer set state = 'RESERVED', asked = 0, sent_at = now() - interval '1 minute' where id = $1",
      [id],
    );
    await env.owner.query('delete from graphile_worker._private_jobs');
    await env.app.runJob('transfers.sweep');
    const { rows } = await env.owner.query(
      "select key, max_attempts from graphile_worker.jobs where task_identifier = 'transfers.resolve'",
    );
    expect(rows).toEqual([{ key: `transfers.resolve:${id}`, max_attempts: 1 }]);
    // A check that failed has given up its key: the next sweep adds another, and it is the only one that will run.
    await env.owner.query('update graphile_worker._private_jobs set key = null, attempts = 1');
    await env.app.runJob('transfers.sweep');
    const open = 'select key from graphile_worker.jobs where attempts < max_attempts';
    expect((await env.owner.query(open)).rows).toEqual([{ key: `transfers.resolve:${id}` }]);
    await settle(member);
    expect([await rowStatus(id), await gameBalance(member, 'betflix')]).toEqual(['SUCCESS', 14_000n]);
  });

  test('the sweep finds such a call behind any number of older transfers whose checks are scheduled', async () => {
    const member = await player();
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
    const { id } = (await transfer(member, 'wallet', 'betflix', 40)).body;
    await env.owner.query('delete from graphile_worker._private_jobs');
    await env.owner.query(
      `with older as (
         insert into provider_transfer (id, member_id, slot_code, direction, amount, credits, state, asked, created_at, touched_at, sent_at)
         select 'OLDER' || n, member_id, slot_code, direction, amount, credits, 'UNKNOWN', 5, created_at, touched_at, now() - interval '1 hour'
         from provider_transfer, generate_series(1, 250) n where id = $1 returning id)
       select graphile_worker.add_job('transfers.resolve', json_build_object('id', id), job_key := 'transfers.resolve:' || id, run_at := now() + interval '5 minutes') from older`,
      [id],
    );
    await env.owner.query(
      "update provider_transfer set state = 'RESERVED', asked = 0, sent_at = now() - interval '1 minute' where id = $1",
      [id],
    );
    await env.app.runJob('transfers.sweep');
    const job = 'select attempts from graphile_worker.jobs where key = $1';
    expect((await env.owner.query(job, [`transfers.resolve:${id}`])).rows).toHaveLength(1);
    // A check that failed for good is scheduled anew.
    const failed = 'transfers.resolve:OLDER250';
    await env.owner.query('update graphile_worker._private_jobs set attempts = max_attempts where key = $1', [
      failed,
    ]);
    await env.app.runJob('transfers.sweep');
    expect((await env.owner.query(job, [failed])).rows).toEqual([{ attempts: 0 }]);
    // So is one that was taken while the database changed, by a worker that lives and does not know of it.
    await env.owner.query(
      "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'lives', attempts = 1 where key = $1",
      [failed],
    );
    await env.app.runJob('transfers.sweep');
    const waiting = 'select attempts, locked_by from graphile_worker.jobs where key = $1';
    expect((await env.owner.query(waiting, [failed])).rows).toEqual([{ attempts: 0, locked_by: null }]);
    await env.owner.query("delete from provider_transfer where id like 'OLDER%'");
    await settle(member);
    expect([await rowStatus(id), await gameBalance(member, 'betflix')]).toEqual(['SUCCESS', 14_000n]);
  });
});

test('queries to a provider that lets one time out wait a while, and those of another do not', async () => {
  const [one, two, other] = await Promise.all([1, 2, 3].map(() => env.member({ amountMinor: 100_000n })));
  const ids: string[] = [];
  for (const [member, slot, party, call] of [
    [one, 'areaslot', 'game-f', 'transfer'],
    [two, 'areaslot', 'game-f', 'transfer'],
    [other, 'pg', 'game-j', 'deposit'],
  ] as const) {
    await open(member!, slot);
    await env.fault({ party, call, kind: 'cut-after', count: 1 });
    ids.push((await transfer(member!, 'wallet', slot, 40)).body.id);
  }
  const [first, second, third] = ids as [string, string, string];
  await env.set('game.timeoutSeconds', 1);
  await env.fault({ party: 'game-f', call: 'transfer-status', kind: 'delay', count: 2, ms: 20_000 });
  await resolve(first);
  const queries = async (id: string) =>
    (await env.control(`log?party=game-f&call=transfer-status&reference=${id}&limit=100`)).entries.length;
  const before = await queries(second);
  await resolve(second);
  expect(await queries(second)).toBe(before);
  const { rows } = await env.pool.query(
    "select run_at > now() + interval '20 seconds' as waits from graphile_worker.jobs where key = $1",
    [`transfers.resolve:${second}`],
  );
  expect(rows).toEqual([{ waits: true }]);
  // Operators are alerted to it in time, and can settle it, although it was not queried.
  await env.owner.query(
    "update provider_transfer set state = 'RESERVED', sent_at = now() - interval '2 hours', created_at = now() - interval '2 hours' where id = $1",
    [second],
  );
  await resolve(second);
  const { rows: alerts } = await env.pool.query(
    "select t.state from alert a join provider_transfer t on a.subject = 'transfer:' || t.id where a.kind = 'transfer-unknown' and t.id = $1",
    [second],
  );
  expect(alerts).toEqual([{ state: 'UNKNOWN' }]);
  await resolve(third);
  expect(await rowStatus(third)).toBe('SUCCESS');
  await env.control('faults', { clear: true });
  await env.set('game.timeoutSeconds', 5);
});
