-- Rejects a withdrawal with INTENT_ENDED when its intent was ended before it began, with BONUS_REMAINING during an
-- active run, and with REQUEST_LIMIT when only one is allowed and another is open.
create or replace function guard_withdrawal_hold(_rows text[]) returns text[] language plpgsql as $$
declare
  refusals text[];
begin
  select array_agg(case
      when exists (select 1 from ended_intent e where e.id = p.id) then 'INTENT_ENDED'
      when exists (
        select 1 from bonus_run b where b.member_id = p.member_id and b.state = 'ACTIVE'
      ) then 'BONUS_REMAINING'
      when p.only_one and exists (
        select 1
        from withdrawal w
        where w.member_id = p.member_id and w.status in ('QUEUED', 'REVIEW', 'PROCESSING')
      ) then 'REQUEST_LIMIT'
    end order by p.ordinality)
    into refusals
    from unnest(_rows::withdrawal_hold_row[]) with ordinality p;
  return refusals;
end $$;

-- Writes the withdrawals and their statement rows, with the amount that was not bet and the bets still required. A
-- withdrawal is QUEUED when it needs no review and is within the member's limits for automatic payout, one by one and
-- over 24 hours; else it waits in REVIEW. It is held while the bank account is in its cooling-off period. An unplayed
-- amount is marked on the days of deposits. Enqueues the payout job and alerts operators to new reviews.
create or replace function write_withdrawal_hold(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed withdrawal_hold_row[] := _rows::withdrawal_hold_row[];
  queued boolean;
  in_review boolean;
  written int;
begin
  with added as (
    insert into withdrawal (
      id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at, held_until)
    select d.id, d.member_id, a.id, d.amount, case when d.automatic then 'QUEUED' else 'REVIEW' end, d.automatic,
      _now, _now, case when a.cool_until > _now then a.cool_until end
    from (
      select p.*,
        not p.must_review and p.amount <= p.automatic_max and p.amount + coalesce((
          select sum(w.amount)
          from withdrawal w
          where w.member_id = p.member_id and w.automatic and w.status <> 'FAILED'
            and w.created_at > _now - interval '24 hours'), 0) <= p.automatic_day_max as automatic
      from unnest(parsed) p
      offset 0
    ) d
    join bank_account a on a.id = d.bank_account_id and a.member_id = d.member_id
    returning id, automatic
  ), statements as (
    insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
    select p.member_id,
      coalesce((select max(s.number) from statement s where s.member_id = p.member_id), 0)
        + row_number() over (partition by p.member_id order by p.ordinality),
      p.id, 'withdraw', 'PENDING', 'wallet', p.bank_code, p.amount, _now, _now
    from unnest(parsed) with ordinality p
  )
  select bool_or(a.automatic), bool_or(not a.automatic), count(*) into queued, in_review, written from added a;
  if written <> cardinality(parsed) then
    raise foreign_key_violation using message = 'a withdrawal to an account that is not the member''s';
  end if;
  insert into withdrawal_unplayed (withdrawal_id, amount)
    select p.id, p.unplayed
    from unnest(parsed) p
    where p.unplayed is not null;
  insert into withdrawal_unbet (withdrawal_id, needed, since)
    select p.id, p.unbet_needed, p.unbet_since
    from unnest(parsed) p
    where p.unbet_needed is not null;
  perform coin_unplay(p.member_id, p.unplayed)
    from unnest(parsed) p
    where p.unplayed > 0
    order by p.id;
  if in_review then perform pg_notify('console', 'withdrawals new ' || pg_current_xact_id()); end if;
  if queued then perform graphile_worker.add_job('withdrawals.pay', job_key := 'withdrawals.pay'); end if;
end $$;

-- Cancels the update of its row: a held withdrawal stays queued.
create or replace function withdrawal_waits() returns trigger language plpgsql as $$
begin
  return null;
end $$;

-- Keeps payout workers from taking a withdrawal before its `held_until`.
create or replace trigger withdrawal_waits
  before update of status on withdrawal
  for each row when (
    old.status = 'QUEUED' and new.status = 'PROCESSING' and old.held_until > new.updated_at)
  execute function withdrawal_waits();

insert into ledger_companion (name, guard_function, write_function) values
  ('withdrawal_hold', 'guard_withdrawal_hold', 'write_withdrawal_hold')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
