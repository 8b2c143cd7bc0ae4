-- Operators ask a game for its balance, and settle gifts whose answer was lost; what was paid in to a watched wallet
-- is found by the sender's phone; a report that a bank line explains is called by its bank.

create type desk_reading_row as (act desk_act_row, reading game_result_row);
create type desk_gift_row as (act desk_act_row, ending gift_end_row);

create function guard_desk_reading(_rows text[]) returns text[] language sql as $$
  select guard_game_result(array_agg(((u.text::desk_reading_row).reading)::text order by u.o)) from unnest(_rows) with ordinality u(text, o)
$$;

create function write_desk_reading(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed desk_reading_row[];
begin
  select array_agg(r::desk_reading_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  perform write_game_result(array_agg((p.reading)::text order by ordinality), _entries, _now) from unnest(parsed) with ordinality p;
  perform desk_write(array_agg(p.act), _now) from unnest(parsed) p;
end $$;

create function guard_desk_gift(_rows text[]) returns text[] language plpgsql as $$
declare r desk_gift_row; said text[] := '{}'; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_gift_row;
    perform 1 from gift_redemption g where g.id = (r.ending).id and g.state in ('SENT', 'UNKNOWN') for update;
    code := case when found then null else 'ROW_CHANGED' end;
    said := array_append(said, coalesce(code, desk_refusal(r.act)));
  end loop;
  return said;
end $$;

create function write_desk_gift(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed desk_gift_row[];
begin
  select array_agg(r::desk_gift_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  perform write_gift_end(array_agg((p.ending)::text order by ordinality), _entries, _now) from unnest(parsed) with ordinality p;
  update alert set closed_at = _now from unnest(parsed) p where kind = 'gift-unknown' and thing = 'gift:' || (p.ending).id and closed_at is null;
  perform desk_write(array_agg(p.act), _now) from unnest(parsed) p;
  perform desk_ended(array_agg('gift:' || (p.ending).id)) from unnest(parsed) p;
end $$;

insert into ledger_companion values
  ('desk_reading', 'guard_desk_reading', 'write_desk_reading'),
  ('desk_gift', 'guard_desk_gift', 'write_desk_gift');

create trigger desk_changed after update of state on gift_redemption for each row
  when (old.state is distinct from new.state and 'UNKNOWN' in (old.state, new.state)) execute function desk_changed('deposits');

-- As before; against a line the member reads which bank the money came by.
create or replace function write_desk_report(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r desk_report_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_report_row;
    update deposit_claim set status = r.status, updated_at = _now where id = r.id;
    update statement s set source = b.bank_code from bank_line b where s.id = r.id and b.id = r.line_id;
    perform statement_set(array[r.id], r.status, _now);
    if r.line_id is not null then
      update bank_line set state = 'CREDITED' where id = r.line_id;
      insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
        select r.id, r.member_id, 'MANUAL', b.bank_code, b.bank_reference, b.amount, true, _entries[i], _now from bank_line b where b.id = r.line_id;
    elsif r.status = 'SUCCESS' then
      insert into manual_entry (id, member_id, operator_id, key, direction, category, amount, reason, approval_id, entry_id, created_at)
        select r.id, r.member_id, coalesce(a.maker_id, (r.act).operator_id), r.id, 'credit', r.category, r.amount, (r.act).reason, a.id, _entries[i], _now
        from (select 1) one left join approval a on a.id = (r.act).approval_id;
    end if;
    perform desk_write(array[r.act], _now);
    perform desk_ended(array['report:' || r.id] || case when r.line_id is null then '{}' else array['unmatched:' || r.line_id] end);
    perform outbox_money(array[r.member_id], array[jsonb_build_object('kind', 'deposit', 'id', r.id, 'status', r.status, 'minor', r.amount)], _now);
  end loop;
end $$;

-- A mobile wallet of ours whose statement is read like a bank account's; senders are known by their phones.
alter table deposit_account drop constraint deposit_account_bank_type_check;
alter table deposit_account add constraint deposit_account_bank_type_check check (bank_type in ('BANK', 'WW', 'ZAPMAN', 'WALLET'));
create index member_phone_last on member (right(phone, 4));

-- A call that died before anything moved leaves its key taken. A repeat ends it: what it had promised to move may never
-- move any more, and the key is free. Whoever comes late with a promised move is refused by the same ledger.
create table ended_wish (
  -- A transfer or withdrawal that will never be.
  id text primary key
);
create type wish_end_row as (member_id bigint, call text, key text, answer text, ids text[]);

create function guard_wish_end(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (select 1 from provider_transfer t where t.id = any((r.row).ids))
      or exists (select 1 from withdrawal w where w.id = any((r.row).ids)) then 'WISH_BEGAN' end order by r.o)
  from (select u.text::wish_end_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

create function write_wish_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed wish_end_row[];
begin
  select array_agg(r::wish_end_row) into parsed from unnest(_rows) r;
  insert into ended_wish (id) select i from unnest(parsed) p cross join unnest(p.ids) i on conflict do nothing;
  delete from idempotency k using unnest(parsed) p
    where k.member_id = p.member_id and k.call = p.call and k.key = p.key and k.state = 'RUNNING' and k.answer = p.answer;
end $$;

create function guard_transfer_intent(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (select 1 from ended_wish e where e.id = (r.row).id) then 'WISH_ENDED' end order by r.o)
  from (select u.text::transfer_intent_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

create or replace function guard_withdrawal(_rows text[]) returns text[] language sql as $$
  select array_agg(case
      when exists (select 1 from ended_wish e where e.id = (r.row).id) then 'WISH_ENDED'
      when (r.row).one_open and exists (
        select 1 from withdrawal w where w.member_id = (r.row).member_id and w.status in ('QUEUED', 'REVIEW', 'PROCESSING')
      ) then 'REQUEST_LIMIT' end order by r.o)
  from (select u.text::withdrawal_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

update ledger_companion set guard_function = 'guard_transfer_intent' where name = 'transfer_intent';
insert into ledger_companion values ('wish_end', 'guard_wish_end', 'write_wish_end');
grant select on ended_wish to krapao_app;

-- A slip credited on an operator's word must still wait for one: what another has asked about again meanwhile does not.
create function guard_transfer_accept(_rows text[]) returns text[] language plpgsql as $$
declare said text[] := guard_transfer_credit(_rows); i int;
begin
  for i in 1 .. cardinality(_rows) loop
    if said[i] is null then
      perform 1 from slip s where s.id = (_rows[i]::transfer_credit_row).slip_id and s.status = 'REVIEW' for update;
      if not found then said[i] := 'SLIP_DECIDED'; end if;
    end if;
  end loop;
  return said;
end $$;

insert into ledger_companion values ('transfer_accept', 'guard_transfer_accept', 'write_transfer_credit');
