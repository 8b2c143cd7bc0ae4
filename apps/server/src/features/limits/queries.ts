import type { Db } from '../../platform/database/db.ts';

export type LimitKind = 'deposit' | 'loss' | 'reminder';
export type LimitPeriod = 'day' | 'week' | 'month' | 'session';
export type ExclusionLength = '24h' | '7d' | '30d' | '6m' | '1y' | 'forever';

export interface LimitRow {
  kind: LimitKind;
  period: LimitPeriod;
  /** As it holds now; null: none. */
  amount: bigint | null;
  next_amount: bigint | null;
  /** Null: nothing waits. */
  next_from: Date | null;
}

/** The member's limits as they hold at a moment: a raise whose time has come is in force. */
export async function listLimits(db: Db, memberId: bigint, now: Date): Promise<LimitRow[]> {
  const result = await db.query(
    `select kind, period, case when next_from <= $2 then next_amount else amount end as amount,
       case when next_from > $2 then next_amount end as next_amount, case when next_from > $2 then next_from end as next_from
     from play_limit where member_id = $1`,
    [memberId, now],
  );
  return result.rows;
}

/** Returns whether the member is in a time-out or self-exclusion, and whether they have any limit. */
export async function readLimitPolicy(
  db: Db,
  memberId: bigint,
  now: Date,
): Promise<{ is_excluded: boolean; is_limited: boolean }> {
  const result = await db.query({
    name: 'limit_policy',
    text: `select exists (select 1 from play_break where member_id = $1 and (until is null or until > $2)) as is_excluded,
      exists (select 1 from play_limit where member_id = $1) as is_limited`,
    values: [memberId, now],
  });
  return result.rows[0]!;
}

export async function saveLimit(db: Db, memberId: bigint, limit: LimitRow, now: Date): Promise<void> {
  await db.query(
    `insert into play_limit (member_id, kind, period, amount, next_amount, next_from, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (member_id, kind, period)
     do update set amount = $4, next_amount = $5, next_from = $6, updated_at = $7`,
    [memberId, limit.kind, limit.period, limit.amount, limit.next_amount, limit.next_from, now],
  );
}

export interface ExclusionRow {
  length: ExclusionLength;
  started_at: Date;
  until: Date | null;
}

/** Returns the current time-out or self-exclusion that ends last. Stored in `play_break`. */
export async function findExclusion(db: Db, memberId: bigint, now: Date): Promise<ExclusionRow | undefined> {
  const result = await db.query(
    `select length, started_at, until from play_break where member_id = $1 and (until is null or until > $2)
     order by until desc nulls first, id limit 1`,
    [memberId, now],
  );
  return result.rows[0];
}

/** Adds a time-out or self-exclusion, unless one that lasts as long exists, or one of the same length is not a minute old. */
export async function insertExclusion(
  db: Db,
  memberId: bigint,
  intent: { length: ExclusionLength; interval: string | null },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into play_break (member_id, length, started_at, until)
     select $1, $2, $3, u.until from (select $3::timestamptz + $4::interval as until) u
     where not exists (select 1 from play_break b where b.member_id = $1 and (b.until is null or b.until >= u.until
       or (b.length = $2 and b.started_at > $3::timestamptz - interval '1 minute')))`,
    [memberId, intent.length, now, intent.interval],
  );
}

export interface UseRow {
  period: 'day' | 'week' | 'month';
  deposited: bigint;
  /** Below zero for who has won. */
  lost: bigint;
  offered: bigint;
}

/** What a member has paid in, lost in games as far as they have been read, and been offered to pay, by period. */
export async function readUse(db: Db, memberId: bigint, now: Date): Promise<UseRow[]> {
  const result = await db.query(
    `select t.period,
       (select coalesce(sum(d.amount), 0)::bigint from deposit d
         where d.member_id = $1 and d.created_at >= t.since and d.reversal_id is null) as deposited,
       (select -coalesce(sum(p.amount), 0)::bigint from game_account g
         join ledger_posting p on p.account_id = g.mirror_account and p.entry_id >= t.first_entry
         cross join lateral (select from ledger_entry e
           where e.id = p.entry_id and e.kind = 'game_result' and e.created_at >= t.since offset 0) e
         where g.member_id = $1) as lost,
       (select coalesce(sum(o.amount), 0)::bigint from play_offer o where o.member_id = $1 and o.expires_at > $2
         and not exists (select 1 from deposit d where d.member_id = $1 and (d.id = o.id or d.qr_id = o.id))) as offered
     from (select s.period, s.since, ledger_entry_since(s.since) as first_entry
       from (select period, date_trunc(period, $2::timestamptz at time zone 'Asia/Bangkok') at time zone 'Asia/Bangkok' as since
         from unnest(array['day', 'week', 'month']) period) s offset 0) t`,
    [memberId, now],
  );
  return result.rows;
}

/** Makes others who change or use this member's limits wait for the end of this transaction. */
export async function lockLimits(db: Db, memberId: bigint): Promise<void> {
  await db.query('select 1 from member where id = $1 for no key update', [memberId]);
}

export async function insertOffer(
  db: Db,
  offer: { id: string; memberId: bigint; amountMinor: bigint; expiresAt: Date },
): Promise<void> {
  await db.query('insert into play_offer (id, member_id, amount, expires_at) values ($1, $2, $3, $4)', [
    offer.id,
    offer.memberId,
    offer.amountMinor,
    offer.expiresAt,
  ]);
}

/** Deletes an offer that was not made or ended unpaid; a repeat does nothing. */
export async function dropOffer(db: Db, id: string): Promise<void> {
  await db.query('delete from play_offer where id = $1', [id]);
}

/** Deletes offers that are over and count no more, so many at most; returns their number. */
export async function sweepOffers(db: Db, now: Date, count: number): Promise<number> {
  const result = await db.query(
    `delete from play_offer where id = any(array(
       select id from play_offer where expires_at <= $1 order by expires_at limit $2))`,
    [now, count],
  );
  return result.rowCount ?? 0;
}
