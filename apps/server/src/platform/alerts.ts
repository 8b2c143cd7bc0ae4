import type { Pool } from 'pg';

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
