import type { Language } from '@krapao/contract/shared';
import type { Db, PoolClient, Reads } from '../../platform/database/db.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  numberKey,
  type Slice,
  timeKey,
} from '../../platform/http/cursor.ts';
import type { PlainMessageRow } from './queries.ts';

/** A conversation in the inbox. */
export interface ConversationRow {
  id: bigint;
  member_id: bigint | null;
  member_name: string | null;
  guest: string | null;
  /** The room of their screens. */
  room: string;
  language: Language | null;
  state: 'OPEN' | 'ENDED';
  last_words: string;
  last_sender: 'customer' | 'agent';
  last_at: Date;
  waiting_since: Date | null;
  unread: number;
  assignee: bigint | null;
  assignee_name: string | null;
  team: bigint | null;
  team_name: string | null;
  snoozed_until: Date | null;
  /** Since when it waits for a third party. */
  held_since: Date | null;
  tags: string[];
  customer_read: bigint;
}

export interface Wanted {
  box: 'mine' | 'team' | 'unassigned' | 'all' | 'snoozed' | 'held' | 'ended';
  operatorId: bigint;
  now: Date;
  tag: string | null;
  memberId: string | null;
  text: string | null;
  /** The text as the phone number of a member. */
  phone: string | null;
  /** Of a session: the agent who counts for it, and when it was opened. */
  agent: string | null;
  from: Date | null;
  to: Date | null;
}

const AWAKE = '(c.snoozed_until is null or c.snoozed_until <= $2) and c.held_since is null';
/** $1 is the calling operator, $2 the time. */
const BOXES = {
  mine: `c.state = 'OPEN' and c.assignee = $1 and ${AWAKE}`,
  team: `c.state = 'OPEN' and (c.assignee is null or c.waiting_since is not null)
    and c.team in (select x.team from chat_team_member x where x.operator_id = $1) and ${AWAKE}`,
  unassigned: `$1::bigint is not null and c.state = 'OPEN' and c.assignee is null and ${AWAKE}`,
  all: `$1::bigint is not null and c.state = 'OPEN' and ${AWAKE}`,
  snoozed: "$1::bigint is not null and c.state = 'OPEN' and c.snoozed_until > $2",
  held: "$1::bigint is not null and $2::timestamptz is not null and c.state = 'OPEN' and c.held_since is not null",
  ended: "$1::bigint is not null and $2::timestamptz is not null and c.state = 'ENDED'",
} as const satisfies Record<Wanted['box'], string>;
const FROM = `chat_conversation c left join member m on m.id = c.member_id left join operator o on o.id = c.assignee
  left join chat_team t on t.id = c.team`;
const COLUMNS = `c.id, c.member_id, m.name as member_name, left(encode(c.guest_hash, 'hex'), 6) as guest, chat_room(c) as room, c.language, c.state, c.last_words,
  c.last_sender, c.last_at, c.waiting_since, c.assignee, o.name as assignee_name, c.team, t.name as team_name, c.snoozed_until, c.held_since, c.tags, c.customer_read,
  (select count(*)::int from chat_message x where x.conversation_id = c.id and x.id > c.agent_read and x.sender = 'customer') as unread`;
/**
 * A member's phone number is found whole or by its last four digits. The index has the whole JSON of a message, so that
 * what it finds is compared again, without the names of fields and the kind of message.
 */
const SEARCH = `($5::text is null or c.id in (select x.conversation_id from chat_message x
    where to_tsvector('simple', x.message::text) @@ plainto_tsquery('simple', $5) and x.sender <> 'note'
      and jsonb_to_tsvector('simple', x.message - 'message_type', '["string"]') @@ plainto_tsquery('simple', $5))
  or position(lower($5) in lower(c.last_words)) > 0 or position(lower($5) in lower(m.name)) > 0 or m.id::text = $5
  or m.phone = $6 or (length($5) = 4 and right(m.phone, 4) = $5) or left(encode(c.guest_hash, 'hex'), 6) = lower($5))`;
/** Joins to a session "s" the operator "o" it counts for: the agent of the first response, else who ended it. */
const SESSION_AGENT = `left join lateral (select m.operator_id from chat_message m
      where m.conversation_id = s.conversation_id and m.session_id = s.id and m.sender = 'agent' and m.operator_id is not null
      order by m.id limit 1) a on true
    left join operator o on o.id = coalesce(a.operator_id, s.operator_id)`;
/** Sessions are looked at only when one of these is given. */
const SESSION =
  `(coalesce($7::text, $8::timestamptz::text, $9::timestamptz::text) is null or c.id in (select s.conversation_id from chat_session s
    ${SESSION_AGENT}
    where ($8::timestamptz is null or s.opened_at >= $8) and ($9::timestamptz is null or s.opened_at < $9)
      and ($7::text is null or coalesce(o.name, 'no-agent') = $7)))` as const;
const where = <const Box extends Wanted['box']>(box: Box) =>
  `c.merged_into is null and c.last_words <> '' and ${BOXES[box]} and ($3::text is null or $3 = any(c.tags)) and ($4::bigint is null or c.member_id = $4) and ${SEARCH} and ${SESSION}` as const;
/** The search covers all messages, in any box. */
const ANY_BOX =
  `c.merged_into is null and c.last_words <> '' and ($1::bigint is not null or $2::timestamptz is not null)
  and ($3::text is null or $3 = any(c.tags)) and ($4::bigint is null or c.member_id = $4) and ${SEARCH} and ${SESSION}` as const;

/** What the list is ordered by. */
export const CONVERSATION_KEYS = {
  orders: { waiting: timeKey('coalesce(c.waiting_since, c.last_at)'), lastAt: timeKey('c.last_at') },
  id: numberKey('c.id'),
};

const isSearch = ({ text, memberId, agent, from, to }: Wanted) =>
  [text, memberId, agent, from, to].some((one) => one !== null);
/** The longest waiting first; ended conversations, and those searched for, by their last message. */
export const conversationOrder = (wanted: Wanted) =>
  isSearch(wanted) || wanted.box === 'ended' ? '-lastAt' : 'waiting';

/** A page of the conversations of a box, and how many there are, `counted` at the most. */
export async function listConversations(
  db: Reads,
  wanted: Wanted,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<ConversationRow>[]; total: number }> {
  const filter = isSearch(wanted) ? ANY_BOX : where(wanted.box);
  const page = keysetSql(
    {
      select: `select ${COLUMNS}`,
      from: `${FROM} where ${filter}`,
      ...CONVERSATION_KEYS,
      parameters: ['$10', '$11', '$12'],
    },
    slice.readSort,
  );
  const { operatorId, now, tag, memberId, text, phone, agent, from, to } = wanted;
  const values = [operatorId, now, tag, memberId, text, phone, agent, from, to] as const;
  const [rows, count] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(`select count(*)::int as total from (select from ${FROM} where ${filter} limit $10) found`, [
      ...values,
      counted,
    ]),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}

export interface Counts {
  mine: number;
  /** Null for an operator who is in no team. */
  team: number | null;
  unassigned: number;
  all: number;
  snoozed: number;
  held: number;
}

/** How many are open in each box. */
export async function countBoxes(db: Db, operatorId: bigint, now: Date): Promise<Counts> {
  const count = <const Box extends keyof Counts>(box: Box) =>
    `(count(*) filter (where ${BOXES[box]}))::int as ${box}` as const;
  const result = await db.query(
    `select ${count('mine')}, ${count('unassigned')}, ${count('all')}, ${count('snoozed')}, ${count('held')},
       case when exists (select from chat_team_member y where y.operator_id = $1) then (count(*) filter (where ${BOXES.team}))::int end as team
     from chat_conversation c where c.state = 'OPEN' and c.merged_into is null and c.last_words <> ''`,
    [operatorId, now],
  );
  return result.rows[0]!;
}

export async function findConversationRow(db: Db, id: bigint): Promise<ConversationRow | undefined> {
  const sql = `select ${COLUMNS} from ${FROM} where c.id = $1 and c.merged_into is null` as const;
  return (await db.query(sql, [id])).rows[0];
}

export interface SessionRow {
  id: bigint;
  opened_at: Date;
  ended_at: Date | null;
  ended_by: string | null;
  rating: number | null;
}

export async function listSessions(db: Db, conversationId: bigint): Promise<SessionRow[]> {
  const sql = `select s.id, s.opened_at, s.ended_at, coalesce(o.name, s.ended_by) as ended_by, s.rating
    from chat_session s left join operator o on o.id = s.operator_id where s.conversation_id = $1 order by s.id desc limit 50`;
  return (await db.query(sql, [conversationId])).rows;
}

/** Operators who may respond and take a conversation over. */
export async function listAgents(db: Db): Promise<{ id: bigint; name: string }[]> {
  const sql = `select o.id, o.name from operator o join operator_role r on r.code = o.role
    where o.status = 'ACTIVE' and 'chat.answer' = any(r.permissions) order by o.name limit 500`;
  return (await db.query(sql)).rows;
}

/** Messages and notes, newest first, before a message. */
export async function listConversationMessages(
  db: Db,
  conversationId: bigint,
  range: { before: bigint | null; limit: number },
): Promise<PlainMessageRow[]> {
  const sql = `select m.id, m.conversation_id, m.session_id, m.sender, o.name as operator, m.message, m.client_id, m.created_at
    from chat_message m left join operator o on o.id = m.operator_id
    where m.conversation_id = $1 and ($2::bigint is null or m.id < $2) order by m.id desc limit $3`;
  return (await db.query(sql, [conversationId, range.before, range.limit])).rows;
}

/** A conversation as it is while it is locked. */
export interface LockedConversation {
  state: 'OPEN' | 'ENDED';
  assignee: bigint | null;
  language: Language | null;
  tags: string[];
  snoozed_until: Date | null;
  held_since: Date | null;
}

/** Keeps the conversation from change until the transaction ends. */
export async function lockConversation(tx: PoolClient, id: bigint): Promise<LockedConversation | undefined> {
  const sql =
    'select state, assignee, language, tags, snoozed_until, held_since from chat_conversation where id = $1 and merged_into is null for update';
  return (await tx.query(sql, [id])).rows[0];
}

/** A conversation that is to be merged, or the one that it is merged into. */
export interface MergeRow {
  id: bigint;
  member_id: bigint | null;
  guest: string | null;
  is_merged: boolean;
  state: 'OPEN' | 'ENDED';
  assignee: bigint | null;
  assignee_name: string | null;
  tags: string[];
}

/** Keeps two conversations from change until the transaction ends; a guest's first, as a merge at login does. */
export async function lockForMerge(tx: PoolClient, ids: readonly bigint[]): Promise<MergeRow[]> {
  const sql = `select c.id, c.member_id, left(encode(c.guest_hash, 'hex'), 6) as guest, c.merged_into is not null as is_merged,
      c.state, c.assignee, (select o.name from operator o where o.id = c.assignee) as assignee_name, c.tags
    from chat_conversation c where c.id = any($1) order by c.member_id nulls first, c.id for update`;
  return (await tx.query(sql, [ids])).rows;
}

/** Moves all of a guest's conversation into another, away from the guest's secret; both are locked and checked. */
export async function mergeConversation(
  tx: PoolClient,
  from: bigint,
  into: bigint,
  now: Date,
): Promise<void> {
  await tx.query('select chat_merge_by_operator($1, $2, $3)', [from, into, now]);
}

/** Assigns the conversation to an agent, or unassigns it. */
export async function assign(tx: PoolClient, id: bigint, operatorId: bigint | null): Promise<void> {
  await tx.query('update chat_conversation set assignee = $2 where id = $1', [id, operatorId]);
}

/** Puts a conversation aside until a time, from which its idle time counts; a time that has come brings it back. */
export async function snooze(tx: PoolClient, id: bigint, until: Date): Promise<void> {
  await tx.query('update chat_conversation set snoozed_until = $2, held_since = null where id = $1', [
    id,
    until,
  ]);
}

export async function tag(tx: PoolClient, id: bigint, tags: readonly string[]): Promise<void> {
  await tx.query('update chat_conversation set tags = $2 where id = $1', [id, tags]);
}

/** Ends the open session; null when none is open. */
export async function endSession(
  tx: PoolClient,
  id: bigint,
  operatorId: bigint,
  now: Date,
): Promise<bigint | null> {
  const result = await tx.query("select chat_end($1, 'agent', $2, $3) as ended", [id, operatorId, now]);
  return result.rows[0]!.ended;
}

/** Opens a session again in a conversation whose last one has ended. */
export async function reopen(tx: PoolClient, id: bigint, operatorId: bigint, now: Date): Promise<void> {
  await tx.query(
    'insert into chat_session (conversation_id, opened_at, opened_by_agent) values ($1, $2, true)',
    [id, now],
  );
  await tx.query(
    `update chat_conversation set state = 'OPEN', assignee = $2, last_at = greatest(last_at, $3), snoozed_until = null, held_since = null
     where id = $1`,
    [id, operatorId, now],
  );
}

/** Tells every console that a conversation is another now. */
export async function notifyConsole(db: Db, id: bigint): Promise<void> {
  await db.query("select pg_notify('console', 'chats changed ' || $1)", [String(id)]);
}

/** Tells the customer's screens of the conversation. */
export async function notifyCustomer(db: Db, id: bigint, payload: object): Promise<void> {
  await db.query("select chat_tell(c, 'chat', $2::jsonb) from chat_conversation c where c.id = $1", [
    id,
    JSON.stringify(payload),
  ]);
}

/** An agent has read all that is there; answers up to which message when that is new. */
export async function readByAgent(db: Db, id: bigint): Promise<bigint | null> {
  const result = await db.query(
    `update chat_conversation c set agent_read = l.id from (
       select coalesce(max(id), 0) as id from chat_message where conversation_id = $1 and sender = 'customer') l
     where c.id = $1 and c.agent_read < l.id returning c.agent_read as read`,
    [id],
  );
  return result.rows[0]?.read ?? null;
}

export interface CannedRow {
  shortcut: string;
  text: string;
}

/** How many ready replies there may be: those that a list has. */
export const CANNED_MAX = 1_000;

export async function listCanned(db: Db): Promise<CannedRow[]> {
  return (await db.query(`select shortcut, text from chat_canned order by shortcut limit ${CANNED_MAX}`))
    .rows;
}

/** How many ready replies there are besides one. */
export async function countOtherCanned(db: Db, shortcut: string): Promise<number> {
  const sql = 'select count(*)::int as count from chat_canned where shortcut <> $1';
  return (await db.query(sql, [shortcut])).rows[0]!.count;
}

/** Keeps a ready reply or replaces the one of its shortcut; returns the former text. */
export async function saveCanned(
  tx: PoolClient,
  canned: CannedRow & { by: string; now: Date },
): Promise<string | null> {
  const before = await tx.query('select text from chat_canned where shortcut = $1 for update', [
    canned.shortcut,
  ]);
  await tx.query(
    `insert into chat_canned (shortcut, text, changed_by, changed_at) values ($1, $2, $3, $4)
     on conflict (shortcut) do update set text = excluded.text, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
    [canned.shortcut, canned.text, canned.by, canned.now],
  );
  return before.rows[0]?.text ?? null;
}

export async function removeCanned(tx: PoolClient, shortcut: string): Promise<string | undefined> {
  const sql = 'delete from chat_canned where shortcut = $1 returning text';
  return (await tx.query(sql, [shortcut])).rows[0]?.text;
}

export interface FigureRow {
  agent: string | null;
  sessions: number;
  answered: number;
  late: number;
  first_answer: number | null;
  duration: number | null;
  rated: number;
  rating: number | null;
}

/**
 * Sessions opened in a span of days, by the agent of the first response, else by who ended them. `late` are those
 * whose first response came after the target or is missing after it; a session without a message of the customer is
 * not, nor is one that was merged before its response.
 */
export async function sumSessions(
  db: Reads,
  from: Date,
  to: Date,
  target: { minutes: number; now: Date },
): Promise<FigureRow[]> {
  const median = <const Of extends string>(of: Of) =>
    `round((percentile_cont(0.5) within group (order by extract(epoch from ${of}) / 60))::numeric, 1)::float` as const;
  const result = await db.query(
    `select o.name as agent, count(*)::int as sessions, count(s.first_answer_at)::int as answered,
       count(*) filter (where coalesce(s.first_answer_at, s.ended_at, $4) > chat_first_message(s) + $3::int * interval '1 minute'
         and (s.first_answer_at is not null or s.ended_by is distinct from 'merged'))::int as late,
       ${median('s.first_answer_at - chat_first_message(s)')} as first_answer, ${median('s.ended_at - s.opened_at')} as duration,
       count(s.rating)::int as rated, round(avg(s.rating), 2)::float as rating
     from chat_session s
     ${SESSION_AGENT}
     where s.opened_at >= $1 and s.opened_at < $2 group by o.name order by 2 desc, 1 nulls last`,
    [from, to, target.minutes, target.now],
  );
  return result.rows;
}

/** How many customers wait, and since when the first. */
export async function countWaiting(db: Db, now: Date): Promise<{ count: number; oldest: Date | null }> {
  const result = await db.query(
    `select count(*)::int as count, min(waiting_since) as oldest from chat_conversation
     where state = 'OPEN' and merged_into is null and waiting_since is not null and (snoozed_until is null or snoozed_until <= $1) and held_since is null`,
    [now],
  );
  return result.rows[0]!;
}

/** The last message with a member; undefined without one. */
export async function findConversationOf(
  db: Db,
  memberId: bigint,
): Promise<{ id: bigint; last_at: Date; last_words: string; waiting_since: Date | null } | undefined> {
  const result = await db.query(
    "select id, last_at, last_words, waiting_since from chat_conversation where member_id = $1 and last_words <> ''",
    [memberId],
  );
  return result.rows[0];
}
