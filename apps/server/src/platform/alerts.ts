import type { Pool, PoolClient } from './database/db.ts';

/** Opens an alert for operators; one open alert a kind and thing. */
export async function openAlert(
  pool: Pool,
  kind: string,
  thing: string,
  detail: string,
  now: Date,
): Promise<boolean> {
  const result = await pool.query(
    'insert into alert (kind, thing, detail, opened_at) values ($1, $2, $3, $4) on conflict do nothing',
    [kind, thing, detail, now],
  );
  return result.rowCount === 1;
}

/** Opens an alert, or brings the detail of the open one up to date; by the caller's transaction. */
export async function keepAlert(
  tx: PoolClient,
  alert: { kind: string; thing: string; detail: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into alert (kind, thing, detail, opened_at) values ($1, $2, $3, $4)
     on conflict (kind, thing) where closed_at is null do update set detail = excluded.detail where alert.detail <> excluded.detail`,
    [alert.kind, alert.thing, alert.detail, now],
  );
}

/** Closes the open alert of a kind about a thing, if there is one, because its cause is gone. */
export async function endAlert(tx: PoolClient, kind: string, thing: string, now: Date): Promise<void> {
  await tx.query('update alert set closed_at = $3 where kind = $1 and thing = $2 and closed_at is null', [
    kind,
    thing,
    now,
  ]);
}
