import type { Permission } from '@krapao/contract/operator';
import type { PoolClient } from '../../platform/database/db.ts';
import type { EntityRef } from '../../platform/entity-ref.ts';
import { insertMentions, notifyMentioned } from './queries.ts';

const EXCERPT_MAX = 300;
const NAMES_MAX = 20;
/** Matches `@name` without a word before it; a full stop at the end belongs to the sentence. */
const NAME = /(?<![\p{L}\p{N}_.])@([a-z][a-z0-9.-]{1,38})/gu;

/** Returns the operator names that a note mentions, each once, 20 at most. */
export const mentionedNames = (text: string): string[] =>
  [...new Set([...text.matchAll(NAME)].map(([, name]) => name!.replace(/[.-]+$/, '')))].slice(0, NAMES_MAX);

/**
 * Records the mentions of a note, in the transaction that writes it, and notifies open consoles. Only active operators who
 * may open the subject are mentioned, and never the author.
 * @param permission what opening the subject requires
 */
export async function recordMentions(
  tx: PoolClient,
  note: { text: string; authorId: bigint; subject: EntityRef; permission: Permission; now: Date },
): Promise<void> {
  const names = mentionedNames(note.text);
  if (names.length === 0) return;
  const excerpt = note.text.trim().slice(0, EXCERPT_MAX);
  if ((await insertMentions(tx, { ...note, names, excerpt })) > 0) await notifyMentioned(tx);
}
