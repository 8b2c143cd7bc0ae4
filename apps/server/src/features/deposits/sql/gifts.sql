create or replace function guard_gift_intent(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (
      select 1 from gift_redemption g where g.code = (r.row).code and g.state <> 'FAILED'
    ) then 'TRUELINK_DUPLICATE' end order by r.o)
  from (select u.text::gift_intent_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

create or replace function write_gift_intent(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed gift_intent_row[];
begin
  select array_agg(r::gift_intent_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  insert into gift_redemption (id, member_id, code, state, expected, created_at)
    select p.id, p.member_id, p.code, 'SENT', p.expected, _now from unnest(parsed) p;
  perform statement_add(array_agg((p.member_id, p.id, 'deposit', 'PENDING', 'gift', 'wallet', p.expected)::statement_row), _now)
    from unnest(parsed) p;
end $$;

-- An attempt ends once, whoever learns its end first.
create or replace function guard_gift_end(_rows text[]) returns text[] language sql as $$
  select array_agg(case when g.state not in ('SENT', 'UNKNOWN') then 'REQUEST_LIMIT' end order by r.o)
  from (select u.text::gift_end_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
  join gift_redemption g on g.id = (r.row).id
$$;

create or replace function write_gift_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed gift_end_row[];
begin
  select array_agg(r::gift_end_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  update gift_redemption g set state = p.state, amount = p.amount, reason = p.reason from unnest(parsed) p where g.id = p.id;
  insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
    select p.id, p.member_id, 'GIFT', 'gift', p.code, p.amount, false, e.id, _now
    from unnest(parsed) with ordinality p join unnest(_entries) with ordinality e(id, o) on e.o = p.ordinality where p.state = 'DONE';
  update statement s set amount = p.amount from unnest(parsed) p where s.id = p.id and p.state = 'DONE';
  perform statement_set(array_agg(p.id), 'SUCCESS', _now) from unnest(parsed) p where p.state = 'DONE';
  perform statement_set(array_agg(p.id), 'FAILED', _now) from unnest(parsed) p where p.state = 'FAILED';
  perform outbox_money(array_agg(p.member_id), array_agg(jsonb_build_object('kind', 'deposit', 'id', p.id,
      'status', case p.state when 'DONE' then 'SUCCESS' else 'FAILED' end, 'minor', coalesce(p.amount, g.expected))), _now)
    from unnest(parsed) p join gift_redemption g on g.id = p.id;
end $$;

create or replace function guard_desk_gift(_rows text[]) returns text[] language plpgsql as $$
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

create or replace function write_desk_gift(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed desk_gift_row[];
begin
  select array_agg(r::desk_gift_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  perform write_gift_end(array_agg((p.ending)::text order by ordinality), _entries, _now) from unnest(parsed) with ordinality p;
  update alert set closed_at = _now from unnest(parsed) p where kind = 'gift-unknown' and thing = 'gift:' || (p.ending).id and closed_at is null;
  perform desk_write(array_agg(p.act), _now) from unnest(parsed) p;
  perform desk_ended(array_agg('gift:' || (p.ending).id)) from unnest(parsed) p;
end $$;

create or replace trigger desk_changed
  after update of state on gift_redemption
  for each row when (old.state is distinct from new.state and 'UNKNOWN' in (old.state, new.state))
  execute function desk_changed('deposits');
create or replace trigger begin_watch
  before update on gift_redemption
  for each row when (new.state = 'FAILED' and old.state <> 'FAILED')
  execute function begin_watch();

insert into ledger_companion (name, guard_function, write_function) values
  ('gift_intent', 'guard_gift_intent', 'write_gift_intent'),
  ('gift_end', 'guard_gift_end', 'write_gift_end'),
  ('desk_gift', 'guard_desk_gift', 'write_desk_gift')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
