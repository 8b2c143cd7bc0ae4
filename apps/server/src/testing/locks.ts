/**
 * A row for every statement of this database that waits for a lock. The server is shared by all test files, and others
 * wait on it too.
 */
export const LOCKS_AWAITED =
  'select 1 from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()';
