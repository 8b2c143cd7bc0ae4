/**
 * What an operator may be allowed. A role is a set of these, editable in the console; the server decides by them and
 * the console merely hides.
 */
export const PERMISSIONS = [
  'today.read',
  'withdrawal.read',
  'withdrawal.decide',
  'withdrawal.pay',
  'deposit.read',
  'deposit.reverse',
  'unmatched.read',
  'unmatched.settle',
  'slip.read',
  'slip.decide',
  'transfer.read',
  'transfer.settle',
  'member.read',
  'member.reveal',
  'member.status',
  'member.note',
  /** Requests identity documents, opens them and decides about them. */
  'member.kyc',
  'entry.make',
  'approval.read',
  /** Checks requests that move money. */
  'approval.money',
  /** Checks requests that change who may do what. */
  'approval.access',
  'alert.close',
  'audit.read',
  'reconciliation.read',
  /** Repeats comparisons and explains differences. */
  'reconciliation.settle',
  /** Reports over days. */
  'figures.read',
  'channel.read',
  /** Pauses, orders and limits deposit accounts, and requests new ones. */
  'channel.manage',
  'content.read',
  /** Publishes texts and changes the options of the registration form. */
  'content.manage',
  /** Sees bonuses, codes, wheels and coupons, with what they cost. */
  'promotion.read',
  /** Stops promotions, and requests changes that cost money. */
  'promotion.manage',
  /** Reads talks with customers. */
  'chat.read',
  /** Replies to, takes over, ends and snoozes conversations. */
  'chat.answer',
  /** Keeps replies ready for all, and the reasons that rejected members read. */
  'chat.manage',
  'export.read',
  'setting.read',
  /** Changes settings, throws the switches, and runs the games on offer. */
  'setting.manage',
  /** Simulates settings of the risk score and requests their change. */
  'risk.manage',
  'operator.read',
  'operator.manage',
  'webhook.read',
  /** Adds, changes, tests and replays webhooks. */
  'webhook.manage',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** What only a person may do: no API key ever has these. */
export const PERSON_PERMISSIONS = [
  'approval.money',
  'approval.access',
  'operator.manage',
] as const satisfies readonly Permission[];

/** Begins every API key. */
export const KEY_PREFIX = 'kop_';

/** The roles an installation starts with. */
export const ROLES = ['support', 'finance', 'finance-lead', 'marketing', 'risk', 'admin', 'auditor'] as const;
