import type { Reads } from '../../../platform/database/db.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  type Slice,
  textKey,
  timeKey,
} from '../../../platform/http/cursor.ts';

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

const WHERE = "g.state in ('SENT', 'UNKNOWN')";
/** What the list is ordered by. */
export const GIFT_KEYS = { orders: { triedAt: timeKey('g.tried_at') }, id: textKey('g.id') };

/** A page of the gifts whose end the service owes us, and how many there are, `counted` at the most. */
export async function listOpenGiftsForOperators(
  db: Reads,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<OpenGiftRow>[]; total: number }> {
  const page = keysetSql(
    {
      select: `select g.id, g.member_id, m.name as member_name, g.code, g.state, g.expected, g.asked, g.created_at,
         (select p.id from approval p where p.subject = 'gift:' || g.id and p.state = 'PENDING' limit 1) as approval`,
      from: `gift_redemption g join member m on m.id = g.member_id where ${WHERE}`,
      ...GIFT_KEYS,
      parameters: ['$1', '$2', '$3'],
    },
    slice.readSort,
  );
  const [rows, count] = await Promise.all([
    db.query(page, keysetValues(slice)),
    db.query(
      `select count(*)::int as total from (select from gift_redemption g where ${WHERE} limit $1) found`,
      [counted],
    ),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}
