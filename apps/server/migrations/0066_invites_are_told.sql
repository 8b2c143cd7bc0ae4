-- Inviters are told of their own credit, not of a friend's deposit.

create or replace function deposit_invites() returns trigger language plpgsql as $$
declare d record; t record; share bigint; shared text; credit bigint;
begin
  for d in
    select n.id, n.member_id, n.amount, n.created_at, m.inviter_id, m.currency, i.currency as inviter_currency,
      case m.currency when 'LAK' then 1 else 100 end as unit
    from added n join member m on m.id = n.member_id join member i on i.id = m.inviter_id
    where not exists (select 1 from invite_credit c where c.invitee_id = n.member_id and c.state <> 'REVERSED')
      and not exists (select 1 from deposit o where o.member_id = n.member_id and o.entry_id < n.entry_id and o.reversal_id is null)
    order by n.entry_id
  loop
    select * into t from invite_terms(d.currency);
    continue when not t.is_open;
    share := least(floor(d.amount * t.percent / 100.0), floor(t.most * d.unit));
    shared := case when d.currency <> d.inviter_currency then 'CURRENCY'
      else invite_shared(d.inviter_id, d.member_id, t.bar_device, t.bar_address, d.created_at - interval '90 days') end;
    if shared is null and share <= 0 then shared := 'SMALL'; end if;
    insert into invite_credit (inviter_id, invitee_id, deposit_id, deposited, amount, needed, state, reason, created_at)
      values (d.inviter_id, d.member_id, d.id, d.amount, greatest(share, 0), d.amount * t.times,
        case when shared is null then 'ACCRUED' else 'BARRED' end, shared, d.created_at)
      on conflict (invitee_id) where state <> 'REVERSED' do nothing returning id into credit;
    if found and shared is null then
      perform outbox_money(array[d.inviter_id], array[jsonb_build_object('kind', 'invite', 'id', credit::text, 'status', 'PENDING', 'minor', share)], d.created_at);
    end if;
  end loop;
  return null;
end $$;

create or replace function reversal_invites() returns trigger language plpgsql as $$
declare c invite_credit;
begin
  update invite_credit set state = case state when 'RECEIVED' then 'RECEIVED' when 'BARRED' then 'BARRED' else 'REVERSED' end, reversed_at = new.created_at
    where deposit_id = new.deposit_id returning * into c;
  if c.state = 'RECEIVED' then
    insert into alert (kind, thing, detail, opened_at)
      values ('invite-reversed', 'member:' || c.inviter_id, c.deposit_id, new.created_at)
      on conflict (kind, thing) where closed_at is null do nothing;
  elsif c.state = 'REVERSED' then
    perform outbox_money(array[c.inviter_id], array[jsonb_build_object('kind', 'invite', 'id', c.id::text, 'status', 'FAILED', 'minor', c.amount)], new.created_at);
  end if;
  return null;
end $$;

-- An address of a private network or of this machine is a proxy's that nobody declared: it tells members apart as little
-- as it tells them together.
create function is_outside(_address text) returns boolean language sql immutable as $$
  select _address !~* '^(::ffff:)?(127\.|10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.|169\.254\.)|^::1$|^f[cd][0-9a-f]{2}:|^fe80:'
$$;
create or replace function invite_shared(_one bigint, _other bigint, _device boolean, _address boolean, _since timestamptz)
returns text language sql stable as $$
  select case
    when exists (select 1 from bank_account a join bank_account b on b.bank_code = a.bank_code
        and b.account_no_fingerprint = a.account_no_fingerprint where a.member_id = _one and b.member_id = _other) then 'ACCOUNT'
    when _device and exists (select 1 from session a join session b on b.address = a.address and b.user_agent = a.user_agent
        where a.member_id = _one and b.member_id = _other and a.created_at > _since and b.created_at > _since and is_outside(a.address)) then 'DEVICE'
    when _address and exists (select 1 from session a join session b on b.address = a.address
        where a.member_id = _one and b.member_id = _other and a.created_at > _since and b.created_at > _since and is_outside(a.address)) then 'ADDRESS'
  end
$$;
