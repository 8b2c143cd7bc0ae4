import type pg from 'pg';
import type { Db, Pool, Reads } from './db.ts';

/**
 * The pool or connection as `pg` has it, for statements that are put together at run time, of which nothing can be known
 * before: rows are `any`. Import rule `server-untyped` names the modules that may use it.
 */
export function untyped(db: Pool): pg.Pool;
export function untyped(db: Db | Reads): Pick<pg.Pool, 'query'>;
export function untyped(db: Db | Reads): Pick<pg.Pool, 'query'> {
  return db as unknown as pg.Pool;
}
