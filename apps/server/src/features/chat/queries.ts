import type { Language } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';

/** Joins a guest's conversation to a member's, once and for good; a repeat changes nothing. */
export async function mergeGuest(db: Db, memberId: bigint, guestHash: Buffer, now: Date): Promise<void> {
  const known = 'select 1 from chat_conversation where guest_hash = $1 and merged_into is null';
  if ((await db.query(known, [guestHash])).rows.length === 0) return;
  await db.query('select chat_merge($1, $2, $3)', [memberId, guestHash, now]);
}

export async function findConversation(
  db: Db,
  memberId: bigint | null,
  guestHash: Buffer | null,
): Promise<{ id: bigint; merged: boolean } | undefined> {
  const sql = 'select id, merged_into is not null as merged from chat_conversation where';
  const result = await (memberId === null
    ? db.query(`${sql} guest_hash = $1`, [guestHash])
    : db.query(`${sql} member_id = $1`, [memberId]));
  return result.rows[0];
}

/** The customer's conversation, made at first use; null when the guest is a member by now. */
export async function openConversation(
  db: Db,
  customer: { memberId: bigint | null; guestHash: Buffer | null; language: Language },
  now: Date,
): Promise<bigint | null> {
  const { memberId, guestHash, language } = customer;
  const result = await db.query('select chat_conversation_of($1, $2, $3, $4) as id', [
    memberId,
    guestHash,
    language,
    now,
  ]);
  return result.rows[0]!.id;
}

/** A stored message. */
export interface MessageContent {
  conversationId: bigint;
  sender: 'customer' | 'agent' | 'note';
  operatorId: bigint | null;
  message: object;
  /** What a list shows of it. */
  words: string;
  clientId: string;
}

/** What became of it: once by its client id, in the order of the conversation. */
export interface Kept {
  id: bigint;
  session_id: bigint;
  created_at: Date;
  is_new: boolean;
  /** It opened a session. */
  is_first: boolean;
}

/** Writes a message; sends it to both sides at the commit. `idleMinutes` ends an idle session. */
export async function say(db: Db, content: MessageContent, now: Date, idleMinutes: number): Promise<Kept> {
  const result = await db.query(
    "select * from chat_say($1, $2, $3, $4::jsonb, $5, $6, $7, $8 * interval '1 minute')",
    [
      content.conversationId,
      content.sender,
      content.operatorId,
      JSON.stringify(content.message),
      content.words,
      content.clientId,
      now,
      idleMinutes,
    ],
  );
  return result.rows[0]!;
}

/** A message or note. */
export interface PlainMessageRow {
  id: bigint;
  conversation_id: bigint;
  session_id: bigint;
  sender: 'customer' | 'agent' | 'note';
  operator: string | null;
  message: { message_type: string; [field: string]: unknown };
  client_id: string;
  created_at: Date;
}

/** A message with who wrote it. */
export interface MessageRow extends PlainMessageRow {
  member_id: bigint | null;
  member_name: string | null;
  member_phone: string | null;
}

const SELECT = `select m.id, m.conversation_id, m.session_id, m.sender, o.name as operator, m.message, m.client_id, m.created_at,
    c.member_id, b.name as member_name, b.phone as member_phone
  from chat_message m join chat_conversation c on c.id = m.conversation_id left join member b on b.id = c.member_id
  left join operator o on o.id = m.operator_id`;

/** Messages, newest first; notes are visible to agents only. */
export async function listHistory(
  db: Db,
  conversationId: bigint,
  range: { limit: number; skip: number },
): Promise<MessageRow[]> {
  const sql =
    `${SELECT} where m.conversation_id = $1 and m.sender <> 'note' order by m.id desc limit $2 offset $3` as const;
  return (await db.query(sql, [conversationId, range.limit, range.skip])).rows;
}

/** A message of a conversation that has this room; undefined also when it was merged into another meanwhile. */
export async function findMessageIn(db: Db, room: string, id: bigint): Promise<MessageRow | undefined> {
  const sql = `${SELECT} where m.id = $1 and chat_room(c) = $2` as const;
  return (await db.query(sql, [id, room])).rows[0];
}

/** Records that the customer has read all messages, or all up to one; notifies the watching consoles when that is new. */
export async function readByCustomer(db: Db, conversationId: bigint, upTo: bigint | null): Promise<void> {
  const { rows } = await db.query(
    `update chat_conversation c set customer_read = l.id from (
       select coalesce(max(id), 0) as id from chat_message where conversation_id = $1 and sender = 'agent'
         and ($2::bigint is null or id <= $2)) l
     where c.id = $1 and c.customer_read < l.id returning c.id`,
    [conversationId, upTo],
  );
  if (rows.length > 0)
    await db.query("select pg_notify('console', 'chats read ' || $1)", [String(conversationId)]);
}

export interface UnreadRow {
  unread: number;
  is_open: boolean;
  agent_read: bigint;
}

export async function readUnread(db: Db, conversationId: bigint): Promise<UnreadRow> {
  const result = await db.query(
    `select (select count(*)::int from chat_message m where m.conversation_id = c.id and m.id > c.customer_read and m.sender = 'agent') as unread,
       c.state = 'OPEN' as is_open, c.agent_read from chat_conversation c where c.id = $1`,
    [conversationId],
  );
  return result.rows[0]!;
}

/**
 * Stores a customer's rating of their ended session, with its message; the newest rating
 * counts, and nothing is opened. Null when there is no such session. A repeat under its client id is the same message.
 */
export async function rate(
  tx: PoolClient,
  content: Pick<MessageContent, 'conversationId' | 'message' | 'clientId'> & {
    sessionId: bigint;
    rating: number;
  },
  now: Date,
): Promise<Pick<Kept, 'id' | 'session_id' | 'created_at'> | null> {
  const result = await tx.query('select * from chat_rate($1, $2, $3, $4::jsonb, $5, $6)', [
    content.conversationId,
    content.sessionId,
    content.rating,
    JSON.stringify(content.message),
    content.clientId,
    now,
  ]);
  const { id, session_id, created_at } = result.rows[0]!;
  return id === null || session_id === null || created_at === null ? null : { id, session_id, created_at };
}

/** Adds a message to an ended session without opening one. Returns null for a repeat. */
export async function sayAfterwards(
  tx: PoolClient,
  content: MessageContent & { sessionId: bigint },
  now: Date,
): Promise<{ id: bigint; created_at: Date } | null> {
  const result = await tx.query(
    `with c as (select * from chat_conversation where id = $1 for update),
       m as (insert into chat_message (conversation_id, session_id, sender, operator_id, message, client_id, created_at)
         select c.id, $2, $3, $4, $5::jsonb, $6, greatest($7, c.last_at) from c on conflict do nothing returning id, created_at),
       sent as (select chat_tell(c::chat_conversation, 'messaging', jsonb_build_object('id', m.id)),
         pg_notify('console', 'chats said ' || m.id) from m, chat_conversation c where c.id = $1)
     select m.id, m.created_at, (select count(*) from sent) as sent from m`,
    [
      content.conversationId,
      content.sessionId,
      content.sender,
      content.operatorId,
      JSON.stringify(content.message),
      content.clientId,
      now,
    ],
  );
  return result.rows[0] ?? null;
}

/** What a first answer took of late, in minutes: the median over a day; null without any. */
export async function readReplyMinutes(db: Db, since: Date): Promise<number | null> {
  const result = await db.query(
    `select percentile_cont(0.5) within group (order by extract(epoch from s.first_answer_at - chat_first_message(s)) / 60) as minutes
     from chat_session s where s.opened_at > $1 and s.first_answer_at is not null`,
    [since],
  );
  const minutes = result.rows[0]!.minutes;
  return minutes === null ? null : Math.max(1, Math.round(minutes));
}

/** Ends sessions that are idle, see `chat_idle_since`; none that is put aside or on hold. */
export async function endIdle(db: Db, now: Date, idleMinutes: number): Promise<void> {
  await db.query(
    `select chat_end_idle(c.id, $1, $2 * interval '1 minute') from chat_conversation c
     where c.state = 'OPEN' and c.merged_into is null and chat_idle_since(c) < $1 - $2 * interval '1 minute' limit 500`,
    [now, idleMinutes],
  );
}
