-- Writes the live events of a movement to the outbox: once for each member the wallet's balance and version, and
-- every notice that is not null. Notice i belongs to member i.
create or replace function outbox_money(_members bigint[], _notices jsonb[], _now timestamptz)
returns void language sql as $$
  insert into outbox (member_id, event, payload, created_at)
    select distinct m.id, 'wallet',
      jsonb_build_object('balance', a.balance, 'version', a.version, 'currency', m.currency), _now
    from unnest(_members) u(id)
    join member m on m.id = u.id
    join ledger_account a on a.id = m.wallet_account
  union all
    select u.id, 'notice', u.notice, _now
    from unnest(_members, _notices) u(id, notice)
    where u.notice is not null
$$;
