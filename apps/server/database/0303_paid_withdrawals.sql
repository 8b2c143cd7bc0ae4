-- Withdrawals by the time of their payment, for the rows behind the figures of cash
create index withdrawal_paid on withdrawal using brin (updated_at)
  with (pages_per_range = 32) where status = 'SUCCESS';
