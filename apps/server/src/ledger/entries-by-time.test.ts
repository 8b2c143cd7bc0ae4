import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../platform/database/testing.ts';

const { owner } = await testDatabase();
afterAll(() => owner.end());

const since = async (time: string): Promise<number> =>
  Number((await owner.query('select ledger_entry_since($1) as id', [time])).rows[0].id);

test('an id that no entry made since a moment is below, while those made long before are', async () => {
  expect(await since('2026-01-05')).toBe(0);
  // Every tenth id, an hour after the one before; every third one was written by a server half a day ahead.
  await owner.query(
    `insert into ledger_entry (id, batch_id, kind, reference, created_at, digest) overriding system value
       select n * 10, 0, 'deposit_qr', 'E' || n, timestamptz '2026-01-01' + n * interval '1 hour' + case n % 3 when 0 then interval '12 hours' else interval '0' end, '\\x00'
       from generate_series(1, 480) n`,
  );
  for (const time of ['2025-12-01', '2026-01-05', '2026-01-09 13:00', '2026-01-20', '2026-03-01']) {
    const { rows } = await owner.query(
      `select coalesce(min(id) filter (where created_at >= $1), 4801) as earliest, coalesce(max(id) filter (where created_at < $1::timestamptz - interval '2 days'), -1) as early
       from ledger_entry`,
      [time],
    );
    const id = await since(time);
    expect(id).toBeLessThanOrEqual(Number(rows[0].earliest));
    expect(id).toBeGreaterThan(Number(rows[0].early));
  }
});
