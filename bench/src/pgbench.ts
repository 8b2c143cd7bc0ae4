import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import type pg from 'pg';

const run = promisify(execFile);
const CLIENTS = [8, 16, 32] as const;
const SCALE = 10;

/** Where pgbench is; throws with the way to get it. It is part of Debian's server package. */
export function findPgbench(): string {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).sort().reverse() : [];
  const found = versions
    .map((version) => `${folder}/${version}/bin/pgbench`)
    .find((path) => existsSync(path));
  if (!found)
    throw new Error(
      'pgbench is the yardstick of this bench and is not installed: apt-get install -y postgresql-15',
    );
  return found;
}

function environmentOf(config: pg.PoolConfig): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PGHOST: String(config.host),
    PGPORT: String(config.port),
    PGUSER: String(config.user),
    ...(config.password ? { PGPASSWORD: String(config.password) } : {}),
  };
}

/** Fills pgbench's own tables (scale 10) in a database of their own. */
export async function preparePgbench(
  program: string,
  config: pg.PoolConfig,
  database: string,
): Promise<void> {
  await run(program, ['-i', '-q', '-s', String(SCALE), database], { env: environmentOf(config) });
}

/** Transactions a second of the built-in TPC-B-like script: the best of 8, 16 and 32 clients. */
export async function runPgbench(
  program: string,
  config: pg.PoolConfig,
  database: string,
  seconds: number,
): Promise<{ tps: number; clients: number }> {
  let best = { tps: 0, clients: 0 };
  for (const clients of CLIENTS) {
    const { stdout } = await run(
      program,
      ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), database],
      { env: environmentOf(config) },
    );
    const tps = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    if (!Number.isFinite(tps)) throw new Error(`pgbench did not say its tps:\n${stdout}`);
    if (tps > best.tps) best = { tps, clients };
  }
  return best;
}
