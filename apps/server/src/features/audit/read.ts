import type { Pool } from '../../platform/database/db.ts';
import { listActionsOf, listBySubject } from './queries.ts';

/** What happened to one subject, oldest first, as its page shows it. */
export async function listAuditOf(pool: Pool, subject: string) {
  return (await listBySubject(pool, subject)).map((row) => ({
    at: row.at.toISOString(),
    actor: row.actor,
    action: row.action,
    reason: row.reason,
  }));
}

/** What one kind of action changed about a subject, newest first. */
export async function listChangesOf(pool: Pool, subject: string, action: string) {
  return (await listActionsOf(pool, subject, action)).map((row) => ({
    at: row.at.toISOString(),
    actor: row.actor,
    before: row.before,
    after: row.after,
    reason: row.reason,
  }));
}
