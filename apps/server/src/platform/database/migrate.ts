import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { createPool } from './pool.ts';
import { APP_ROLE } from './roles.ts';

const FOLDER = join(import.meta.dirname, '../../../migrations');
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;
/** Held while migrating: several servers may start at once on one database. */
const MIGRATE_LOCK = 7_071_002;

/** Names of the numbered SQL files of a folder, which are the versions, in order. There is no way down. */
async function readNames(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const odd = names.filter((name) => !FILE_NAME.test(name));
  if (odd.length > 0) throw new Error(`Migrations are named NNNN_name.sql, unlike ${odd.join(', ')}.`);
  return names.map((name) => name.slice(0, -'.sql'.length));
}

/** Names applied so far, by whatever version of this program. */
async function readApplied(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query("select to_regclass('kysely_migration') is not null as there");
  if (!rows[0].there) return [];
  const applied = await pool.query<{ name: string }>('select name from kysely_migration');
  return applied.rows.map(({ name }) => name);
}

/** Applies what is missing, up to `last` where that is given. */
async function applyMissing(pool: pg.Pool, folder: string, last: string | undefined): Promise<string[]> {
  const known = await readNames(folder);
  const applied = await readApplied(pool);
  if (!last && known.every((name) => applied.includes(name))) return [];
  // Loaded only here: few starts find anything to apply, and the library would cost each a tenth of a second.
  const { applyFiles } = await import('./apply-files.ts');
  return applyFiles(pool, {
    folder,
    names: known.filter((name) => !last || name <= last),
    // Versions a newer program has applied: migrations only add, so an older program works on beside them.
    foreign: applied.filter((name) => !known.includes(name)),
  });
}

/**
 * The worker's tables are guarded by row security without a policy, which shuts out everybody but their owner.
 * The app role enqueues and works, so it gets a policy and the rights on each; the schema itself stays the owner's.
 */
const WORKER_GRANTS = `
do $$
declare entry record;
begin
  grant usage on schema graphile_worker to ${APP_ROLE};
  grant select, insert, update, delete on all tables in schema graphile_worker to ${APP_ROLE};
  grant usage, select on all sequences in schema graphile_worker to ${APP_ROLE};
  grant execute on all functions in schema graphile_worker to ${APP_ROLE};
  for entry in
    select c.oid::regclass as name from pg_class c
    where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'app_works')
  loop
    execute format('create policy app_works on %s to ${APP_ROLE} using (true) with check (true)', entry.name);
  end loop;
end $$`;

async function underLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATE_LOCK]);
    return await work();
  } finally {
    // Ending the connection frees the lock in every case.
    client.release(true);
  }
}

async function run(owner: pg.PoolConfig, folder: string, last?: string): Promise<string[]> {
  const pool = createPool(owner, {
    max: 4,
    applicationName: 'krapao migrate',
    statementTimeoutMs: 0,
    plainValues: true,
  });
  try {
    return await underLock(pool, async () => {
      await runMigrations({ pgPool: pool });
      await pool.query(WORKER_GRANTS);
      return await applyMissing(pool, folder, last);
    });
  } finally {
    await pool.end();
  }
}

/**
 * Brings a database to the newest version: job tables, then every numbered file not applied yet.
 * Each file is one transaction: after an error the database is as the file before left it. Safe under load: a file
 * waits for the ledger's batch, lets go when others hold a lock for long, and is tried again. A database that a newer
 * program has migrated is taken as it is. Everything created belongs to the owner role. Safe to repeat, and for several
 * processes to call at once.
 * @param folder where the numbered files are; the server's own by default
 * @returns the names newly applied, in order
 * @throws naming the file that failed
 */
export function migrate(owner: pg.PoolConfig, folder = FOLDER): Promise<string[]> {
  return run(owner, folder);
}

/**
 * Brings an empty database to the version a backup was taken at.
 * @param versions names of the files applied there, in order
 * @throws when this program lacks one of them: the backup is from a newer or another one
 */
export async function migrateAsIn(
  owner: pg.PoolConfig,
  versions: readonly string[],
  folder = FOLDER,
): Promise<void> {
  const known = new Set(await readNames(folder));
  const unknown = versions.filter((name) => !known.has(name));
  const last = versions.at(-1);
  if (unknown.length > 0 || !last) {
    throw new Error(
      `This program does not know the backup's version (${unknown.join(', ') || 'none'}): use a newer one.`,
    );
  }
  await run(owner, folder, last);
}
