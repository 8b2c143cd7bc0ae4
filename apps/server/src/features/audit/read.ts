import type { Pool } from 'pg';
import { listOfThing } from './queries.ts';

/** What happened to one thing, oldest first, as its page shows it. */
export async function listAuditOf(pool: Pool, thing: string) {
  return (await listOfThing(pool, thing)).map((row) => ({
    at: row.at.toISOString(),
    actor: row.actor,
    action: row.action,
    reason: row.reason,
  }));
}
