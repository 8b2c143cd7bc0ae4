import type { AlertKind } from '@krapao/contract/operator';
import type { Pool, PoolClient } from './database/db.ts';
import type { EntityRef } from './entity-ref.ts';

/**
 * Opens an alert for operators; one open alert for each kind and subject.
 * @param open opens it by a statement of its own, which reads the subject again, and returns whether it did: for what may
 *   have been settled during a call of a partner
 */
export type OpenAlert = (
  kind: AlertKind,
  subject: EntityRef,
  detail: string,
  open?: (now: Date) => Promise<boolean>,
) => Promise<void>;

/** Opens an alert by a statement of its own; false when one was open. */
export async function openAlert(
  pool: Pool,
  alert: { kind: AlertKind; subject: EntityRef; detail: string },
  now: Date,
): Promise<boolean> {
  const result = await pool.query('select alert_open($1, $2, $3, $4) as opened', [
    alert.kind,
    alert.subject,
    alert.detail,
    now,
  ]);
  return result.rows[0]!.opened === true;
}

/**
 * Opens an alert, or brings the detail of the open one up to date; by the caller's transaction.
 * @param isDue false: runs the statement all the same, and nothing is written
 */
export async function keepAlert(
  tx: PoolClient,
  alert: { kind: AlertKind; subject: EntityRef; detail: string },
  now: Date,
  isDue = true,
): Promise<void> {
  await tx.query(
    `insert into alert (kind, subject, detail, opened_at) select $1, $2, $3, $4 where $5::boolean
     on conflict (kind, subject) where closed_at is null do update set detail = excluded.detail where alert.detail <> excluded.detail`,
    [alert.kind, alert.subject, alert.detail, now, isDue],
  );
}

/** Ends the open alert of a kind about a subject, if there is one, because its cause is gone; with an audit row. */
export async function endAlert(
  tx: PoolClient,
  kind: AlertKind,
  subject: EntityRef,
  now: Date,
): Promise<void> {
  await tx.query('select alert_end($1, $2, $3)', [kind, subject, now]);
}
