import type { Pool } from '../../platform/database/db.ts';
import { listActsOf, listOfThing } from './queries.ts';

/** What happened to one thing, oldest first, as its page shows it. */
export async function listAuditOf(pool: Pool, thing: string) {
  return (await listOfThing(pool, thing)).map((row) => ({
    at: row.at.toISOString(),
    actor: row.actor,
    action: row.action,
    reason: row.reason,
  }));
}

/** What one kind of act changed about a thing, newest first. */
export async function listChangesOf(pool: Pool, thing: string, action: string) {
  return (await listActsOf(pool, thing, action)).map((row) => ({
    at: row.at.toISOString(),
    actor: row.actor,
    before: row.before,
    after: row.after,
    reason: row.reason,
  }));
}
