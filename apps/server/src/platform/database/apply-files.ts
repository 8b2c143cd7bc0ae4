import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type pg from 'pg';
import { LEDGER_LOCK, LOCK_TIMEOUT, retryOnLocks } from './lock-retry.ts';

/** A migration that should be in the database: its name, and the file, or folder of files, with its statements. */
export interface MigrationFile {
  name: string;
  file: string;
}

/** The text of a file, or of all files of a folder in the order of their names. */
async function readText(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return readFile(path, 'utf8');
  const names = (await readdir(path)).sort();
  return (await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')))).join('\n');
}

interface Files {
  folder: string;
  files: readonly MigrationFile[];
  /** Names that are in the database without a file. */
  foreign: readonly string[];
}

async function readFiles({ folder, files, foreign }: Files): Promise<Record<string, Migration>> {
  const own = files.map(async ({ name, file }): Promise<[string, Migration]> => {
    const text = await readText(join(folder, file));
    const up: Migration['up'] = async (db) => {
      await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(db);
      await sql.raw(`select pg_advisory_xact_lock(${LEDGER_LOCK})`).execute(db);
      await sql.raw(text).execute(db);
    };
    return [name, { up }];
  });
  const others = foreign.map((name): [string, Migration] => [
    name,
    { up: () => Promise.reject(new Error(`${name} is unknown to this program`)) },
  ]);
  return Object.fromEntries([...(await Promise.all(own)), ...others]);
}

/** Applies the next file in a transaction of its own; null when none is left. */
async function applyNext(migrator: Migrator): Promise<string | null> {
  let failedIn = '';
  try {
    return await retryOnLocks(async () => {
      const { error, results = [] } = await migrator.migrateUp();
      failedIn = results.find((result) => result.status === 'Error')?.migrationName ?? '';
      if (error) throw error;
      return results[0]?.migrationName ?? null;
    });
  } catch (error) {
    const at = failedIn && ` in ${failedIn}`;
    throw new Error(`Migration failed${at}, nothing of it was kept: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Applies the files that are not applied yet, each in a transaction of its own.
 * @returns the names newly applied, in order
 * @throws naming the file that failed
 */
export async function applyFiles(pool: pg.Pool, files: Files): Promise<string[]> {
  const migrations = await readFiles(files);
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
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
