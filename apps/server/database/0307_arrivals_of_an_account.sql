-- What an account received today, for its ceiling
create index bank_transaction_arrived on bank_transaction ((bank_code || ':' || coalesce(account_no, '')), paid_at)
  include (amount, state, bank_code, account_no);
