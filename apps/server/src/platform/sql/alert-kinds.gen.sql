-- Returns whether a kind of alert is in the list of packages/contract. Written by `npm run fix`.
create or replace function is_alert_kind(_kind text) returns boolean language sql immutable as $$
  select _kind in (
    'bonus-stuck',
    'credit-low',
    'feed-silent',
    'gift-contradicts',
    'gift-taken-elsewhere',
    'gift-unknown',
    'invite-reversed',
    'notification-differs',
    'payment-unreadable',
    'payout-contradicts',
    'payout-unknown',
    'payouts-paused',
    'player-taken',
    'reconciliation',
    'reconciliation-silent',
    'risk-score',
    'slip-review',
    'transfer-contradicts',
    'transfer-unclear',
    'transfer-unknown',
    'webhook-failing',
    'wrong-codes'
  )
$$;
