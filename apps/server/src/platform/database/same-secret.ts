import type pg from 'pg';
import type { Secrets } from '../secrets.ts';
import { createPool } from './pool.ts';
import { DatabaseRefusal } from './requirements.ts';

/** Whether the newest bank account can be read; true where there is none. For a database without a fingerprint. */
async function opensSealed(pool: pg.Pool, secrets: Secrets): Promise<boolean> {
  const { rows } = await pool.query<{ sealed: Buffer }>(
    'select account_no_sealed as sealed from bank_account order by id desc limit 1',
  );
  try {
    if (rows[0]) secrets.decrypt('bank-account', rows[0].sealed);
    return true;
  } catch {
    return false;
  }
}

async function isSame(pool: pg.Pool, secrets: Secrets): Promise<boolean> {
  const own = secrets.fingerprint('installation', 'krapao');
  const read = async () =>
    (await pool.query('select fingerprint from secret_fingerprint')).rows[0]?.fingerprint;
  const stored = await read();
  if (stored) return own.equals(stored);
  if (!(await opensSealed(pool, secrets))) return false;
  await pool.query('insert into secret_fingerprint (fingerprint) values ($1) on conflict do nothing', [own]);
  return own.equals(await read());
}

/**
 * Compares SECRET with the one that the values of this database are sealed with, which the first program that asks
 * stores a keyed hash of. Two servers with different secrets could not read each other's bank accounts, and one bank
 * account could be registered twice.
 * @throws DatabaseRefusal when it is another one
 */
export async function requireSameSecret(owner: pg.PoolConfig, secrets: Secrets): Promise<void> {
  const pool = createPool(owner, { max: 1, applicationName: 'krapao secret', statementTimeoutMs: 10_000 });
  try {
    if (await isSame(pool, secrets)) return;
  } finally {
    await pool.end();
  }
  throw new DatabaseRefusal(
    'SECRET is not the one that the values of this database are sealed with: set the SECRET of its other servers.',
  );
}
