import type pg from 'pg';
import type { Secrets } from '../secrets.ts';
import { createPool } from './pool.ts';
import { DatabaseRefusal } from './requirements.ts';

const opens = (secrets: Secrets, sealed: Buffer): boolean => {
  try {
    secrets.decrypt('bank-account', sealed);
    return true;
  } catch {
    return false;
  }
};

/**
 * Whether most of the first and the newest bank accounts can be read, for a database without a fingerprint: a server with
 * another secret may have sealed a few. True where there are none.
 */
async function opensSealed(pool: pg.Pool, secrets: Secrets): Promise<boolean> {
  const { rows } = await pool.query<{ sealed: Buffer }>(
    `(select account_no_sealed as sealed from bank_account order by id limit 10)
     union all (select account_no_sealed from bank_account order by id desc limit 10)`,
  );
  return rows.filter(({ sealed }) => opens(secrets, sealed)).length * 2 >= rows.length;
}

async function isSame(pool: pg.Pool, secrets: Secrets, stores: boolean): Promise<boolean> {
  const own = secrets.fingerprint('installation', 'krapao');
  const read = async () =>
    (await pool.query('select fingerprint from secret_fingerprint')).rows[0]?.fingerprint;
  const stored = await read();
  if (stored) return own.equals(stored);
  if (!(await opensSealed(pool, secrets))) return false;
  if (!stores) return true;
  await pool.query('insert into secret_fingerprint (fingerprint) values ($1) on conflict do nothing', [own]);
  return own.equals(await read());
}

/**
 * Compares SECRET with the one that the values of this database are sealed with. The first server stores a keyed hash of
 * its own (`stores`); the command line does not, which may run with settings of a developer. Two servers with different
 * secrets could not read each other's bank accounts, and one bank account could be registered twice.
 * @throws DatabaseRefusal when it is another one
 */
export async function requireSameSecret(
  owner: pg.PoolConfig,
  secrets: Secrets,
  { stores }: { stores: boolean },
): Promise<void> {
  const pool = createPool(owner, { max: 1, applicationName: 'krapao secret', statementTimeoutMs: 10_000 });
  try {
    if (await isSame(pool, secrets, stores)) return;
  } finally {
    await pool.end();
  }
  throw new DatabaseRefusal(
    'SECRET is not the one that the values of this database are sealed with: set the SECRET of its other servers.',
  );
}
