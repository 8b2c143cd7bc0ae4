-- Returns the amount in minor units that an account has received since midnight in Bangkok, without returned
-- transactions.
create or replace function arrived_today(_bank text, _account text, _now timestamptz)
returns bigint language sql stable as $$
  select coalesce(sum(l.amount), 0)::bigint
  from bank_line l
  where l.bank_code = _bank and coalesce(l.account_no, '') = _account and l.state <> 'RETURNED'
    and l.paid_at >= date_trunc('day', _now at time zone 'Asia/Bangkok') at time zone 'Asia/Bangkok'
$$;
