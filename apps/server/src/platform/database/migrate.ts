import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import pg from 'pg';
import { createPool } from './pool.ts';
import { APP_ROLE, actingAs, ensureRoles, OWNER_ROLE, openDatabaseToOwner } from './roles.ts';

const FOLDER = join(import.meta.dirname, '../../../migrations');
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;
/** Held while migrating: several servers may start at once on one database. */
const MIGRATE_LOCK = 7_071_002;

/** Reads the numbered SQL files of a folder; their names are the versions. There is no way down. */
function provider(folder: string): MigrationProvider {
  return {
    async getMigrations() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
      const odd = names.filter((name) => !FILE_NAME.test(name));
      if (odd.length > 0) throw new Error(`Migrations are named NNNN_name.sql, unlike ${odd.join(', ')}.`);
      const entries = names.map(async (name): Promise<[string, Migration]> => {
        const text = await readFile(join(folder, name), 'utf8');
        const up: Migration['up'] = async (db) => {
          await sql.raw(text).execute(db);
        };
        return [name.slice(0, -'.sql'.length), { up }];
      });
      return Object.fromEntries(await Promise.all(entries));
    },
  };
}

async function applyFiles(pool: pg.Pool, folder: string, last: string | undefined): Promise<string[]> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({ db, provider: provider(folder) });
  const { error, results = [] } = last ? await migrator.migrateTo(last) : await migrator.migrateToLatest();
  if (!error) return results.map((result) => result.migrationName);
  const failed = results.find((result) => result.status === 'Error');
  const at = failed ? ` in ${failed.migrationName}.sql` : '';
  throw new Error(`Migration failed${at}, nothing of it was kept: ${(error as Error).message}`, {
    cause: error,
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

async function prepareRoles(owner: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const { rows } = await client.query('select current_user = $1 as owner', [OWNER_ROLE]);
    // On the built-in server the owner role itself connects, and all is prepared.
    if (rows[0].owner) return;
    await ensureRoles(client, false);
    await openDatabaseToOwner(client);
  } finally {
    await client.end();
  }
}

async function run(owner: pg.PoolConfig, folder: string, last?: string): Promise<string[]> {
  await prepareRoles(owner);
  const pool = createPool(actingAs(owner, OWNER_ROLE), {
    max: 4,
    applicationName: 'krapao migrate',
    statementTimeoutMs: 0,
    plainValues: true,
  });
  try {
    return await underLock(pool, async () => {
      await runMigrations({ pgPool: pool });
      await pool.query(WORKER_GRANTS);
      return await applyFiles(pool, folder, last);
    });
  } finally {
    await pool.end();
  }
}

/**
 * Brings a database to the newest version: roles, job tables, then every numbered file not applied yet.
 * All files of one call are applied in one transaction: after an error the database is as before.
 * Everything created belongs to the owner role. Safe to repeat, and for several processes to call at once.
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
  const known = new Set(Object.keys(await provider(folder).getMigrations()));
  const unknown = versions.filter((name) => !known.has(name));
  const last = versions.at(-1);
  if (unknown.length > 0 || !last) {
    throw new Error(
      `This program does not know the backup's version (${unknown.join(', ') || 'none'}): use a newer one.`,
    );
  }
  await run(owner, folder, last);
}
