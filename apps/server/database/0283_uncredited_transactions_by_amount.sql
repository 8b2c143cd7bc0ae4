-- Finds bank transactions that are not credited by bank, amount and time: what may repeat one waits for an operator
-- Takes as long as one scan of the table; it waits meanwhile.

create index bank_transaction_uncredited_fit on bank_transaction (bank_code, amount, paid_at)
  where state <> 'CREDITED';
