import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool, databaseFor } from '@krapao/server/database';
import { migrate } from '@krapao/server/migrate';
import pg from 'pg';
import { readConfig } from '../../apps/server/src/platform/config.ts';
import { createSecrets } from '../../apps/server/src/platform/secrets.ts';

/**
 * A database of its own in a temporary folder, thrown away at the end; migrated unless somebody else is to do it.
 * `secrets` are those of a server with that folder.
 */
export async function openBenchDatabase(options: { empty?: boolean } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'krapao-bench-'));
  const database = await databaseFor({ dataDir });
  if (!options.empty) await migrate(database.owner);
  const pool = createPool(database.app, { max: 16, applicationName: 'bench', statementTimeoutMs: 60_000 });
  return {
    dataDir,
    database,
    pool,
    secrets: createSecrets(readConfig({ ...process.env, DATA_DIR: dataDir }).SECRET),
    async close() {
      await pool.end();
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** An empty database beside the product's, for the yardstick. */
export async function createYardstick(owner: pg.PoolConfig): Promise<string> {
  const client = new pg.Client({ ...owner, user: 'postgres', database: 'postgres' });
  await client.connect();
  await client.query('create database yardstick owner krapao_owner');
  await client.end();
  return 'yardstick';
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

/** Prints one line per threshold: measured, required, and whether it holds. */
export function judge(
  rows: { name: string; reached: number; bar: number; aim: number; lowerIsBetter?: boolean }[],
): boolean {
  let good = true;
  for (const row of rows) {
    const holds = row.lowerIsBetter ? row.reached <= row.bar : row.reached >= row.bar;
    good &&= holds;
    console.log(
      `${holds ? 'holds' : 'MISSED'}  ${row.name}: ${row.reached.toFixed(2)} (bar ${row.bar}, aim ${row.aim})`,
    );
  }
  return good;
}
