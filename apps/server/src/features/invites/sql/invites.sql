-- Returns the invite terms of a currency: percent of the deposit, most in whole units of currency, and bets as a
-- multiple of the deposit. Values above their bounds are reduced to them, so that no setting can make a deposit fail.
create or replace function invite_terms(
  _currency text,
  out is_open boolean, out percent integer, out most numeric, out times integer, out bar_device boolean,
  out bar_address boolean
) language sql stable as $$
  select
    setting_value('invite.active', 'true')::boolean,
    least(setting_value('invite.percent', '5')::numeric, 100)::integer,
    least((setting_value('invite.most', '{"BAHT": 500, "LAK": 350000}') ->> _currency)::numeric, 1e12),
    least(setting_value('invite.betTimes', '3')::numeric, 1000)::integer,
    setting_value('invite.barDevice', 'true')::boolean,
    setting_value('invite.barAddress', 'true')::boolean
$$;

-- Writes the invite credit for an invited member's first deposit, barred where the two members look like one person,
-- their currencies differ or the share is less than a minor unit. Writes none while invites are off, while a credit
-- of the member stands, or once the inviter's account is closed. The terms are those of now, and bets count since the
-- deposit. Sends the inviter a live event of the credit, never of the deposit itself.
create or replace function invite_accrue(_first deposit, _now timestamptz) returns void language plpgsql as $$
declare
  invited record;
  terms record;
  share bigint;
  bar_reason text;
  credit_id bigint;
begin
  select m.inviter_id, m.currency, i.currency as inviter_currency,
      case m.currency when 'LAK' then 1 else 100 end as unit
    into invited
    from member m
    join member i on i.id = m.inviter_id and i.status <> 'CLOSED'
    where m.id = _first.member_id;
  if not found then return; end if;
  select * into terms from invite_terms(invited.currency);
  if not terms.is_open then return; end if;
  share := least(floor(_first.amount * terms.percent / 100.0), floor(terms.most * invited.unit));
  bar_reason := case
    when invited.currency <> invited.inviter_currency then 'CURRENCY'
    else invite_shared(
      invited.inviter_id, _first.member_id, terms.bar_device, terms.bar_address,
      _first.created_at - interval '90 days')
  end;
  if bar_reason is null and share <= 0 then bar_reason := 'SMALL'; end if;
  insert into invite_credit (
      inviter_id, invitee_id, deposit_id, deposited, amount, needed, state, reason, created_at)
    values (
      invited.inviter_id, _first.member_id, _first.id, _first.amount, greatest(share, 0), _first.amount * terms.times,
      case when bar_reason is null then 'ACCRUED' else 'BARRED' end, bar_reason, _first.created_at)
    on conflict (invitee_id) where state <> 'REVERSED' do nothing
    returning id into credit_id;
  if found and bar_reason is null then
    perform outbox_money(array[invited.inviter_id], array[jsonb_build_object(
      'kind', 'invite', 'id', credit_id::text, 'status', 'PENDING', 'minor', share)], _now);
  end if;
end $$;

-- Writes the invite credits of added deposits that are the first of their members.
create or replace function deposit_invites() returns trigger language plpgsql as $$
declare
  first_deposit deposit;
begin
  for first_deposit in
    select n.*
    from added n
    join member m on m.id = n.member_id
    where m.inviter_id is not null
      and not exists (select 1 from invite_credit c where c.invitee_id = n.member_id and c.state <> 'REVERSED')
      and not exists (
        select 1
        from deposit o
        where o.member_id = n.member_id and o.entry_id < n.entry_id and o.reversal_id is null)
    order by n.entry_id
  loop
    perform invite_accrue(first_deposit, first_deposit.created_at);
  end loop;
  return null;
end $$;

-- Returns what makes two members look like one person: the same bank account, or, where the terms bar it, a login
-- since `_since` from the same device or public address; null when nothing does. A device is the same browser at the
-- same address.
create or replace function invite_shared(
  _one bigint, _other bigint, _device boolean, _address boolean, _since timestamptz
) returns text language sql stable as $$
  select case
    when exists (
      select 1
      from bank_account a
      join bank_account b on b.bank_code = a.bank_code and b.account_no_fingerprint = a.account_no_fingerprint
      where a.member_id = _one and b.member_id = _other
    ) then 'ACCOUNT'
    when _device and exists (
      select 1
      from session a
      join session b on b.address = a.address and b.user_agent = a.user_agent
      where a.member_id = _one and b.member_id = _other and a.created_at > _since and b.created_at > _since
        and is_outside(a.address)
    ) then 'DEVICE'
    when _address and exists (
      select 1
      from session a
      join session b on b.address = a.address
      where a.member_id = _one and b.member_id = _other and a.created_at > _since and b.created_at > _since
        and is_outside(a.address)
    ) then 'ADDRESS'
  end
$$;

-- Cancels the invite credit of a reversed deposit, barred or not, and sends the inviter a live event when a share is
-- gone. The member's earliest deposit that stands is then the first. A credit that was received already stays with
-- the inviter and opens an alert for operators.
create or replace function reversal_invites() returns trigger language plpgsql as $$
declare
  was_barred boolean;
  credit invite_credit;
  first_deposit deposit;
begin
  select c.state = 'BARRED' into was_barred from invite_credit c where c.deposit_id = new.deposit_id for update;
  if not found then return null; end if;
  update invite_credit
    set state = case state when 'RECEIVED' then 'RECEIVED' else 'REVERSED' end, reason = null,
      reversed_at = new.created_at
    where deposit_id = new.deposit_id
    returning * into credit;
  if credit.state = 'RECEIVED' then
    perform alert_open('invite-reversed', 'member:' || credit.inviter_id, credit.deposit_id, new.created_at);
    return null;
  end if;
  if not was_barred then
    perform outbox_money(array[credit.inviter_id], array[jsonb_build_object(
      'kind', 'invite', 'id', credit.id::text, 'status', 'FAILED', 'minor', credit.amount)], new.created_at);
  end if;
  select d.*
    into first_deposit
    from deposit d
    where d.member_id = new.member_id and d.reversal_id is null and d.id <> new.deposit_id
    order by d.entry_id
    limit 1;
  if found then perform invite_accrue(first_deposit, new.created_at); end if;
  return null;
end $$;

-- Rejects the receipt of invite credits: with the refusal of guard_bonus_start, else with STALE when a credit is not
-- ready, a reversal of its deposit is requested, or they do not add up to the granted amount.
create or replace function guard_invite_grant(_rows text[]) returns text[] language plpgsql as $$
declare
  item invite_grant_row;
  refusals text[] := '{}';
  refusal text;
  ready_count int;
  total bigint;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::invite_grant_row;
    refusal := (guard_bonus_start(array[(item.run)::text]))[1];
    if refusal is null then
      -- Locked until they are written, so that no other transaction changes them.
      with kept as (
        select c.amount
        from invite_credit c
        where c.id = any(item.credits) and c.inviter_id = (item.run).member_id and c.state = 'READY'
          and not reversal_requested(c.deposit_id)
        for update
      )
      select count(*), sum(amount) into ready_count, total from kept;
      if ready_count <> cardinality(item.credits) or total is distinct from (item.run).granted then
        refusal := 'STALE';
      end if;
    end if;
    refusals := array_append(refusals, refusal);
  end loop;
  return refusals;
end $$;

-- Starts the runs or plain grants and marks their invite credits as received.
create or replace function write_invite_grant(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item invite_grant_row;
  received_count int;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::invite_grant_row;
    perform write_bonus_start(array[(item.run)::text], array[_entries[i]], _now);
    update invite_credit
      set state = 'RECEIVED', run_id = (item.run).id, received_at = _now
      where id = any(item.credits) and state = 'READY';
    get diagnostics received_count = row_count;
    -- The deposit of one of them was reversed in this same batch: the batch fails and its items are posted one by
    -- one.
    if received_count <> cardinality(item.credits) then raise exception 'credits of % changed', (item.run).id; end if;
  end loop;
end $$;

-- Writes invite credits for the deposits of one statement.
create or replace trigger deposit_invites
  after insert on deposit referencing new table as added for each statement
  execute function deposit_invites();

-- Cancels the invite credit of a reversed deposit and judges the one that is then the first.
create or replace trigger reversal_invites
  after insert on reversal for each row
  execute function reversal_invites();

insert into ledger_companion (name, guard_function, write_function) values
  ('invite_grant', 'guard_invite_grant', 'write_invite_grant')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
