/** The pages of the console that explain themselves, in the order of the day. */
export const HELP_PAGES = [
  'today',
  'alerts',
  'chats',
  'withdrawals',
  'deposits',
  'unmatched',
  'reports',
  'slips',
  'approvals',
  'members',
  'transfers',
  'reconciliation',
  'figures',
  'channels',
  'content',
  'bonuses',
  'rewards',
  'wheels',
  'coupons',
  'games',
  'settings',
  'team',
  'webhooks',
  'audit',
] as const;

export type HelpPage = (typeof HELP_PAGES)[number];

/** What a page is for, and the words that stand on it. */
export interface PageHelp {
  purpose: string;
  terms: readonly (readonly [term: string, meaning: string])[];
}

export type HelpTexts = Record<HelpPage, PageHelp>;
