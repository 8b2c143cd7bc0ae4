-- Finds the payouts of a member whose return was booked without a bank transaction: a transfer may be their money
-- Takes as long as one scan of the table, which has one row for each returned payout.

create index payout_return_member on payout_return (member_id) where bank_transaction_id is null;
