/** Ids of the places in a page's frame that are filled by files which come later. */
export const CHAT_PLACE = 'chat-place';
export const ASIDE_PLACE = 'aside-place';
