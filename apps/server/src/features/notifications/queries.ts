import type { Language } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

export type NotificationKind = 'deposit' | 'withdraw' | 'bonus' | 'chat' | 'login' | 'kyc' | 'account';
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

/**
 * The name of a notification `n` in a language: of a run that has ended, what the statement calls it; else as stored.
 */
export const nameOf = <const Parameter extends string>(language: Parameter) =>
  `coalesce(case when n.kind = 'bonus' then bonus_run_name(n.subject, ${language}) end, n.name)` as const;

/** One page of what happened to a member, newest first. */
export async function listNotifications(
  db: Db,
  reader: { id: bigint; language: Language },
  { limit, offset }: { limit: number; offset: number },
): Promise<NotificationRow[]> {
  const result = await db.query(
    `select n.id, n.kind, n.subject, n.status, n.amount, ${nameOf('$4')} as name, n.created_at,
       n.read_at is not null as is_read
     from notification n where n.member_id = $1 order by n.id desc limit $2 offset $3`,
    [reader.id, limit, offset, reader.language],
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

/** Forgets what is older, the oldest first and so many at most; returns their number. */
export async function forgetNotifications(db: Db, before: Date, count: number): Promise<number> {
  const result = await db.query(
    `delete from notification where id = any(array(
       select id from notification where created_at < $1 order by created_at limit $2))`,
    [before, count],
  );
  return result.rowCount ?? 0;
}
