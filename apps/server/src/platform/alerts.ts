import type { Pool, PoolClient } from './database/db.ts';

/** Opens an alert for operators; one open alert for each kind and subject. */
export async function openAlert(
  pool: Pool,
  kind: string,
  subject: string,
  detail: string,
  now: Date,
): Promise<boolean> {
  const result = await pool.query(
    'insert into alert (kind, subject, detail, opened_at) values ($1, $2, $3, $4) on conflict do nothing',
    [kind, subject, detail, now],
  );
  return result.rowCount === 1;
}

/** Opens an alert, or brings the detail of the open one up to date; by the caller's transaction. */
export async function keepAlert(
  tx: PoolClient,
  alert: { kind: string; subject: string; detail: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into alert (kind, subject, detail, opened_at) values ($1, $2, $3, $4)
     on conflict (kind, subject) where closed_at is null do update set detail = excluded.detail where alert.detail <> excluded.detail`,
    [alert.kind, alert.subject, alert.detail, now],
  );
}

/** Closes the open alert of a kind about a subject, if there is one, because its cause is gone. */
export async function endAlert(tx: PoolClient, kind: string, subject: string, now: Date): Promise<void> {
  await tx.query('update alert set closed_at = $3 where kind = $1 and subject = $2 and closed_at is null', [
    kind,
    subject,
    now,
  ]);
}
