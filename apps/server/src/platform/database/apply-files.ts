import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type pg from 'pg';

/** The ledger's writer lock: no batch is under way while a file is applied, so the two cannot wait for each other. */
const LEDGER_LOCK = 4711;
/** What a file may wait for a lock that others hold, before it lets go of its own and begins again. */
const LOCK_TIMEOUT = '2s';
const LOCK_TRIES = 30;
const AGAIN_MS = 200;
/** Deadlock and lock time-out: the file was rolled back whole, others went on. */
const LOCK_CODES = new Set(['40P01', '55P03']);

interface Files {
  folder: string;
  /** Names of its files that are to stand in the database, without their ending. */
  names: readonly string[];
  /** Names that stand there already without a file. */
  foreign: readonly string[];
}

async function readFiles({ folder, names, foreign }: Files): Promise<Record<string, Migration>> {
  const files = names.map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, `${name}.sql`), 'utf8');
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
  return Object.fromEntries([...(await Promise.all(files)), ...others]);
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
