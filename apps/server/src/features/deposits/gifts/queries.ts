import type { Db, PoolClient } from '../../../platform/database/db.ts';

export interface GiftRow {
  id: string;
  member_id: bigint;
  wallet_account: bigint;
  code: string;
  state: 'SENT' | 'UNKNOWN' | 'DONE' | 'FAILED';
  expected: bigint;
  amount: bigint | null;
  asked: number;
  /** Why it failed, or why the first redemption was refused while no other was sent. */
  reason: string | null;
  /** Real seconds since the first call, and since the last one that took or tried to. */
  age_seconds: number;
  tried_seconds: number;
  created_at: Date;
}

/** One attempt to take a voucher, with its member's wallet. */
/** Holds a redemption as it is until the transaction ends. */
export async function lockGift(tx: PoolClient, id: string): Promise<void> {
  await tx.query('select 1 from gift_redemption where id = $1 for share', [id]);
}

export async function findGift(db: Db, id: string): Promise<GiftRow | undefined> {
  const result = await db.query(
    `select g.id, g.member_id, m.wallet_account, g.code, g.state, g.expected, g.amount, g.asked, g.reason, g.created_at,
       extract(epoch from now() - g.sent_at)::float8 as age_seconds, extract(epoch from now() - g.tried_at)::float8 as tried_seconds
     from gift_redemption g join member m on m.id = g.member_id where g.id = $1`,
    [id],
  );
  return result.rows[0];
}

/** The attempt by which a voucher was taken here, or may have been. */
export async function findGiftUse(
  db: Db,
  code: string,
): Promise<Pick<GiftRow, 'id' | 'member_id'> | undefined> {
  const sql = "select id, member_id from gift_redemption where code = $1 and state <> 'FAILED'";
  return (await db.query(sql, [code])).rows[0];
}

/** Whether a voucher was taken here, or may have been. */
export const isGiftUsed = async (db: Db, code: string): Promise<boolean> =>
  (await findGiftUse(db, code)) !== undefined;

/** Records a check without a response; the end of an attempt is recorded by the attached write of its entry. */
export async function noteGiftUnknown(db: Db, id: string): Promise<void> {
  await db.query(
    "update gift_redemption set state = 'UNKNOWN', asked = asked + 1 where id = $1 and state in ('SENT', 'UNKNOWN')",
    [id],
  );
}

/**
 * Reserves the first try of an attempt; its time begins anew. False: not to be sent, because another was sent or
 * looked at meanwhile, or the attempt has ended.
 */
export async function reserveFirstTry(db: Db, id: string): Promise<boolean> {
  const result = await db.query(
    "update gift_redemption set sent_at = now(), tried_at = now() where id = $1 and state = 'SENT' and tried_at = sent_at",
    [id],
  );
  return result.rowCount === 1;
}

/**
 * Records why the service refused the first try. From then on no other is sent, so the refusal proves that nothing
 * comes. False, and nothing is recorded: another was sent.
 */
export async function noteFirstRefused(db: Db, id: string, reason: string): Promise<boolean> {
  const result = await db.query(
    "update gift_redemption set reason = $2 where id = $1 and state in ('SENT', 'UNKNOWN') and tried_at = sent_at",
    [id, reason],
  );
  return result.rowCount === 1;
}

/** Reserves the next try of an open attempt; false when another worker has it, or the first was refused. */
export async function reserveGiftTry(db: Db, row: GiftRow): Promise<boolean> {
  const result = await db.query(
    "update gift_redemption set tried_at = now(), asked = asked + 1 where id = $1 and asked = $2 and state in ('SENT', 'UNKNOWN') and reason is null",
    [row.id, row.asked],
  );
  return result.rowCount === 1;
}

/** Attempts that a process left behind without an end. */
export async function listOpenGifts(db: Db, olderThanSeconds: number): Promise<string[]> {
  const result = await db.query(
    "select id from gift_redemption where state in ('SENT', 'UNKNOWN') and tried_at < now() - $1 * interval '1 second' order by tried_at limit 200",
    [olderThanSeconds],
  );
  return result.rows.map((row) => row.id);
}

/** Alerts operators to a redemption while its outcome is unknown; one that was settled meanwhile opens no alert. */
export async function alertGiftUnknown(db: Db, id: string, detail: string, now: Date): Promise<boolean> {
  const sql = `select alert_open('gift-unknown', 'gift:' || g.id, $2, $3) as opened
    from (select id from gift_redemption where id = $1 and state in ('SENT', 'UNKNOWN') for share) g`;
  return (await db.query(sql, [id, detail, now])).rows[0]?.opened === true;
}
