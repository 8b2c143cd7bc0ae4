import type { Db } from '../../platform/database/db.ts';

export type NotificationKind = 'deposit' | 'withdraw' | 'bonus' | 'chat' | 'login' | 'kyc';
export type NotificationStatus = 'SUCCESS' | 'FAILED' | 'FORFEITED' | 'EXPIRED';

export interface NotificationRow {
  id: bigint;
  kind: NotificationKind;
  subject: string;
  status: NotificationStatus | null;
  amount: bigint | null;
  name: string | null;
  created_at: Date;
  is_read: boolean;
}

/** One page of what happened to a member, newest first. */
export async function listNotifications(
  db: Db,
  memberId: bigint,
  { limit, offset }: { limit: number; offset: number },
): Promise<NotificationRow[]> {
  const result = await db.query(
    `select id, kind, subject, status, amount, name, created_at, read_at is not null as is_read
     from notification where member_id = $1 order by id desc limit $2 offset $3`,
    [memberId, limit, offset],
  );
  return result.rows;
}

/** How many there are, and how many of them unread. */
export async function countNotifications(
  db: Db,
  memberId: bigint,
): Promise<{ total: number; unread: number }> {
  const result = await db.query(
    `select (select count(*)::int from notification where member_id = $1) as total,
       (select count(*)::int from notification where member_id = $1 and read_at is null) as unread`,
    [memberId],
  );
  return result.rows[0]!;
}

/** Marks everything up to this one as read. */
export async function markRead(db: Db, memberId: bigint, upTo: bigint, now: Date): Promise<void> {
  await db.query(
    'update notification set read_at = $3 where member_id = $1 and id <= $2 and read_at is null',
    [memberId, upTo, now],
  );
}

/** Forgets what is older; at most a thousand at once. */
export async function forgetNotifications(db: Db, before: Date): Promise<void> {
  await db.query(
    'delete from notification where id in (select id from notification where created_at < $1 limit 1000)',
    [before],
  );
}
