-- Whatever a setting says, a deposit is credited: numbers beyond what an invite can mean are taken for the nearest that it can.
create or replace function invite_terms(_currency text, out is_open boolean, out percent integer, out most numeric, out times integer,
  out bar_device boolean, out bar_address boolean) language sql stable as $$
  select setting_value('invite.active', 'true')::boolean, least(setting_value('invite.percent', '5')::numeric, 100)::integer,
    least((setting_value('invite.most', '{"BAHT": 500, "LAK": 350000}') ->> _currency)::numeric, 1e12),
    least(setting_value('invite.betTimes', '3')::numeric, 1000)::integer,
    setting_value('invite.barDevice', 'true')::boolean, setting_value('invite.barAddress', 'true')::boolean
$$;

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

-- What two members have in common that makes them look like one; null: nothing. A device is the same browser at the
-- same address.
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

-- A deposit taken back takes its share with it. What was received by then stays with the member, and operators hear of it.
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

create or replace function guard_invite_grant(_rows text[]) returns text[] language plpgsql as $$
declare r invite_grant_row; said text[] := '{}'; code text; n int; total bigint; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::invite_grant_row;
    code := (guard_bonus_start(array[(r.run)::text]))[1];
    if code is null then
      -- Locked, so that nothing becomes of them until they are written.
      with kept as (
        select c.amount from invite_credit c
        where c.id = any(r.credits) and c.inviter_id = (r.run).member_id and c.state = 'READY' for update
      )
      select count(*), sum(amount) into n, total from kept;
      if n <> cardinality(r.credits) or total is distinct from (r.run).granted then code := 'STALE'; end if;
    end if;
    said := array_append(said, code);
  end loop;
  return said;
end $$;

create or replace function write_invite_grant(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r invite_grant_row; n int; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::invite_grant_row;
    perform write_bonus_start(array[(r.run)::text], array[_entries[i]], _now);
    update invite_credit set state = 'RECEIVED', run_id = (r.run).id, received_at = _now where id = any(r.credits) and state = 'READY';
    get diagnostics n = row_count;
    -- A deposit behind one of them was taken back in this very batch: it is done anew, one by one.
    if n <> cardinality(r.credits) then raise exception 'credits of % changed', (r.run).id; end if;
  end loop;
end $$;

create or replace trigger deposit_invites
  after insert on deposit referencing new table as added for each statement
  execute function deposit_invites();
create or replace trigger reversal_invites
  after insert on reversal for each row
  execute function reversal_invites();

insert into ledger_companion (name, guard_function, write_function) values
  ('invite_grant', 'guard_invite_grant', 'write_invite_grant')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
