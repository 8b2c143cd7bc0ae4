-- Rejects a gift redemption with TRUELINK_DUPLICATE when the voucher was redeemed or may have been.
create or replace function guard_gift_intent(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (
      select 1 from gift_redemption g where g.code = (r.row).code and g.state <> 'FAILED'
    ) then 'TRUELINK_DUPLICATE' end order by r.position)
  from (
    select u.text::gift_intent_row as row, u.position
    from unnest(_rows) with ordinality u(text, position)
  ) r
$$;

-- Writes the redemptions as SENT, with their statement rows, before the gift service is called.
create or replace function write_gift_intent(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed gift_intent_row[];
begin
  select array_agg(u.row::gift_intent_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  insert into gift_redemption (id, member_id, code, state, expected, created_at)
    select p.id, p.member_id, p.code, 'SENT', p.expected, _now
    from unnest(parsed) p;
  perform statement_add(
      array_agg((p.member_id, p.id, 'deposit', 'PENDING', 'gift', 'wallet', p.expected)::statement_row), _now)
    from unnest(parsed) p;
end $$;

-- Rejects the end of a redemption with REQUEST_LIMIT when it has ended already, so that it ends exactly once.
create or replace function guard_gift_end(_rows text[]) returns text[] language sql as $$
  select array_agg(case when g.state not in ('SENT', 'UNKNOWN') then 'REQUEST_LIMIT' end order by r.position)
  from (
    select u.text::gift_end_row as row, u.position
    from unnest(_rows) with ordinality u(text, position)
  ) r
  join gift_redemption g on g.id = (r.row).id
$$;

-- Ends the redemptions as DONE or FAILED and writes their statement rows and live events. A done one becomes a
-- deposit.
create or replace function write_gift_end(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed gift_end_row[];
begin
  select array_agg(u.row::gift_end_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  update gift_redemption g
    set state = p.state, amount = p.amount, reason = p.reason
    from unnest(parsed) p
    where g.id = p.id;
  insert into deposit (
      id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
    select p.id, p.member_id, 'GIFT', 'gift', p.code, p.amount, false, e.id, _now
    from unnest(parsed) with ordinality p
    join unnest(_entries) with ordinality e(id, position) on e.position = p.ordinality
    where p.state = 'DONE';
  update statement s set amount = p.amount from unnest(parsed) p where s.id = p.id and p.state = 'DONE';
  perform statement_set(array_agg(p.id), 'SUCCESS', _now) from unnest(parsed) p where p.state = 'DONE';
  perform statement_set(array_agg(p.id), 'FAILED', _now) from unnest(parsed) p where p.state = 'FAILED';
  perform outbox_money(
      array_agg(p.member_id),
      array_agg(jsonb_build_object(
        'kind', 'deposit', 'id', p.id, 'status', case p.state when 'DONE' then 'SUCCESS' else 'FAILED' end,
        'minor', coalesce(p.amount, g.expected))),
      _now)
    from unnest(parsed) p
    join gift_redemption g on g.id = p.id;
end $$;

-- Rejects an operator's settlement of a redemption with ROW_CHANGED when it has ended already, else with the refusal
-- of the approval. Locks the redemption.
create or replace function guard_operator_gift(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_gift_row;
  refusals text[] := '{}';
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_gift_row;
    perform 1 from gift_redemption g where g.id = (item.ending).id and g.state in ('SENT', 'UNKNOWN') for update;
    refusal := case when found then null else 'ROW_CHANGED' end;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action)));
  end loop;
  return refusals;
end $$;

-- Records the operators' actions and ends the redemptions.
create or replace function write_operator_gift(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed operator_gift_row[];
begin
  select array_agg(u.row::operator_gift_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  perform operator_write(array_agg(p.action), _now) from unnest(parsed) p;
  perform write_gift_end(array_agg((p.ending)::text order by ordinality), _entries, _now)
    from unnest(parsed) with ordinality p;
end $$;

-- Notifies consoles of redemptions whose outcome becomes unknown or is settled.
create or replace trigger console_changed
  after update of state on gift_redemption
  for each row when (old.state is distinct from new.state and 'UNKNOWN' in (old.state, new.state))
  execute function console_changed('deposits');

-- Lets operators' requests to settle a redemption lapse once its outcome is known.
create or replace trigger requests_lapse
  after update of state on gift_redemption
  for each row when (old.state is distinct from new.state and new.state in ('DONE', 'FAILED'))
  execute function requests_lapse('gift');

-- Ends the alert about a redemption whose outcome is known.
create or replace trigger alert_cause_gone
  after update of state on gift_redemption
  for each row when (old.state is distinct from new.state and new.state in ('DONE', 'FAILED'))
  execute function alert_cause_gone('gift-unknown', 'gift', 'id');

-- Watches failed redemptions, in case the voucher was redeemed after all.
create or replace trigger begin_watch
  before update on gift_redemption
  for each row when (new.state = 'FAILED' and old.state <> 'FAILED')
  execute function begin_watch();

insert into ledger_companion (name, guard_function, write_function) values
  ('gift_intent', 'guard_gift_intent', 'write_gift_intent'),
  ('gift_end', 'guard_gift_end', 'write_gift_end'),
  ('operator_gift', 'guard_operator_gift', 'write_operator_gift')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
