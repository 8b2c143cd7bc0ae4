import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@krapao/contract/durations';
import { beforeAll, expect, test } from 'vitest';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { emptyInstallation } from '../testing/test-env.ts';
import { createDemoHistory } from './history.ts';

const DAYS = 12;
const { config, pool, sandboxUrl } = await emptyInstallation();
const lines: string[] = [];
const options = {
  config,
  pool,
  backgroundPool: pool,
  days: DAYS,
  log: (line: string) => void lines.push(line),
};
const count = async (from: string): Promise<number> =>
  (await pool.query(`select count(*)::int as count from ${from}`)).rows[0].count;
const clock = async () =>
  (await (await fetch(`${sandboxUrl}/control/clock`)).json()) as { frozen: boolean; offsetMs: number };

/** Statuses of the health probe while the history was made. */
const probed = new Set<number>();

beforeAll(async () => {
  let isOver = false;
  const history = createDemoHistory(options).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const reply = await fetch(`http://127.0.0.1:${config.PORT}/healthz`).catch(() => null);
    if (reply) probed.add(reply.status);
    await new Promise((resume) => setTimeout(resume, 100));
  }
  await history;
}, 120_000);

test('health probes respond 503 until the history is complete', () => {
  expect([...probed]).toEqual([503]);
});

test('a history has deposits, play and withdrawals on past days, and books that agree with the partners', async () => {
  expect(lines.join()).toMatch(/^demo: 12 days of history, \d+ visits and incidents$/);
  const { rows } = await pool.query(
    'select min(created_at) as first, max(created_at) as last from statement',
  );
  expect(Date.now() - rows[0].first).toBeGreaterThan((DAYS - 1) * DAY_MS);
  expect(rows[0].last.getTime()).toBeLessThan(Date.now());
  for (const table of [
    'deposit',
    'provider_transfer',
    "withdrawal where status = 'SUCCESS'",
    "withdrawal where status = 'FAILED'",
  ])
    expect(await count(table)).toBeGreaterThan(0);
  expect(await verifyLedger(pool, [STATEMENT_CHECK])).toEqual([]);
  expect(await count("reconciliation_run where state = 'COMPARED'")).toBeGreaterThan(DAYS);
  // The line that the bank leaves out of its statement.
  const differences = await pool.query('select source, kind from reconciliation_difference');
  expect(differences.rows).toEqual([{ source: 'bank:SCB:2223334445', kind: 'MISSING_THEIRS' }]);
});

test('it leaves work for operators', async () => {
  expect(await count("withdrawal where status = 'REVIEW'")).toBeGreaterThan(0);
  expect(await count("bank_transaction where state = 'UNMATCHED'")).toBeGreaterThan(0);
  // Its transfer is read from the bank's statement too, and must not have decided it.
  expect(
    await count("slip s join bank_transaction b on b.bank_reference = s.trans_ref where s.status = 'REVIEW'"),
  ).toBe(1);
  expect(await count("alert where state = 'OPEN'")).toBeGreaterThan(1);
  expect(await count('chat_message')).toBeGreaterThan(1);
  expect(await count("kyc_check where state = 'SUBMITTED'")).toBe(1);
  expect(await count("kyc_check where state = 'VERIFIED'")).toBe(1);
});

test('the sandbox shows real time again, and a later start adds nothing', async () => {
  const { frozen, offsetMs } = await clock();
  expect([frozen, Math.abs(offsetMs) < 5_000]).toEqual([false, true]);
  const before = await count('statement');
  await createDemoHistory(options);
  expect(await count('statement')).toBe(before);
});

test('after an interruption the next start sets the sandbox right and says so', async () => {
  writeFileSync(join(config.dataDir, 'demo-history-running'), '');
  await fetch(`${sandboxUrl}/control/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ set: '2026-01-01T00:00:00Z', freeze: true }),
  });
  await createDemoHistory(options);
  expect(lines.at(-1)).toContain('the history is incomplete');
  expect((await clock()).frozen).toBe(false);
  expect(existsSync(join(config.dataDir, 'demo-history-running'))).toBe(false);
});
