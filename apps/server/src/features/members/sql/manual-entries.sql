-- Writes the statement row, if there is one, the audit row and the live event of manual entries made on the command
-- line.
create or replace function write_manual_entry(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed manual_entry_row[];
begin
  select array_agg(r::manual_entry_row) into parsed from unnest(_rows) r;
  perform statement_add(array_agg((p).statement), _now) from unnest(parsed) p where ((p).statement).id is not null;
  insert into audit (at, actor, action, subject, after, reason)
    select _now, p.actor, p.action, p.subject,
      jsonb_build_object('amount', (p.statement).amount, 'id', (p.statement).id), p.reason
    from unnest(parsed) p;
  perform outbox_money(array_agg(((p).statement).member_id), array_agg(null::jsonb), _now) from unnest(parsed) p;
end $$;

-- Rejects an operator's manual entry with the refusal of its approval, and a credit with that of their limits.
create or replace function guard_operator_entry(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_entry_row;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_entry_row;
    refusals := array_append(refusals, coalesce(operator_refusal(item.action),
      case when item.direction = 'credit' then operator_limit_refusal(
        item.action, 'credit', (item.statement).member_id, (item.statement).amount,
        'entry:' || coalesce((item.action).approval_id, item.key) || ':' || (item.statement).amount)
      end));
  end loop;
  return refusals;
end $$;

-- Writes operators' manual entries with their statement rows and live events, in the name of the operator who
-- requested approval where there was one, and records the operators' actions.
create or replace function write_operator_entry(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed operator_entry_row[];
begin
  select array_agg(u.row::operator_entry_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  insert into manual_entry (
      id, member_id, operator_id, key, direction, category, amount, reason, approval_id, entry_id, created_at)
    select (p.statement).id, (p.statement).member_id, coalesce(a.maker_id, (p.action).operator_id), p.key,
      p.direction,
      p.category, (p.statement).amount, (p.action).reason, (p.action).approval_id, e.id, _now
    from unnest(parsed) with ordinality p
    join unnest(_entries) with ordinality e(id, position) on e.position = p.ordinality
    left join approval a on a.id = (p.action).approval_id;
  perform statement_add(array_agg((p).statement), _now) from unnest(parsed) p;
  perform operator_write(array_agg(p.action), _now) from unnest(parsed) p;
  perform outbox_money(array_agg(((p).statement).member_id), array_agg(null::jsonb), _now) from unnest(parsed) p;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('manual_entry', null, 'write_manual_entry'),
  ('operator_entry', 'guard_operator_entry', 'write_operator_entry')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
