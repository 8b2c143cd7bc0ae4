import type { Db } from '../../../platform/database/db.ts';

export interface OpenGiftRow {
  id: string;
  member_id: bigint;
  member_name: string;
  code: string;
  state: 'SENT' | 'UNKNOWN';
  expected: bigint;
  asked: number;
  created_at: Date;
  approval: string | null;
}

/** Gifts whose end the service owes us, oldest first. */
export async function listOpenGiftsForOperators(
  db: Db,
  range: { limit: number; offset: number },
): Promise<{ rows: OpenGiftRow[]; total: number }> {
  const [rows, count] = await Promise.all([
    db.query(
      `select g.id, g.member_id, m.name as member_name, g.code, g.state, g.expected, g.asked, g.created_at,
         (select p.id from approval p where p.subject = 'gift:' || g.id and p.state = 'PENDING' limit 1) as approval
       from gift_redemption g join member m on m.id = g.member_id
       where g.state in ('SENT', 'UNKNOWN') order by g.tried_at, g.id limit $1 offset $2`,
      [range.limit, range.offset],
    ),
    db.query("select count(*)::int as total from gift_redemption where state in ('SENT', 'UNKNOWN')"),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}
