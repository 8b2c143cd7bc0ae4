import type { Db } from '../../platform/database/db.ts';

export interface MentionRow {
  id: bigint;
  by: string;
  subject: string;
  member_name: string | null;
  excerpt: string;
  written_at: Date;
}

/**
 * What an operator was mentioned in and has not seen, newest first. A conversation that was merged is the one that it
 * was merged into.
 * @param kinds the kinds of subjects that they may open
 */
export async function listUnseen(
  db: Db,
  operatorId: bigint,
  kinds: readonly string[],
): Promise<MentionRow[]> {
  const result = await db.query(
    `select n.id, o.name as by, coalesce('chat:' || c.id, n.subject) as subject, m.name as member_name, n.excerpt, n.written_at
     from mention n join operator o on o.id = n.author_id
     left join lateral (
       with recursive merged as (
         select k.id, k.member_id, k.merged_into from chat_conversation k
           where k.id = case when n.subject like 'chat:%' then substr(n.subject, 6)::bigint end
         union select k.id, k.member_id, k.merged_into from merged g join chat_conversation k on k.id = g.merged_into)
       select g.id, g.member_id from merged g where g.merged_into is null) c on true
     left join member m on m.id = coalesce(c.member_id, case when n.subject like 'member:%' then substr(n.subject, 8)::bigint end)
     where n.operator_id = $1 and n.seen_at is null and split_part(n.subject, ':', 1) = any($2) order by n.id desc limit 50`,
    [operatorId, kinds],
  );
  return result.rows;
}

/** Records that an operator has seen a mention of them; false when there is none with this id. */
export async function markSeen(
  db: Db,
  mention: { id: bigint; operatorId: bigint; now: Date },
): Promise<boolean> {
  const result = await db.query(
    'update mention set seen_at = coalesce(seen_at, $3) where id = $1 and operator_id = $2',
    [mention.id, mention.operatorId, mention.now],
  );
  return result.rowCount === 1;
}

export async function listActiveNames(db: Db): Promise<string[]> {
  const result = await db.query("select name from operator where status = 'ACTIVE' order by name limit 500");
  return result.rows.map(({ name }) => name);
}

/** Adds a mention for each named operator who may open the subject; names without such an operator are ignored. */
export async function insertMentions(
  db: Db,
  mention: {
    names: readonly string[];
    authorId: bigint;
    subject: string;
    excerpt: string;
    permission: string;
    now: Date;
  },
): Promise<number> {
  const result = await db.query(
    `insert into mention (operator_id, author_id, subject, excerpt, written_at)
     select o.id, $2, $3, $4, $5 from operator o join operator_role r on r.code = o.role
     where o.name = any($1) and o.status = 'ACTIVE' and o.id <> $2 and $6 = any(r.permissions)`,
    [mention.names, mention.authorId, mention.subject, mention.excerpt, mention.now, mention.permission],
  );
  return result.rowCount ?? 0;
}

export async function notifyMentioned(db: Db): Promise<void> {
  await db.query("select pg_notify('console', 'mentions changed')");
}
