import type { Db } from './database/db.ts';

/** The operator who acts, and their network address. */
export interface Actor {
  id: bigint;
  name: string;
  role: string;
  address: string;
  /** The API key that acts in their place. */
  key?: string;
}

/** One audit event. `subject` is an EntityRef, or the text of an alert. */
export interface AuditEntry {
  action: string;
  subject: string;
  before?: unknown;
  after?: unknown;
  reason?: string | null;
}

/** How an operator, or a key in their place, is named in the trail. */
export const actorName = ({ name, key }: Pick<Actor, 'name' | 'key'>): string =>
  key === undefined ? `operator:${name}` : `key:${key} of ${name}`;

/** A value as the trail keeps it; money is written as text, whole minor units. */
export const auditJson = (value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part));

/** Writes a member's own action, where operators must see it later, by the transaction that does it. */
export async function writeMemberAudit(
  db: Db,
  member: { id: bigint; address: string },
  auditEntry: AuditEntry,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into audit (at, actor, action, subject, before, after, address)
     values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7)`,
    [
      now,
      `member:${member.id}`,
      auditEntry.action,
      auditEntry.subject,
      auditJson(auditEntry.before),
      auditJson(auditEntry.after),
      member.address,
    ],
  );
}

/** Writes an action into the audit trail, by the transaction that does it. */
export async function writeAudit(db: Db, actor: Actor, auditEntry: AuditEntry, now: Date): Promise<void> {
  await db.query(
    `insert into audit (at, actor, role, action, subject, before, after, reason, address)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9)`,
    [
      now,
      actorName(actor),
      actor.role,
      auditEntry.action,
      auditEntry.subject,
      auditJson(auditEntry.before),
      auditJson(auditEntry.after),
      auditEntry.reason || null,
      actor.address,
    ],
  );
}
