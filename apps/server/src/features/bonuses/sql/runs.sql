-- Reports whether an address is public. A private, loopback or link-local address belongs to a proxy that is not
-- configured as trusted, so it says nothing about whether two members share a connection.
create or replace function is_outside(_address text) returns boolean language sql immutable as $$
  select _address !~*
    '^(::ffff:)?(127\.|10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.|169\.254\.)'
    '|^::1$|^f[cd][0-9a-f]{2}:|^fe80:'
$$;

-- Returns all money of a member in minor units: wallet, booked game balances, transfers in progress and the stakes of
-- open bets.
create or replace function member_total(_member bigint) returns bigint language sql stable as $$
  select
    coalesce((
      select sum(a.balance)
      from ledger_account a
      where a.member_id = _member and a.kind in ('wallet', 'mirror')), 0)::bigint
    + coalesce((
      select sum(t.amount)
      from provider_transfer t
      where t.member_id = _member and t.state in ('RESERVED', 'UNKNOWN')), 0)::bigint
    + coalesce((
      select sum(floor(
        g.outstanding * g.rate_micro::numeric / case m.currency when 'LAK' then 100000000 else 1000000 end))
      from game_account g
      join member m on m.id = g.member_id
      where g.member_id = _member and g.outstanding > 0), 0)::bigint
$$;

-- Reports whether a member has money that a run cannot bind: in an open withdrawal, in a transfer in progress, in an
-- open bet, or in a game that `_games` does not allow, as far as that game's provider moves it.
create or replace function bonus_remains(_member bigint, _games jsonb) returns boolean language sql stable as $$
  select exists (
      select 1
      from withdrawal w
      where w.member_id = _member and w.status in ('QUEUED', 'REVIEW', 'PROCESSING'))
    or exists (
      select 1
      from provider_transfer t
      where t.member_id = _member and t.state in ('RESERVED', 'UNKNOWN'))
    or exists (
      select 1
      from game_account g
      where g.member_id = _member and g.outstanding > 0)
    or exists (
      select 1
      from ledger_account a
      where a.member_id = _member and a.kind = 'mirror' and a.balance > 0 and not bonus_takes(_games, a.slot_code)
        and game_is_movable(_member, a.slot_code))
$$;

-- Returns the balance in minor units that decides a run: all money of the member, minus the money that was not bound
-- at the start, minus what was paid in since.
create or replace function bonus_standing(_run bonus_run) returns bigint language sql stable as $$
  select member_total(_run.member_id) - _run.unbound - bonus_added(_run.wallet_account, _run.entry_id)
$$;

-- Reports whether terms allow a game. Null allows every game.
create or replace function bonus_takes(_games jsonb, _slot text) returns boolean language sql immutable as $$
  select _games is null or _games ? _slot
$$;

-- Returns the net amount in minor units that came into a wallet after an entry by neither game transfers nor bonuses:
-- deposits, operators' entries, reversals.
create or replace function bonus_added(_wallet bigint, _entry bigint) returns bigint language sql stable as $$
  select coalesce(sum(p.amount), 0)::bigint
  from ledger_posting p
  -- Each by its id. Joined freely, the generic plan reads the whole ledger.
  cross join lateral (
    select
    from ledger_entry e
    where e.id = p.entry_id and e.kind not like 'transfer\_%' and e.kind not like 'bonus\_%'
    offset 0
  ) e
  where p.account_id = _wallet and p.entry_id > _entry
$$;

-- Reports whether a deposit can back a run: it is the member's, not reversed nor requested to be, backs no other run,
-- nor did the same bank transaction before it was reversed and credited to the member again, and no withdrawal was
-- requested after it. "After" is the order of the ledger's entries, because the timestamps may
-- come from two servers. Their clocks never differ by a day, so older withdrawals need no search.
create or replace function bonus_deposit_fits(_deposit text, _member bigint) returns boolean language sql stable as $$
  select exists (
    select 1
    from deposit d
    where d.id = _deposit and d.member_id = _member and d.reversal_id is null
      and not exists (select 1 from bonus_run r where r.deposit_id = d.id)
      and not exists (
        select 1
        from deposit e
        join bonus_run r on r.deposit_id = e.id
        where e.bank_code = d.bank_code and e.bank_reference = d.bank_reference and e.reversal_id is not null
          and e.member_id = d.member_id)
      and not reversal_requested(d.id)
      and not exists (
        select 1
        from withdrawal w
        left join ledger_hold h on h.key = 'withdrawal:' || w.id
        where w.member_id = d.member_id and w.created_at >= d.created_at - interval '1 day' and w.status <> 'FAILED'
          and coalesce(h.opened_by > d.entry_id, w.created_at >= d.created_at)))
$$;

-- How often a bonus was received. Its runs are counted only until the first receipt that was counted in its row.
create or replace function bonus_received(_bonus bigint) returns bigint language sql stable as $$
  select coalesce(
    (select c.received from bonus_receipts c where c.bonus_id = _bonus),
    (select count(*) from bonus_run r where r.bonus_id = _bonus))
$$;

-- Counts a receipt whose run is written. The caller holds the ledger's lock, so that no other is counted meanwhile.
create or replace function count_bonus_receipt(_bonus bigint) returns void language plpgsql as $$
begin
  update bonus_receipts set received = received + 1 where bonus_id = _bonus;
  if not found then
    insert into bonus_receipts (bonus_id, received)
      select _bonus, count(*) from bonus_run r where r.bonus_id = _bonus;
  end if;
end $$;

-- Rejects the start of a run, in this order:
--   BONUS_ALREADY_ACTIVE   the member has an active run
--   STALE                  the bonus was closed or changed since the terms were read
--   BONUS_MAX_CLAIMED      the member has received the bonus as often as it allows
--   BONUS_FULL             the quota of the bonus is used up
--   BONUS_REMAINING        money of the member cannot be bound, see bonus_remains
--   STALE                  the deposit cannot back a run any more, or the member's total has changed
-- Invites, refunds and coupons start runs without a bonus. Where they also have no conditions they bind nothing and
-- are rejected only during an active run.
create or replace function guard_bonus_start(_rows text[]) returns text[] language plpgsql as $$
declare
  item bonus_start_row;
  terms bonus;
  refusals text[] := '{}';
  refusal text;
  is_free boolean;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::bonus_start_row;
    refusal := null;
    is_free := item.bonus_id is null and item.success_percent = 0 and item.turnover_percent = 0;
    select * into terms from bonus where id = item.bonus_id;
    if exists (select 1 from bonus_run a where a.member_id = item.member_id and a.state = 'ACTIVE') then
      refusal := 'BONUS_ALREADY_ACTIVE';
    elsif item.bonus_id is not null and (not terms.is_open or terms.version <> item.bonus_version) then
      refusal := 'STALE';
    elsif item.bonus_id is not null and (
        select count(*)
        from bonus_run c
        where c.member_id = item.member_id and c.bonus_id = item.bonus_id
          and c.started_at >= coalesce(item.received_since, '-infinity')
      ) >= terms.max_received then
      refusal := 'BONUS_MAX_CLAIMED';
    elsif terms.quota is not null and bonus_received(item.bonus_id) >= terms.quota then
      refusal := 'BONUS_FULL';
    elsif not is_free and bonus_remains(item.member_id, item.games) then
      refusal := 'BONUS_REMAINING';
    elsif item.deposit_id is not null and not bonus_deposit_fits(item.deposit_id, item.member_id) then
      refusal := 'STALE';
    elsif not is_free and member_total(item.member_id) <> item.seen_total then
      refusal := 'STALE';
    end if;
    refusals := array_append(refusals, refusal);
  end loop;
  return refusals;
end $$;

-- Writes the runs with their statement rows and live events. A run without conditions is PLAIN and ends at once.
-- Raises when the member's total has changed in this same batch, by a balance reading: the batch fails and its items
-- are posted one by one.
create or replace function write_bonus_start(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item bonus_start_row;
  is_plain boolean;
  total bigint;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::bonus_start_row;
    is_plain := item.success_percent = 0 and item.turnover_percent = 0;
    total := member_total(item.member_id) - item.granted - bonus_added(item.wallet_account, _entries[i]);
    if total <> item.seen_total and not (is_plain and item.bonus_id is null) then
      raise exception 'the total before run % changed', item.id;
    end if;
    insert into bonus_run (
        id, member_id, wallet_account, kind, bonus_id, bonus_version, label, deposit_id, qualifying, granted, unbound,
        success_percent, fail_percent, turnover_percent, games, withdraw_max, expires_at, state, entry_id, started_at,
        ended_at)
      values (
        item.id, item.member_id, item.wallet_account, item.kind, item.bonus_id, item.bonus_version, item.label,
        item.deposit_id, item.qualifying, item.granted, total - item.qualifying,
        item.success_percent, item.fail_percent, item.turnover_percent, item.games, item.withdraw_max,
        item.expires_at, case when is_plain then 'PLAIN' else 'ACTIVE' end, _entries[i], _now,
        case when is_plain then _now end);
    if item.bonus_id is not null then
      perform count_bonus_receipt(item.bonus_id);
    end if;
    perform statement_add(
      array[(item.member_id, item.id, 'bonus', 'SUCCESS', item.kind, 'wallet', item.granted)::statement_row], _now);
    update statement set reference_kind = item.kind, reference_text = item.label where id = item.id;
    perform outbox_money(array[item.member_id], array[null::jsonb], _now);
  end loop;
end $$;

-- Rejects the end of a run with ENDED when it is not active, and with STALE when its deciding balance has changed.
create or replace function guard_bonus_end(_rows text[]) returns text[] language plpgsql as $$
declare
  item bonus_end_row;
  run bonus_run;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::bonus_end_row;
    select * into run from bonus_run where id = item.run_id;
    refusals := array_append(refusals, case
      when run.state is distinct from 'ACTIVE' then 'ENDED'
      when bonus_standing(run) <> item.standing then 'STALE'
    end);
  end loop;
  return refusals;
end $$;

-- Ends the runs: writes the statement row and live event and closes the alert about a stuck run. Writes an audit row
-- only where the system ended the run; an operator's action writes its own.
create or replace function write_bonus_end(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item bonus_end_row;
  run bonus_run;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::bonus_end_row;
    update bonus_run
      set state = item.state, ended_at = _now, ended_by = item.ended_by, taken = item.taken,
        turnover = item.turnover, stuck_since = null
      where id = item.run_id
      returning * into run;
    perform statement_add(
      array[(run.member_id, item.row_id, 'finish_bonus', 'SUCCESS', 'wallet', run.kind, item.taken)::statement_row],
      _now);
    update statement set reference_kind = run.kind, reference_text = run.label where id = item.row_id;
    insert into audit (at, actor, action, subject, after)
      select _now, item.ended_by, 'bonus.' || lower(item.state), 'member:' || run.member_id,
        jsonb_build_object('run', item.run_id, 'taken', item.taken, 'standing', item.standing)
      where item.ended_by = 'system';
    perform alert_end('bonus-stuck', 'member:' || run.member_id, _now);
    perform outbox_money(array[run.member_id], array[null::jsonb], _now);
  end loop;
end $$;

-- Rejects an operator's end of a run: with the refusal of guard_bonus_end, else of the approval.
create or replace function guard_operator_bonus_end(_rows text[]) returns text[] language plpgsql as $$
declare
  item operator_bonus_end_row;
  refusals text[] := '{}';
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_bonus_end_row;
    refusals := array_append(refusals, coalesce(
      (guard_bonus_end(array[(item.ending)::text]))[1], operator_refusal(item.action)));
  end loop;
  return refusals;
end $$;

-- Ends the runs and records the operators' actions.
create or replace function write_operator_bonus_end(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  item operator_bonus_end_row;
begin
  for i in 1 .. cardinality(_rows) loop
    item := _rows[i]::operator_bonus_end_row;
    perform write_bonus_end(array[(item.ending)::text], array[_entries[i]], _now);
    perform operator_write(array[item.action], _now);
  end loop;
end $$;

insert into ledger_companion (name, guard_function, write_function) values
  ('bonus_start', 'guard_bonus_start', 'write_bonus_start'),
  ('bonus_end', 'guard_bonus_end', 'write_bonus_end'),
  ('operator_bonus_end', 'guard_operator_bonus_end', 'write_operator_bonus_end')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
