/** The bounds of a conversation that both of its ends check, and what a message may be. */
export const CHAT_TEXT_MAX = 2000;
export const CHAT_IMAGE_MEGABYTES_MAX = 10;
export const CHAT_VIDEO_MEGABYTES_MAX = 20;
/** How many teams of operators there may be, and how many may be in one. */
export const CHAT_TEAMS_MAX = 50;
export const CHAT_TEAM_MEMBERS_MAX = 200;
/** Extensions a file for a conversation may have. */
export const CHAT_IMAGE_EXTENSIONS = ['png', 'jpeg', 'jpg', 'gif'] as const;
export const CHAT_VIDEO_EXTENSIONS = ['mov', 'mp4'] as const;

/** A guest's id is a secret of at least 122 bits: a UUID of version 4, or at least 22 random URL-safe characters. */
export const isGuestId = (id: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id) ||
  /^[\w-]{22,128}$/.test(id);

/** Where a button may lead: https, a telephone, or a path of the app itself. */
export const isChatLink = (link: string): boolean =>
  /^\/(?!\/)[\w/?=&.-]*$/.test(link) ||
  /^tel:\+?[\d-]{3,20}$/.test(link) ||
  (/^https:\/\//i.test(link) && URL.canParse(link));
