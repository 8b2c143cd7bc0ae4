import type { Currency, Language } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import { type NotificationRow, nameOf } from './queries.ts';

/** What a member wants sent to their browsers. */
export interface Preferences {
  money: boolean;
  bonus: boolean;
  chat: boolean;
  login: boolean;
  hidesAmounts: boolean;
}

export const DEFAULT_PREFERENCES: Preferences = {
  money: true,
  bonus: true,
  chat: true,
  login: true,
  hidesAmounts: false,
};

/** Keeps our key at the push services, unless there is one; returns the public half of the one that counts. */
export async function keepKey(
  db: Db,
  key: { publicKey: string; privateSealed: Buffer },
  now: Date,
): Promise<string> {
  await db.query(
    'insert into push_key (public_key, private_sealed, created_at) values ($1, $2, $3) on conflict do nothing',
    [key.publicKey, key.privateSealed, now],
  );
  return (await readKey(db))!.public_key;
}

export async function readKey(db: Db): Promise<{ public_key: string; private_sealed: Buffer } | undefined> {
  const sql = 'select public_key, private_sealed from push_key';
  return (await db.query(sql)).rows[0];
}

export async function readPreferences(db: Db, memberId: bigint): Promise<Preferences> {
  const result = await db.query(
    'select money, bonus, chat, login, hides_amounts as "hidesAmounts" from push_preference where member_id = $1',
    [memberId],
  );
  return result.rows[0] ?? DEFAULT_PREFERENCES;
}

export async function writePreferences(
  db: Db,
  memberId: bigint,
  preferences: Preferences,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into push_preference (member_id, money, bonus, chat, login, hides_amounts, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (member_id) do update set money = excluded.money, bonus = excluded.bonus, chat = excluded.chat,
       login = excluded.login, hides_amounts = excluded.hides_amounts, updated_at = excluded.updated_at`,
    [
      memberId,
      preferences.money,
      preferences.bonus,
      preferences.chat,
      preferences.login,
      preferences.hidesAmounts,
      now,
    ],
  );
}

/** Back to the defaults. */
export async function deletePreferences(db: Db, memberId: bigint): Promise<void> {
  await db.query('delete from push_preference where member_id = $1', [memberId]);
}

export async function isSubscribed(db: Db, sessionHash: Buffer): Promise<boolean> {
  const sql = 'select 1 from push_subscription where session_hash = $1';
  return (await db.query(sql, [sessionHash])).rows.length > 0;
}

export interface NewSubscription {
  sessionHash: Buffer;
  memberId: bigint;
  endpointSealed: Buffer;
  endpointFingerprint: Buffer;
  keysSealed: Buffer;
  language: Language;
}

/** The same browser of the same session once more: it keeps its place and what is on its way to it. */
async function refresh(tx: PoolClient, one: NewSubscription): Promise<boolean> {
  const result = await tx.query(
    `update push_subscription set keys_sealed = $4, language = $5
     where session_hash = $1 and endpoint_fingerprint = $2 and member_id = $3`,
    [one.sessionHash, one.endpointFingerprint, one.memberId, one.keysSealed, one.language],
  );
  return result.rowCount === 1;
}

/**
 * Subscribes a session's browser, in place of the session's and the browser's former subscriptions; of a member's
 * subscriptions only the newest `max` stay. What was on its way to an earlier owner goes with them.
 */
export async function subscribe(
  tx: PoolClient,
  one: NewSubscription,
  { max, now }: { max: number; now: Date },
): Promise<void> {
  const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 94))';
  await tx.query(lock, [one.endpointFingerprint.toString('hex')]);
  await tx.query(lock, [String(one.memberId)]);
  if (await refresh(tx, one)) return;
  await tx.query('delete from push_subscription where session_hash = $1 or endpoint_fingerprint = $2', [
    one.sessionHash,
    one.endpointFingerprint,
  ]);
  await tx.query(
    `insert into push_subscription (session_hash, member_id, endpoint_sealed, endpoint_fingerprint, keys_sealed, language, created_at)
     select e.token_hash, $2, $3, $4, $5, $6, $7 from session e where e.token_hash = $1 and e.ended_at is null for share`,
    [
      one.sessionHash,
      one.memberId,
      one.endpointSealed,
      one.endpointFingerprint,
      one.keysSealed,
      one.language,
      now,
    ],
  );
  await tx.query(
    `delete from push_subscription where member_id = $1
       and id not in (select id from push_subscription where member_id = $1 order by id desc limit $2)`,
    [one.memberId, max],
  );
}

export async function unsubscribe(db: Db, sessionHash: Buffer): Promise<void> {
  await db.query('delete from push_subscription where session_hash = $1', [sessionHash]);
}

/** The browser takes no more: it is forgotten with all that was to be brought to it. */
export async function forgetSubscription(db: Db, id: bigint): Promise<void> {
  await db.query('delete from push_subscription where id = $1', [id]);
}

/**
 * Forgets the browsers of sessions whose time is over, or that were not used for their idle days, among the next `count`
 * after an id. Returns the id of the last of these; null when there are no more. A session is a subquery of its
 * subscription: a join would read all sessions, of which few have one.
 */
export async function forgetExpired(
  db: Db,
  { now, idleSince }: { now: Date; idleSince: Date },
  after: bigint,
  count: number,
): Promise<bigint | null> {
  const result = await db.query(
    `with looked as (select id, session_hash from push_subscription where id > $3 order by id limit $4),
     forgotten as (
       delete from push_subscription where id = any(array(
         select l.id from looked l where (
           select e.expires_at <= $1 or coalesce(e.last_seen_at, e.created_at) <= $2
           from session e where e.token_hash = l.session_hash))))
     select max(id) as last from looked`,
    [now, idleSince, after, count],
  );
  return result.rows[0]!.last;
}

export interface DueRow extends NotificationRow {
  subscription_id: bigint;
  tries: number;
  currency: Currency;
  endpoint_sealed: Buffer;
  keys_sealed: Buffer;
  language: Language;
  hides_amounts: boolean;
  /** Whether the member may be notified: active, and the session open and not idle. */
  may_receive: boolean;
}

/** Takes what is due, so that no other worker does for as long as the lease; each try counts. */
export async function takeDue(
  db: Db,
  now: Date,
  idleSince: Date,
  leaseMs: number,
  limit: number,
): Promise<DueRow[]> {
  const result = await db.query(
    `with due as (
       select notification_id, subscription_id from push_delivery where due_at <= $1
       order by due_at limit $3 for update skip locked)
     update push_delivery d set tries = d.tries + 1, due_at = $1 + $2 * interval '1 millisecond'
     from due join notification n on n.id = due.notification_id join push_subscription s on s.id = due.subscription_id
       join session e on e.token_hash = s.session_hash join member m on m.id = s.member_id
       left join push_preference p on p.member_id = m.id
     where d.notification_id = due.notification_id and d.subscription_id = due.subscription_id
     returning n.id, n.kind, n.subject, n.status, n.amount, ${nameOf('s.language')} as name, n.created_at,
       n.read_at is not null as is_read,
       s.id as subscription_id, d.tries, m.currency, s.endpoint_sealed, s.keys_sealed, s.language,
       coalesce(p.hides_amounts, false) as hides_amounts,
       n.member_id = s.member_id and m.status = 'ACTIVE' and e.ended_at is null and e.expires_at > $1
         and coalesce(e.last_seen_at, e.created_at) > $4 as may_receive`,
    [now, leaseMs, limit, idleSince],
  );
  return result.rows;
}

/** Nothing more is to be brought. */
export async function endDelivery(db: Db, row: Pick<DueRow, 'id' | 'subscription_id'>): Promise<void> {
  await db.query('delete from push_delivery where notification_id = $1 and subscription_id = $2', [
    row.id,
    row.subscription_id,
  ]);
}

/** To be tried again then. */
export async function putOff(
  db: Db,
  row: Pick<DueRow, 'id' | 'subscription_id'>,
  until: Date,
): Promise<void> {
  await db.query('update push_delivery set due_at = $3 where notification_id = $1 and subscription_id = $2', [
    row.id,
    row.subscription_id,
    until,
  ]);
}
