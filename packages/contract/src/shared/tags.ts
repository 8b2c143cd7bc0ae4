/** How many tags a member or a conversation has at most. */
export const TAGS_MAX = 10;
/** How many characters a tag has at most. */
export const TAG_MAX = 40;

/** A change of tags. Those that it does not name stay, so that no operator overwrites what another has changed. */
export interface ChangedTags {
  added: string[];
  removed: string[];
}

/** Returns the change that leads from some tags to others. */
export const tagChange = (before: readonly string[], after: readonly string[]): ChangedTags => ({
  added: after.filter((tag) => !before.includes(tag)),
  removed: before.filter((tag) => !after.includes(tag)),
});
