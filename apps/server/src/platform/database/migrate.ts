import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { createPool } from './pool.ts';
import { APP_ROLE, actingAs, ensureRoles, OWNER_ROLE, openDatabaseToOwner } from './roles.ts';

const FOLDER = join(import.meta.dirname, '../../../migrations');
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;
/** Held while migrating: several servers may start at once on one database. */
const MIGRATE_LOCK = 7_071_002;

/** The ledger's writer lock: no batch is under way while a file is applied, so the two cannot wait for each other. */
const LEDGER_LOCK = 4711;
/** What a file may wait for a lock that others hold, before it lets go of its own and begins again. */
const LOCK_TIMEOUT = '2s';
const LOCK_TRIES = 30;
const AGAIN_MS = 200;
/** Deadlock and lock time-out: the file was rolled back whole, others went on. */
const LOCK_CODES = new Set(['40P01', '55P03']);

/** Reads the numbered SQL files of a folder; their names are the versions. There is no way down. */
async function readFiles(folder: string): Promise<Record<string, Migration>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const odd = names.filter((name) => !FILE_NAME.test(name));
  if (odd.length > 0) throw new Error(`Migrations are named NNNN_name.sql, unlike ${odd.join(', ')}.`);
  const entries = names.map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, name), 'utf8');
    const up: Migration['up'] = async (db) => {
      await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(db);
      await sql.raw(`select pg_advisory_xact_lock(${LEDGER_LOCK})`).execute(db);
      await sql.raw(text).execute(db);
    };
    return [name.slice(0, -'.sql'.length), { up }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Versions a newer program has applied: migrations only add, so an older program works on beside them. */
async function readForeign(pool: pg.Pool, known: Record<string, Migration>): Promise<string[]> {
  const { rows } = await pool.query("select to_regclass('kysely_migration') is not null as there");
  if (!rows[0].there) return [];
  const applied = await pool.query<{ name: string }>('select name from kysely_migration');
  return applied.rows.map(({ name }) => name).filter((name) => !(name in known));
}

/** Applies the next file in a transaction of its own, again when others held a lock for too long. */
async function applyNext(migrator: Migrator): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const { error, results = [] } = await migrator.migrateUp();
    if (!error) return results[0]?.migrationName ?? null;
    if (LOCK_CODES.has(String((error as { code?: unknown }).code)) && tries < LOCK_TRIES) {
      await new Promise((resume) => setTimeout(resume, AGAIN_MS));
      continue;
    }
    const failed = results.find((result) => result.status === 'Error');
    const at = failed ? ` in ${failed.migrationName}.sql` : '';
    throw new Error(`Migration failed${at}, nothing of it was kept: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function applyFiles(pool: pg.Pool, folder: string, last: string | undefined): Promise<string[]> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const known = await readFiles(folder);
  const files = Object.entries(known).filter(([name]) => !last || name <= last);
  const foreign = (await readForeign(pool, known)).map((name): [string, Migration] => [
    name,
    { up: () => Promise.reject(new Error(`${name} is unknown to this program`)) },
  ]);
  const migrations = Object.fromEntries([...files, ...foreign]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    allowUnorderedMigrations: true,
  });
  const applied: string[] = [];
  for (;;) {
    const name = await applyNext(migrator);
    if (!name) return applied;
    applied.push(name);
  }
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
  const known = new Set(Object.keys(await readFiles(folder)));
  const unknown = versions.filter((name) => !known.has(name));
  const last = versions.at(-1);
  if (unknown.length > 0 || !last) {
    throw new Error(
      `This program does not know the backup's version (${unknown.join(', ') || 'none'}): use a newer one.`,
    );
  }
  await run(owner, folder, last);
}
