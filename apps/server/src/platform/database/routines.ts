import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { LEDGER_LOCK, LOCK_TIMEOUT, retryOnLocks } from './lock-retry.ts';

/** Below it, every `sql` folder holds routine files. */
export const SOURCE = join(import.meta.dirname, '../..');

/** An SQL file of functions, triggers and views that may be applied any number of times. */
interface RoutineFile {
  /** Relative to the source folder. */
  path: string;
  text: string;
  sha256: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Features may use the routines of the platform and of the ledger, not the other way round. */
const ORDER = ['platform', 'ledger', 'features'];
const rank = (path: string): number => ORDER.indexOf(path.split('/')[0]!);

async function readRoutines(source: string): Promise<RoutineFile[]> {
  const files: RoutineFile[] = [];
  for await (const found of glob('**/sql/*.sql', { cwd: source })) {
    const text = await readFile(join(source, found), 'utf8');
    files.push({ path: found.replaceAll('\\', '/'), text, sha256: sha256(text) });
  }
  return files.sort((a, b) => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1));
}

/** Lets PostgreSQL check every body, which was put off until all routines exist. */
const VALIDATE = `
  set local check_function_bodies = on;
  select case l.lanname when 'sql' then fmgr_sql_validator(p.oid) else plpgsql_validator(p.oid) end
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql')
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;

async function applyChanged(client: pg.ClientBase, files: readonly RoutineFile[]): Promise<string[]> {
  const { rows } = await client.query<{ path: string; sha256: string }>(
    'select path, sha256 from routine_file',
  );
  const applied = new Map(rows.map((row) => [row.path, row.sha256]));
  const changed = files.filter((file) => applied.get(file.path) !== file.sha256);
  await client.query('set local check_function_bodies = off');
  for (const { path, text, sha256: hash } of changed) {
    try {
      await client.query(text);
    } catch (error) {
      (error as Error).message = `${path}: ${(error as Error).message}`;
      throw error;
    }
    await client.query(
      `insert into routine_file (path, sha256) values ($1, $2)
       on conflict (path) do update set sha256 = excluded.sha256, applied_at = now()`,
      [path, hash],
    );
  }
  if (changed.length > 0) await client.query(VALIDATE);
  return changed.map(({ path }) => path);
}

/**
 * Brings functions, triggers and views to the text of the files in the `sql` folders: every file whose hash differs from
 * the one applied last is applied again, all in one transaction behind the ledger's lock. Safe to repeat and under load.
 * A set of files that another set has replaced since is of an older program and is not applied again, so that a server
 * of the release before keeps the newer routines during an upgrade. With `returnsToOlder` it is, because a developer goes
 * back and forth.
 * @returns the paths of the files applied, in order
 * @throws naming the file that failed; nothing is kept of it then
 */
export async function applyRoutines(
  pool: pg.Pool,
  { source = SOURCE, returnsToOlder = false } = {},
): Promise<string[]> {
  const files = await readRoutines(source);
  const set = sha256(files.map(({ path, sha256: hash }) => `${path} ${hash}`).join('\n'));
  const { rows } = await pool.query<{ sha256: string }>(
    'select sha256 from routine_set order by applied_at desc, sha256',
  );
  const isReplaced = rows.some((row) => row.sha256 === set) && rows[0]!.sha256 !== set;
  if (rows[0]?.sha256 === set || (isReplaced && !returnsToOlder)) return [];
  return retryOnLocks(async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
      await client.query('select pg_advisory_xact_lock($1)', [LEDGER_LOCK]);
      const changed = await applyChanged(client, files);
      await client.query(
        `insert into routine_set (sha256, applied_at) values ($1, clock_timestamp())
         on conflict (sha256) do update set applied_at = excluded.applied_at`,
        [set],
      );
      await client.query('commit');
      return changed;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  });
}
