import type { Db } from '../../../platform/database/db.ts';

/** Reports whether a payment report of the member is pending; another one is refused meanwhile. */
export async function hasOpenReport(db: Db, memberId: bigint): Promise<boolean> {
  const result = await db.query(`select 1 from payment_report where member_id = $1 and status = 'PENDING'`, [
    memberId,
  ]);
  return result.rows.length > 0;
}
