-- Rejects a game transfer with INTENT_ENDED when its intent was ended before it began, with BONUS_REMAINING when it
-- would bring money into a game that the active run does not allow, and with RATE_CHANGED when its amount does not
-- follow from the rate of the game account. Locks the game accounts, so that the rate stays until the transfer is
-- written.
create or replace function guard_transfer_intent(_rows text[]) returns text[] language plpgsql as $$
declare
  parsed transfer_intent_row[];
  refusals text[];
begin
  select array_agg(u.text::transfer_intent_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(text, position);
  with rates as (
    select g.member_id, g.slot_code,
      g.rate_micro::numeric / case m.currency when 'LAK' then 100000000 else 1000000 end as worth
    from game_account g
    join member m on m.id = g.member_id
    where (g.member_id, g.slot_code) in (select p.member_id, p.slot_code from unnest(parsed) p)
    order by g.member_id, g.slot_code
    for share of g
  )
  select array_agg(case
      when exists (select 1 from ended_intent e where e.id = p.id) then 'INTENT_ENDED'
      when p.direction = 'IN' and exists (
        select 1
        from bonus_run b
        where b.member_id = p.member_id and b.state = 'ACTIVE' and not bonus_takes(b.games, p.slot_code)
      ) then 'BONUS_REMAINING'
      when p.amount <> case p.direction
        when 'IN' then ceil(p.credits * r.worth)
        else floor(p.credits * r.worth)
      end then 'RATE_CHANGED'
    end order by p.ordinality)
    into refusals
    from unnest(parsed) with ordinality p
    left join rates r on r.member_id = p.member_id and r.slot_code = p.slot_code;
  return refusals;
end $$;

-- Writes the transfers as RESERVED, with their statement rows.
create or replace function write_transfer_intent(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed transfer_intent_row[];
begin
  select array_agg(u.row::transfer_intent_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  insert into provider_transfer (
      id, member_id, slot_code, direction, amount, credits, state, created_at, touched_at)
    select p.id, p.member_id, p.slot_code, p.direction, p.amount, p.credits, 'RESERVED', _now, _now
    from unnest(parsed) p;
  perform statement_add(array_agg((
      p.member_id, p.id, 'transfer', 'PENDING',
      case p.direction when 'IN' then 'wallet' else p.slot_code end,
      case p.direction when 'IN' then p.slot_code else 'wallet' end,
      p.amount)::statement_row), _now)
    from unnest(parsed) p;
end $$;

-- Ends the transfers as DONE or FAILED and writes their statement rows and live events. A done transfer also changes
-- the last known credits of the game account.
create or replace function write_transfer_end(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed transfer_end_row[];
begin
  select array_agg(u.row::transfer_end_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  update provider_transfer t set state = p.state, touched_at = _now from unnest(parsed) p where t.id = p.id;
  update game_account g
    set credits = greatest(g.credits + moved.credits, 0)
    from (
      select p.member_id, p.slot_code,
        sum(case p.direction when 'IN' then p.credits else -p.credits end)::bigint as credits
      from unnest(parsed) p
      where p.state = 'DONE'
      group by 1, 2
    ) moved
    where g.member_id = moved.member_id and g.slot_code = moved.slot_code;
  perform statement_set(array_agg(p.id), 'SUCCESS', _now) from unnest(parsed) p where p.state = 'DONE';
  perform statement_set(array_agg(p.id), 'FAILED', _now) from unnest(parsed) p where p.state = 'FAILED';
  perform outbox_money(
      array_agg(p.member_id),
      array_agg(jsonb_build_object(
        'kind', 'transfer', 'id', p.id, 'status', case p.state when 'DONE' then 'SUCCESS' else 'FAILED' end,
        'minor', p.amount)),
      _now)
    from unnest(parsed) p;
end $$;

-- Rejects an operator's settlement of a transfer with ROW_CHANGED when it has ended already, else with the refusal of
-- the approval. Locks the transfer.
create or replace function guard_operator_transfer(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_transfer_row;
  refusals text[] := '{}';
  refusal text;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_transfer_row;
    perform 1
      from provider_transfer t
      where t.id = (item.ending).id and t.state in ('RESERVED', 'UNKNOWN')
      for update;
    refusal := case when found then null else 'ROW_CHANGED' end;
    refusals := array_append(refusals, coalesce(refusal, operator_refusal(item.action)));
  end loop;
  return refusals;
end $$;

-- Ends the transfers and records the operators' actions.
create or replace function write_operator_transfer(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed operator_transfer_row[];
begin
  select array_agg(u.row::operator_transfer_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  perform operator_write(array_agg(p.action), _now) from unnest(parsed) p;
  perform write_transfer_end(array_agg((p.ending)::text order by ordinality), _entries, _now)
    from unnest(parsed) with ordinality p;
end $$;

-- Gives an ended transfer the next number of the game_turn sequence, which orders it among the balance readings.
create or replace function transfer_takes_turn() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
as $$
begin
  new.ended_turn := nextval('game_turn');
  return new;
end $$;

-- Notifies consoles of transfers whose outcome becomes unknown or is settled.
create or replace trigger console_changed
  after update of state on provider_transfer
  for each row when (old.state is distinct from new.state and 'UNKNOWN' in (old.state, new.state))
  execute function console_changed('transfers');

-- Alerts operators to a transfer whose outcome is unknown.
create or replace trigger console_arrived
  after update of state on provider_transfer
  for each row when (old.state <> 'UNKNOWN' and new.state = 'UNKNOWN')
  execute function console_arrived('transfers');

-- Ends the alert about a transfer whose outcome is known.
create or replace trigger alert_cause_gone
  after update of state on provider_transfer
  for each row when (old.state = 'UNKNOWN' and new.state in ('DONE', 'FAILED'))
  execute function alert_cause_gone('transfer-unknown', 'transfer', 'id');

-- Lets operators' requests to settle a transfer lapse once its outcome is known.
create or replace trigger requests_lapse
  after update of state on provider_transfer
  for each row when (old.state = 'UNKNOWN' and new.state in ('DONE', 'FAILED'))
  execute function requests_lapse('transfer');

-- Watches failed transfers, in case the provider carried them out after all.
create or replace trigger begin_watch
  before update on provider_transfer
  for each row when (new.state = 'FAILED' and old.state <> 'FAILED')
  execute function begin_watch();

-- Numbers each transfer when it ends.
create or replace trigger transfer_takes_turn
  before update of state on provider_transfer
  for each row when (new.state in ('DONE', 'FAILED') and old.state is distinct from new.state)
  execute function transfer_takes_turn();

insert into ledger_companion (name, guard_function, write_function) values
  ('transfer_intent', 'guard_transfer_intent', 'write_transfer_intent'),
  ('transfer_end', null, 'write_transfer_end'),
  ('operator_transfer', 'guard_operator_transfer', 'write_operator_transfer')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
