import type { Db, PoolClient } from '../../platform/database/db.ts';

export async function insertFile(
  db: Db,
  file: { key: string; kind: 'image' | 'video'; bytes: number; now: Date },
): Promise<void> {
  await db.query('insert into chat_file (key, kind, bytes, created_at) values ($1, $2, $3, $4)', [
    file.key,
    file.kind,
    file.bytes,
    file.now,
  ]);
}

/** The kind of a file that no message names yet; undefined for any other. */
export async function findUnused(db: Db, key: string): Promise<'image' | 'video' | undefined> {
  const sql = 'select kind from chat_file where key = $1 and message_id is null';
  return (await db.query(sql, [key])).rows[0]?.kind;
}

/** From now on the message keeps the file, until a time or for good; false when another has taken it. */
export async function takeFile(
  tx: PoolClient,
  taken: { key: string; messageId: bigint; storedUntil: Date | null },
): Promise<boolean> {
  const sql = 'update chat_file set message_id = $2, kept_until = $3 where key = $1 and message_id is null';
  return (await tx.query(sql, [taken.key, taken.messageId, taken.storedUntil])).rowCount === 1;
}

/** What a customer's files in a conversation weigh: those they named since a time, and all. */
export async function weighFiles(
  tx: PoolClient,
  conversationId: bigint,
  since: Date,
): Promise<{ recent: number; all: number }> {
  const { rows } = await tx.query(
    `select coalesce(sum(f.bytes) filter (where m.created_at > $2), 0)::bigint as recent, coalesce(sum(f.bytes), 0)::bigint as all
     from chat_message m join chat_file f on f.message_id = m.id
     where m.conversation_id = $1 and m.sender = 'customer' and m.message ->> 'message_type' = 'media'`,
    [conversationId, since],
  );
  return { recent: Number(rows[0]!.recent), all: Number(rows[0]!.all) };
}

/** Deletes the rows of files not used in time; returns their keys. */
export async function sweepFiles(db: Db, before: Date): Promise<string[]> {
  const sql =
    'delete from chat_file where key = any(array(select key from chat_file where message_id is null and created_at < $1 limit 200)) and message_id is null returning key';
  return (await db.query(sql, [before])).rows.map((row) => row.key);
}

/** Deletes files of guests up to a time; those of a guest who is now a member stay. Returns the keys. */
export async function sweepGuestFiles(db: Db, now: Date): Promise<string[]> {
  const { rows } = await db.query(
    `with due as (select f.key, c.member_id is null as is_guest from chat_file f
         join chat_message m on m.id = f.message_id join chat_conversation c on c.id = m.conversation_id
         where f.kept_until < $1 limit 200),
       stored as (update chat_file set kept_until = null where key in (select key from due where not is_guest))
     delete from chat_file where key in (select key from due where is_guest) returning key`,
    [now],
  );
  return rows.map((row) => row.key);
}
