-- Rejects a withdrawal with INTENT_ENDED when its intent was ended before it began, with BONUS_REMAINING during an
-- active run, with REQUEST_LIMIT when only one is allowed and another is open, and with STALE when the wallet has
-- changed since it was assessed.
create or replace function guard_withdrawal_request(_rows text[]) returns text[] language plpgsql as $$
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
      when p.wallet_version <> (
        select a.version from ledger_account a where a.member_id = p.member_id and a.kind = 'wallet'
      ) then 'STALE'
    end order by p.ordinality)
    into refusals
    from unnest(_rows::withdrawal_request_row[]) with ordinality p;
  return refusals;
end $$;

-- Writes the withdrawals with their assessments, what was not bet of them and the bets still required. A withdrawal
-- is QUEUED when nothing known gives a reason for a review and it is within the member's limits for automatic payout,
-- one by one and over 24 hours; else it waits in REVIEW. It is held while the bank account is in its cooling-off
-- period. Returns the ids of those to be paid automatically.
create or replace function withdrawal_add(_rows withdrawal_request_row[], _now timestamptz)
returns text[] language plpgsql as $$
declare
  automatic_ids text[];
  written int;
begin
  with decided as (
    select p.*, a.id as account_id, s.day_total, case when a.cool_until > _now then a.cool_until end as held_until,
      p.reasons || case when p.amount > p.automatic_max then array['AMOUNT'] else '{}' end
        || case when p.amount <= p.automatic_max and p.amount + s.day_total > p.automatic_day_max
          then array['DAY'] else '{}' end as found
    from unnest(_rows) p
    join bank_account a on a.id = p.bank_account_id and a.member_id = p.member_id
    cross join lateral (
      select coalesce(sum(w.amount), 0)::bigint as day_total
      from withdrawal w
      where w.member_id = p.member_id and w.automatic and w.status <> 'FAILED'
        and w.created_at > _now - interval '24 hours'
      offset 0) s
  ), added as (
    insert into withdrawal (
      id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at, held_until, risk_score)
    select d.id, d.member_id, d.account_id, d.amount, case when d.found = '{}' then 'QUEUED' else 'REVIEW' end,
      d.found = '{}', _now, _now, d.held_until, d.score
    from decided d
    returning id, automatic
  ), assessed as (
    insert into risk_assessment (
      withdrawal_id, score, parts, evidence, reasons, review_score, hold_score, automatic_max, automatic_day_max,
      day_total, created_at)
    select d.id, d.score, d.parts, d.evidence,
      d.found || case when d.held_until is null then '{}' else array['COOLING'] end,
      d.review_score, d.hold_score, d.automatic_max, d.automatic_day_max, d.day_total, _now
    from decided d
  )
  select coalesce(array_agg(a.id) filter (where a.automatic), '{}'), count(*)
    into automatic_ids, written
    from added a;
  if written <> cardinality(_rows) then
    raise foreign_key_violation using message = 'a withdrawal to an account that is not the member''s';
  end if;
  insert into withdrawal_unplayed (withdrawal_id, amount)
    select p.id, p.unplayed
    from unnest(_rows) p
    where p.unplayed is not null;
  insert into withdrawal_unbet (withdrawal_id, needed, since)
    select p.id, p.unbet_needed, p.unbet_since
    from unnest(_rows) p
    where p.unbet_needed is not null;
  return automatic_ids;
end $$;

-- Writes the withdrawals and their statement rows. An unplayed amount is marked on the days of deposits. Enqueues the
-- payout job, notifies operators of new reviews, and opens an alert for a score from `alert_score` on.
create or replace function write_withdrawal_request(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed withdrawal_request_row[] := _rows::withdrawal_request_row[];
  automatic_count int := cardinality(withdrawal_add(parsed, _now));
begin
  insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
    select p.member_id,
      coalesce((select max(s.number) from statement s where s.member_id = p.member_id), 0)
        + row_number() over (partition by p.member_id order by p.ordinality),
      p.id, 'withdraw', 'PENDING', 'wallet', p.bank_code, p.amount, _now, _now
    from unnest(parsed) with ordinality p;
  perform coin_unplay(p.member_id, p.unplayed)
    from unnest(parsed) p
    where p.unplayed > 0
    order by p.id;
  perform alert_open('risk-score', 'withdrawal:' || p.id, p.score::text, _now)
    from unnest(parsed) p
    where p.score > 0 and p.score >= p.alert_score;
  if automatic_count < cardinality(parsed) then
    perform pg_notify('console', 'withdrawals new ' || pg_current_xact_id());
  end if;
  if automatic_count > 0 then
    perform graphile_worker.add_job('withdrawals.pay', job_key := 'withdrawals.pay');
  end if;
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

-- Ends the alert of a high risk score once the withdrawal is decided, or ends without a review.
create or replace trigger risk_score_decided
  after update of status on withdrawal
  for each row when (
    new.risk_score > 0 and old.status <> new.status
    and (old.status = 'REVIEW' or new.status in ('SUCCESS', 'FAILED')))
  execute function alert_cause_gone('risk-score', 'withdrawal', 'id');

insert into ledger_companion (name, guard_function, write_function) values
  ('withdrawal_request', 'guard_withdrawal_request', 'write_withdrawal_request')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
