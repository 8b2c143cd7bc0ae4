import type { Permission } from './permissions.ts';

/**
 * Every rule that opens an alert, with the permission for the page its subject is on: an operator sees no alert they could
 * not look into. The database's check and the texts `alert.*` follow this list.
 */
export const ALERT_KINDS = {
  'bonus-stuck': 'member.read',
  'credit-low': 'today.read',
  'feed-silent': 'channel.read',
  'gift-contradicts': 'deposit.read',
  'gift-taken-elsewhere': 'deposit.read',
  'gift-unknown': 'deposit.read',
  'invite-reversed': 'member.read',
  'notification-differs': 'deposit.read',
  'payment-unreadable': 'deposit.read',
  'payout-contradicts': 'withdrawal.read',
  'payout-unknown': 'withdrawal.read',
  'payouts-paused': 'reconciliation.read',
  'player-taken': 'transfer.read',
  reconciliation: 'reconciliation.read',
  'reconciliation-silent': 'reconciliation.read',
  'risk-score': 'withdrawal.read',
  'slip-review': 'slip.read',
  'transfer-contradicts': 'transfer.read',
  'transfer-unclear': 'unmatched.read',
  'transfer-unknown': 'transfer.read',
  'webhook-failing': 'webhook.read',
  'wrong-codes': 'operator.read',
} as const satisfies Record<string, Permission>;

export type AlertKind = keyof typeof ALERT_KINDS;

/** Open until an operator takes it, then investigated by them, then over: its cause is gone, or there was none. */
export const ALERT_STATES = ['OPEN', 'INVESTIGATING', 'RESOLVED', 'DISMISSED'] as const;

export type AlertState = (typeof ALERT_STATES)[number];
