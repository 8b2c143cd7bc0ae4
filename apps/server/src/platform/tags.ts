import { type ChangedTags, TAGS_MAX } from '@krapao/contract/shared';
import type { Refuse } from './refusal.ts';

/**
 * Returns the tags after a change, without spaces around those that are added. The caller has locked whose tags they are.
 * Refuses TAGS_MAX for a change that leaves more than there may be, and more than there were.
 */
export function changedTags(
  refuse: Refuse<'TAGS_MAX'>,
  before: readonly string[],
  { added, removed }: ChangedTags,
): string[] {
  const stay = before.filter((tag) => !removed.includes(tag));
  const after = [...new Set([...stay, ...added.map((tag) => tag.trim()).filter(Boolean)])];
  if (after.length > TAGS_MAX && after.length > before.length) throw refuse('TAGS_MAX');
  return after;
}
