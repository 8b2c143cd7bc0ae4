import type { Db, PoolClient } from '../../platform/database/db.ts';

/** What a macro does with a conversation, besides saying its text. */
export type MacroEnding = 'NONE' | 'HOLD' | 'END';

export interface MacroRow {
  name: string;
  /** Empty: no message is sent. */
  text: string;
  tags: string[];
  is_taken: boolean;
  ending: MacroEnding;
}

const COLUMNS = 'name, text, tags, is_taken, ending';

/** How many macros there may be: those that a list has. */
export const MACROS_MAX = 200;

export async function listMacros(db: Db): Promise<MacroRow[]> {
  return (await db.query(`select ${COLUMNS} from chat_macro order by name limit ${MACROS_MAX}`)).rows;
}

export async function countMacros(db: Db): Promise<number> {
  return (await db.query('select count(*)::int as count from chat_macro')).rows[0]!.count;
}

export async function findMacro(db: Db, name: string): Promise<MacroRow | undefined> {
  return (await db.query(`select ${COLUMNS} from chat_macro where name = $1`, [name])).rows[0];
}

/** Adds a macro or replaces the one of its name. */
export async function saveMacro(tx: PoolClient, macro: MacroRow & { by: string; now: Date }): Promise<void> {
  await tx.query(
    `insert into chat_macro (name, text, tags, is_taken, ending, changed_by, changed_at) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (name) do update set text = excluded.text, tags = excluded.tags, is_taken = excluded.is_taken,
       ending = excluded.ending, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
    [macro.name, macro.text, macro.tags, macro.is_taken, macro.ending, macro.by, macro.now],
  );
}

export async function removeMacro(tx: PoolClient, name: string): Promise<MacroRow | undefined> {
  return (await tx.query(`delete from chat_macro where name = $1 returning ${COLUMNS}`, [name])).rows[0];
}

/** Puts a conversation on hold, or takes it off; its idle time counts from then. */
export async function hold(tx: PoolClient, id: bigint, isHeld: boolean, now: Date): Promise<void> {
  await tx.query('update chat_conversation set held_since = $2, snoozed_until = $3 where id = $1', [
    id,
    isHeld ? now : null,
    isHeld ? null : now,
  ]);
}
