-- Returns whether payments of QRs into an account are seen. QRs in kip carry no reference and have no inquiry: they
-- are seen only in the statement of the account.
create or replace function qr_is_watched(_currency text, _bank text, _account text)
returns boolean language sql stable as $$
  select _currency <> 'LAK' or exists (
    select from deposit_account a
    where a.bank_code = _bank and a.account_no = _account and a.mode = 'AUTO' and a.is_open)
$$;

-- Returns the amount in minor units that an account has received since midnight in Bangkok, without returned
-- transactions. Only the index of arrivals serves this comparison: with one of the columns the planner would at times
-- read all transactions of the day or of the bank.
create or replace function arrived_today(_bank text, _account text, _now timestamptz)
returns bigint language sql stable as $$
  select coalesce(sum(b.amount), 0)::bigint
  from bank_transaction b
  where (b.bank_code || ':' || coalesce(b.account_no, ''), b.paid_at)
      >= (_bank || ':' || _account, date_trunc('day', _now at time zone 'Asia/Bangkok') at time zone 'Asia/Bangkok')
    and b.bank_code || ':' || coalesce(b.account_no, '') <= _bank || ':' || _account
    and b.state <> 'RETURNED'
$$;

-- Notifies member apps that there is another account to pay into, or that one is paused, closed or open again.
create or replace trigger site_changed
  after insert or update of is_open, is_paused, "position" on deposit_account for each statement
  execute function site_changed('settings');
