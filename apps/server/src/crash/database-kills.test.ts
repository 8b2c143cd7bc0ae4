import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyLedger } from '../ledger/index.ts';
import { createPool, databaseFor } from '../platform/database/connect.ts';
import { cleanUp, folder, postmasterOf, until } from '../platform/database/fixtures/embedded.ts';
import { migrate } from '../platform/database/migrate.ts';
import { processesIn } from '../platform/database/postmaster.ts';
import { lostOf, openAccounts, startPosting } from './fixtures/posting.ts';

const KILLS = 10;

/** Ends a process; false when it is gone already. */
function end(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Ends the main process alone, whose helpers then end themselves, or all at one stroke, as a power cut does. */
async function killDatabase(dataDir: string, all: boolean): Promise<void> {
  const helpers = all ? processesIn(join(dataDir, 'postgres', 'cluster')) : [];
  await until(() => end(postmasterOf(dataDir)));
  for (const pid of helpers) end(pid);
}

test('a database killed ten times under load has every acknowledged move, and right books', async () => {
  const dataDir = folder();
  const lines: string[] = [];
  const database = await databaseFor({ dataDir, log: (line) => lines.push(line) });
  cleanUp(() => database.stop());
  await migrate(database.owner);
  const pool = createPool(database.app, {
    max: 2,
    applicationName: 'test',
    statementTimeoutMs: 30_000,
    log: () => undefined,
  });
  cleanUp(() => pool.end());
  const accounts = await openAccounts(pool, 8);
  const processes = ['a', 'b'].map((name) =>
    startPosting({
      ...accounts,
      database: database.app,
      run: 'kills',
      name,
      moves: 1_000_000_000,
      inFlight: 24,
    }),
  );
  for (const one of processes) cleanUp(() => one.child.kill('SIGKILL'));

  /** Moves are made again, and the database is reported as back. */
  const recovered = async (kills: number): Promise<void> => {
    const before = processes.map((one) => one.acknowledged.size);
    await until(() => processes.every((one, at) => one.acknowledged.size > before[at]! + 200));
    await until(() => lines.filter((line) => line.includes('PostgreSQL is back')).length === kills);
  };
  for (let kill = 1; kill <= KILLS; kill++) {
    await recovered(kill - 1);
    await killDatabase(dataDir, kill % 2 === 0);
  }
  await recovered(KILLS);
  for (const one of processes) one.child.kill('SIGTERM');
  await Promise.all(processes.map((one) => one.exited));

  const all = processes.map((one) => one.acknowledged);
  expect(await lostOf(pool, all), `of ${all.reduce((sum, one) => sum + one.size, 0)} acknowledged`).toEqual(
    [],
  );
  expect(await verifyLedger(pool)).toEqual([]);
});
