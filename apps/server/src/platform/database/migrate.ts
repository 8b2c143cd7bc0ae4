import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import type { MigrationFile } from './apply-files.ts';
import { createPool } from './pool.ts';
import { APP_ROLE } from './roles.ts';
import { applyRoutines, SOURCE } from './routines.ts';

const FOLDER = join(import.meta.dirname, '../../../database');
/** A file, or a folder of files that are one migration. */
const MIGRATION = /^(\d{4}_[a-z0-9_]+)(\.sql)?$/;
/** Beside the numbered files: the generated description of the result, and the way from 1.1.14 to the baseline. */
const OTHER_FILES = ['schema.sql', 'upgrade-from-1-1-14.sql'];
/** Held during migration, because several servers may start at once on one database. */
const MIGRATE_LOCK = 7_071_002;

/** The first file. Versions up to 1.1.14 had other files, with lower numbers, of which {@link FORMER_LAST} was the last. */
const BASELINE = '0200_baseline';
const FORMER_LAST = '0105_slips_under_the_banks_reference';
const UPGRADE_FILE = 'upgrade-from-1-1-14.sql';

const isFormer = (name: string): boolean => name < BASELINE;

/** The migrations of a folder by name, in order; the names are the versions. There is no way down. */
async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const files = (await readdir(folder)).filter((file) => !OTHER_FILES.includes(file)).sort();
  const odd = files.filter((file) => !MIGRATION.test(file));
  if (odd.length > 0) throw new Error(`Migrations are named NNNN_name.sql, unlike ${odd.join(', ')}.`);
  return files.map((file) => ({ name: MIGRATION.exec(file)![1]!, file }));
}

/** Names applied so far, by whatever version of this program. */
async function readApplied(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query("select to_regclass('kysely_migration') is not null as there");
  if (!rows[0].there) return [];
  const applied = await pool.query<{ name: string }>('select name from kysely_migration');
  return applied.rows.map(({ name }) => name);
}

/**
 * The file that makes the baseline: on a database of 1.1.14, the changes since then.
 * @throws when the database is of a version before 1.1.14
 */
function fileOf({ name, file }: MigrationFile, applied: readonly string[]): string {
  if (name !== BASELINE || !applied.some(isFormer)) return file;
  if (applied.includes(FORMER_LAST)) return UPGRADE_FILE;
  throw new Error(
    'This database is of a version before 1.1.14: start version 1.1.14 on it once, then this one.',
  );
}

/** Applies missing migrations, up to `last` if given. */
async function applyMissing(pool: pg.Pool, folder: string, last: string | undefined): Promise<string[]> {
  const known = await readMigrations(folder);
  const applied = await readApplied(pool);
  if (!last && known.every(({ name }) => applied.includes(name))) return [];
  // Loaded only here: few starts find anything to apply, and the library would cost each a tenth of a second.
  const { applyFiles } = await import('./apply-files.ts');
  return applyFiles(pool, {
    folder,
    files: known
      .filter(({ name }) => !last || name <= last)
      .map((migration) => ({ name: migration.name, file: fileOf(migration, applied) })),
    // Versions a newer program has applied: migrations only add, so an older program works on beside them.
    foreign: applied.filter((name) => !known.some((one) => one.name === name)),
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

/** Where the files are that make the schema. */
export interface SchemaFiles {
  /** Of the numbered migrations. */
  folder: string;
  /** Contains the `sql` folders of routines. Without it no routines are applied. */
  source?: string;
  /** Whether routines of an older program than the one before are applied again: for a developer's server only. */
  returnsToOlder?: boolean;
}

/** The files of this program. */
export const OWN_FILES: SchemaFiles = { folder: FOLDER, source: SOURCE };

async function run(
  owner: pg.PoolConfig,
  { folder, source, returnsToOlder = false }: SchemaFiles,
  last?: string,
): Promise<string[]> {
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
      const applied = await applyMissing(pool, folder, last);
      return source === undefined
        ? applied
        : [...applied, ...(await applyRoutines(pool, { source, returnsToOlder }))];
    });
  } finally {
    await pool.end();
  }
}

/**
 * Brings a database to the newest version: job tables, then every numbered file not applied yet, then every routine file
 * whose text differs from the one applied last.
 * Each numbered file is one transaction, and so are all routines together: after an error the database is as before.
 * Safe under load: a file waits for the ledger's batch, lets go when others hold a lock for long, and is tried again. A
 * database that a newer program has migrated is taken as it is. Everything created belongs to the owner role. Safe to
 * repeat, and for several processes to call at once.
 * @param files the server's own by default
 * @returns what was newly applied, in order: names of numbered files, then paths of routine files
 * @throws naming the file that failed
 */
export function migrate(owner: pg.PoolConfig, files: SchemaFiles = OWN_FILES): Promise<string[]> {
  return run(owner, files);
}

/**
 * Creates the tables of an empty database as they were when a backup was taken; no routines, which the next start of the
 * server applies.
 * @param versions names of the files applied there, in order
 * @returns statements to run once the rows are loaded; undefined when there are none
 * @throws when this program lacks one of the files: the backup is from a newer or another one
 */
export async function migrateAsIn(
  owner: pg.PoolConfig,
  versions: readonly string[],
  folder = FOLDER,
): Promise<string | undefined> {
  if (versions.at(-1) === FORMER_LAST) {
    await run(owner, { folder }, BASELINE);
    return readFile(join(folder, UPGRADE_FILE), 'utf8');
  }
  const known = (await readMigrations(folder)).map(({ name }) => name);
  const own = known.includes(BASELINE) ? versions.filter((name) => !isFormer(name)) : versions;
  const unknown = own.filter((name) => !known.includes(name));
  const last = own.at(-1);
  if (unknown.length > 0 || !last) {
    throw new Error(
      `This program does not know the backup's version (${unknown.join(', ') || 'none'}): use a newer one.`,
    );
  }
  await run(owner, { folder }, last);
  return undefined;
}
