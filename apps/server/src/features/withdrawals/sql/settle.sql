-- Whoever asks to book by hand holds the withdrawal's row. Who has waited for that row must look with a statement of its
-- own, which sees what was committed meanwhile.
create or replace function withdrawal_by_hand_asked(_id text) returns boolean language sql stable as $$
  select exists (select 1 from approval a where a.thing = 'withdrawal:' || _id and a.action = 'withdrawal.paid' and a.state = 'PENDING')
$$;

-- An operator's no (no payout state) counts only while the withdrawal waits for one: once it is approved the bank may
-- have been asked. The row is locked, so that an approval under way is waited for. Nobody gives back what may have been
-- paid by hand.
create or replace function guard_withdrawal_end(_rows text[]) returns text[] language plpgsql as $$
declare said text[];
begin
  perform 1 from withdrawal w where w.id in (select (u.text::withdrawal_end_row).id from unnest(_rows) u(text)) order by w.id for update;
  select array_agg(case
      when (r.row).payout_state is null and w.status <> 'REVIEW' then 'REQUEST_LIMIT'
      when (r.row).status = 'FAILED' and withdrawal_by_hand_asked(w.id) then 'APPROVAL_PENDING' end order by r.o)
    into said
  from (select u.text::withdrawal_end_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
  left join withdrawal w on w.id = (r.row).id;
  return said;
end $$;

create or replace function write_withdrawal_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed withdrawal_end_row[];
begin
  select array_agg(r::withdrawal_end_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  update withdrawal w set status = p.status, reason = p.reason, updated_at = _now from unnest(parsed) p where w.id = p.id;
  update payout o set state = p.payout_state, touched_at = _now from unnest(parsed) p where o.withdrawal_id = p.id and p.payout_state is not null;
  perform statement_set(array_agg(p.id), 'SUCCESS', _now) from unnest(parsed) p where p.status = 'SUCCESS';
  perform statement_set(array_agg(p.id), 'FAILED', _now) from unnest(parsed) p where p.status = 'FAILED';
  insert into audit (at, actor, action, thing, after, reason)
    select _now, p.actor, 'withdrawal.' || lower(p.status), 'withdrawal:' || p.id, jsonb_build_object('amount', p.amount), p.reason from unnest(parsed) p;
  perform outbox_money(array_agg(p.member_id), array_agg(jsonb_build_object('kind', 'withdraw', 'id', p.id, 'status', p.status, 'minor', p.amount)), _now)
    from unnest(parsed) p;
end $$;

-- The withdrawal must still be as the operator saw it. What the bank may still pay is booked by hand only once its
-- answer is overdue and no order is on its way.
create or replace function guard_desk_withdrawal(_rows text[]) returns text[] language plpgsql as $$
declare r desk_withdrawal_row; said text[] := '{}'; code text; status_now text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_withdrawal_row;
    select w.status into status_now from withdrawal w where w.id = r.id for update;
    code := case
      when status_now is distinct from r.seen or status_now not in ('QUEUED', 'REVIEW', 'PROCESSING') then 'ROW_CHANGED'
      when status_now = 'PROCESSING' and not exists (select 1 from payout p where p.withdrawal_id = r.id and p.state = 'UNKNOWN') then 'ROW_CHANGED'
      when r.status = 'FAILED' and withdrawal_by_hand_asked(r.id) then 'APPROVAL_PENDING'
    end;
    said := array_append(said, coalesce(code, desk_refusal(r.act), desk_unclaimed(r.act)));
  end loop;
  return said;
end $$;

create or replace function write_desk_withdrawal(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed desk_withdrawal_row[];
begin
  select array_agg(r::desk_withdrawal_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  update withdrawal w set status = p.status, reason = p.reason, proof = p.proof, updated_at = _now from unnest(parsed) p where w.id = p.id;
  update payout o set state = p.payout_state, touched_at = _now from unnest(parsed) p where o.withdrawal_id = p.id and p.payout_state is not null;
  perform graphile_worker.add_job('withdrawals.ask', json_build_object('id', p.id), job_key := 'withdrawals.ask:' || p.id)
    from unnest(parsed) p where p.payout_state is not null;
  perform statement_set(array_agg(p.id), p.status, _now) from unnest(parsed) p group by p.status;
  perform desk_write(array_agg(p.act), _now) from unnest(parsed) p;
  perform outbox_money(array_agg(p.member_id), array_agg(jsonb_build_object('kind', 'withdraw', 'id', p.id, 'status', p.status, 'minor', p.amount)), _now)
    from unnest(parsed) p;
end $$;

create or replace trigger desk_changed
  after update on withdrawal for each statement
  execute function desk_changed('withdrawals');
create or replace trigger begin_watch
  before update on payout
  for each row when (new.state = 'REJECTED' and old.state <> 'REJECTED')
  execute function begin_watch();

insert into ledger_companion (name, guard_function, write_function) values
  ('withdrawal_end', 'guard_withdrawal_end', 'write_withdrawal_end'),
  ('desk_withdrawal', 'guard_desk_withdrawal', 'write_desk_withdrawal')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
