import type { Db } from '../../../platform/database/db.ts';

/** Whether operators are looking for a payment that the member reported: another report is refused until then. */
export async function hasOpenReport(db: Db, memberId: bigint): Promise<boolean> {
  const result = await db.query(`select 1 from payment_report where member_id = $1 and status = 'PENDING'`, [
    memberId,
  ]);
  return result.rows.length > 0;
}
