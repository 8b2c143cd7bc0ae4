-- Withdrawals and the payouts behind them.

create table withdrawal (
  id text primary key,
  member_id bigint not null references member,
  bank_account_id bigint not null references bank_account,
  amount bigint not null check (amount > 0),
  -- QUEUED waits for the payout worker, REVIEW for an operator, PROCESSING for the bank.
  status text not null check (status in ('QUEUED', 'REVIEW', 'PROCESSING', 'SUCCESS', 'FAILED')),
  automatic boolean not null,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index withdrawal_open on withdrawal (member_id) where status in ('QUEUED', 'REVIEW', 'PROCESSING');
create index withdrawal_queue on withdrawal (status, created_at) where status in ('QUEUED', 'REVIEW', 'PROCESSING');
create index withdrawal_day on withdrawal (member_id, created_at) where automatic;

-- What was sent to the bank under the withdrawal's id, which makes it once-only there. UNKNOWN: no answer came.
create table payout (
  withdrawal_id text primary key references withdrawal,
  state text not null check (state in ('SENT', 'UNKNOWN', 'ACCEPTED', 'PAID', 'REJECTED')),
  asked integer not null default 0,
  reason text,
  sent_at timestamptz not null,
  touched_at timestamptz not null
);
create index payout_open on payout (touched_at) where state in ('SENT', 'UNKNOWN', 'ACCEPTED');

create type withdrawal_row as (
  id text, member_id bigint, bank_account_id bigint, bank_code text, amount bigint, one_open boolean, automatic_max bigint, automatic_day_max bigint
);
create type withdrawal_end_row as (id text, member_id bigint, amount bigint, status text, reason text, actor text, payout_state text);

create function guard_withdrawal(_rows text[]) returns text[] language sql as $$
  select array_agg(case when (r.row).one_open and exists (
      select 1 from withdrawal w where w.member_id = (r.row).member_id and w.status in ('QUEUED', 'REVIEW', 'PROCESSING')
    ) then 'REQUEST_LIMIT' end order by r.o)
  from (select u.text::withdrawal_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

-- Small sums go to the payout worker, at most so much in 24 hours; the rest waits for an operator.
create function write_withdrawal(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed withdrawal_row[]; queued boolean;
begin
  select array_agg(r::withdrawal_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  with decided as (
    select p.*, p.amount <= p.automatic_max and p.amount + coalesce((
        select sum(w.amount) from withdrawal w where w.member_id = p.member_id and w.automatic and w.status <> 'FAILED'
          and w.created_at > _now - interval '24 hours'), 0) <= p.automatic_day_max as automatic
    from unnest(parsed) p
  ), added as (
    insert into withdrawal (id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at)
    select d.id, d.member_id, d.bank_account_id, d.amount, case when d.automatic then 'QUEUED' else 'REVIEW' end, d.automatic, _now, _now
    from decided d returning automatic
  )
  select bool_or(automatic) into queued from added;
  perform statement_add(array_agg((p.member_id, p.id, 'withdraw', 'PENDING', 'wallet', p.bank_code, p.amount)::statement_row), _now) from unnest(parsed) p;
  if queued then perform graphile_worker.add_job('withdrawals.pay', job_key := 'withdrawals.pay'); end if;
end $$;

-- An operator's no (no payout state) counts only while the withdrawal waits for one: once it is approved the bank may
-- have been asked. The row is locked, so that an approval under way is waited for.
create function guard_withdrawal_end(_rows text[]) returns text[] language sql as $$
  with locked as (
    select w.id, w.status from withdrawal w
    where w.id in (select (u.text::withdrawal_end_row).id from unnest(_rows) u(text)) order by w.id for update
  )
  select array_agg(case when (r.row).payout_state is null and l.status <> 'REVIEW' then 'REQUEST_LIMIT' end order by r.o)
  from (select u.text::withdrawal_end_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
  left join locked l on l.id = (r.row).id
$$;

create function write_withdrawal_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
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

insert into ledger_companion values
  ('withdrawal', 'guard_withdrawal', 'write_withdrawal'),
  ('withdrawal_end', 'guard_withdrawal_end', 'write_withdrawal_end');

-- What operators must look at; closed by the one who has seen to it.
create table alert (
  id bigint generated always as identity primary key,
  kind text not null,
  thing text not null,
  detail text not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create unique index alert_open on alert (kind, thing) where closed_at is null;

grant select, update on withdrawal to krapao_app;
grant select, insert, update on payout, alert to krapao_app;
grant update (status, updated_at) on statement to krapao_app;
