-- The money core: accounts, entries, postings, holds and the one function that writes them.
-- Why a function with its owner's rights: the application's role can read these tables and can change none of them,
-- so a bug or a stolen connection cannot move money outside the rules below.

create table ledger_asset (
  id smallint primary key,
  code text not null unique,
  decimals smallint not null
);
insert into ledger_asset values (1, 'BAHT', 2), (2, 'LAK', 0), (3, 'COIN', 0);

-- A member's account never goes below zero. A house account may: money that came in from outside stands there as a
-- negative balance, so that all balances of one asset always sum to zero.
create table ledger_account (
  id bigint generated always as identity primary key,
  asset smallint not null references ledger_asset,
  kind text not null,
  member_id bigint,
  slot_code text,
  allow_negative boolean not null,
  balance bigint not null default 0,
  version bigint not null default 0,
  created_at timestamptz not null,
  check (allow_negative or balance >= 0),
  check ((member_id is null) = allow_negative)
) with (fillfactor = 50);
create unique index ledger_account_member on ledger_account (member_id, kind, coalesce(slot_code, '')) where member_id is not null;
create unique index ledger_account_house on ledger_account (kind, asset) where member_id is null;

create table ledger_batch (
  id bigint generated always as identity primary key,
  entries integer not null,
  created_at timestamptz not null,
  hash bytea not null
);

create sequence ledger_entry_id as bigint;
create table ledger_entry (
  id bigint primary key,
  batch_id bigint not null,
  kind text not null,
  reference text not null unique,
  member_id bigint,
  hold_key text,
  created_at timestamptz not null,
  digest bytea not null
);
-- Entries are written in the order of their batches, so a block range index finds them and costs nothing to keep.
create index ledger_entry_batch on ledger_entry using brin (batch_id);

create table ledger_posting (
  account_id bigint not null,
  entry_id bigint not null,
  leg smallint not null,
  amount bigint not null,
  balance_after bigint not null,
  primary key (account_id, entry_id, leg)
);

-- What a hold is for stands in its key, for example 'withdrawal:WD01…'. It is closed once, posted or released.
create table ledger_hold (
  key text primary key,
  from_account bigint not null,
  hold_account bigint not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('OPEN', 'POSTED', 'RELEASED')),
  opened_by bigint not null,
  closed_by bigint
) with (fillfactor = 80);
create index ledger_hold_open on ledger_hold (hold_account) where state = 'OPEN';

-- One saved answer per member, call and key (Stripe's contract): state RUNNING until the call has ended.
create table idempotency (
  member_id bigint not null,
  call text not null,
  key text not null,
  body_hash text not null,
  state text not null check (state in ('RUNNING', 'DONE')),
  refused boolean not null,
  answer text not null,
  wallet_after bigint,
  created_at timestamptz not null,
  primary key (member_id, call, key)
);
create index idempotency_age on idempotency using brin (created_at);

-- Rows that explain an entry and commit with it. guard_function(rows text[]) returns text[] (a refusal code or null
-- each) is asked under the ledger's lock before money is decided; write_function(rows text[], entries bigint[],
-- now timestamptz) writes what explains the accepted ones.
create table ledger_companion (
  name text primary key,
  guard_function text,
  write_function text not null
);

create function ledger_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger rows are never changed: post a correcting entry' using errcode = 'restrict_violation';
end $$;
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function ledger_append_only();
create trigger ledger_posting_append_only before update or delete or truncate on ledger_posting
  for each statement execute function ledger_append_only();
create trigger ledger_batch_append_only before update or delete or truncate on ledger_batch
  for each statement execute function ledger_append_only();

-- The text an entry's digest covers. The posting function builds the same text inline; verify compares the two.
create function ledger_entry_text(_id bigint, _kind text, _reference text, _member bigint, _hold text, _at timestamptz, _legs text)
returns text language sql immutable as $$
  select concat_ws('|', _id, _kind, _reference, coalesce(_member, 0), coalesce(_hold, ''), (extract(epoch from _at) * 1000000)::bigint, _legs)
$$;

-- Opens an account or returns the one that is there.
create function ledger_open_account(_asset smallint, _kind text, _member bigint, _slot text, _now timestamptz)
returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare found_id bigint;
begin
  if _member is null then
    insert into ledger_account (asset, kind, allow_negative, created_at) values (_asset, _kind, true, _now)
      on conflict (kind, asset) where member_id is null do nothing returning id into found_id;
    if found_id is null then
      select id into strict found_id from ledger_account where kind = _kind and asset = _asset and member_id is null;
    end if;
  else
    insert into ledger_account (asset, kind, member_id, slot_code, allow_negative, created_at) values (_asset, _kind, _member, _slot, false, _now)
      on conflict (member_id, kind, coalesce(slot_code, '')) where member_id is not null do nothing returning id into found_id;
    if found_id is null then
      select id into strict found_id from ledger_account
        where member_id = _member and kind = _kind and coalesce(slot_code, '') = coalesce(_slot, '') and asset = _asset;
    end if;
  end if;
  return found_id;
end $$;

-- Posts a batch of items in arrival order and says what became of each. One transaction, one writer.
--   _refs, _kinds, _members       an item's unique reference, kind and member
--   _hold_ops, _hold_keys         0 none, 1 open, 2 post, 3 release; and which hold
--   _leg_firsts, _leg_counts      its legs in _leg_*; 0 legs: no entry, only its saved answer
--   _watches                      the account (index) whose balance and version are reported; 0 none
--   _companions, _rows            index into _companion_names (0 none) and its row as record text
--   _idem_*                       the saved answer to keep; a null key keeps none
--   _forced                       a refusal the caller has already decided (its JSON body), to be kept under the key
-- Result states: 0 done, 1 not enough money, 2 impossible (unknown account, mixed assets, bad amount), 3 the
-- reference was posted before, 4 the hold is not open, 5 the key was answered before, 6 refused with a code.
create function ledger_post(
  _refs text[], _kinds text[], _members bigint[], _hold_ops smallint[], _hold_keys text[],
  _leg_firsts int[], _leg_counts int[], _watches int[], _companions int[], _rows text[],
  _idem_members bigint[], _idem_calls text[], _idem_keys text[], _idem_hashes text[], _idem_states text[],
  _idem_answers text[], _forced text[],
  _leg_sources int[], _leg_targets int[], _leg_amounts bigint[], _accounts bigint[], _companion_names text[], _now timestamptz,
  out states smallint[], out entries bigint[], out codes text[], out balances bigint[], out versions bigint[]
) language plpgsql security definer
  set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
declare
  n int := cardinality(_refs);
  m int := cardinality(_accounts);
  bal bigint[]; old bigint[]; ver bigint[]; neg boolean[]; asset smallint[]; held boolean[];
  touched int[] := array_fill(0, array[greatest(m, 1)]);
  seen text[]; answered int[]; rows_ text[]; idx int[]; said text[];
  hold_keys text[]; hold_states text[]; hold_amounts bigint[]; hold_accounts bigint[]; hold_froms bigint[]; h int;
  p_account bigint[]; p_entry bigint[]; p_leg smallint[]; p_amount bigint[]; p_after bigint[];
  p int := 0; p_start int; legs_total int := greatest(cardinality(_leg_amounts), 1);
  digests bytea[]; chain bytea := ''; at_us bigint := (extract(epoch from _now) * 1000000)::bigint;
  i int; j int; first int; last int; x int; y int; a bigint; drained bigint; e bigint; c int; legs text; state smallint; d bytea;
  done int := 0; batch bigint; guard_fn text; write_fn text;
begin
  perform pg_advisory_xact_lock(4711);

  select array_agg(ac.balance order by u.o), array_agg(ac.version order by u.o), array_agg(ac.allow_negative order by u.o), array_agg(ac.asset order by u.o),
    array_agg(ac.kind = 'hold' order by u.o)
    into bal, ver, neg, asset, held
    from unnest(_accounts) with ordinality u(id, o) left join ledger_account ac on ac.id = u.id;
  old := bal;
  select array_agg(le.reference) into seen from ledger_entry le where le.reference = any(_refs);
  select array_agg(u.o::int) into answered
    from unnest(_idem_members, _idem_calls, _idem_keys) with ordinality u(member, call, key, o)
    join idempotency k on k.member_id = u.member and k.call = u.call and k.key = u.key
    where u.key is not null;
  select array_agg(k.key), array_agg(k.state), array_agg(k.amount), array_agg(k.hold_account), array_agg(k.from_account)
    into hold_keys, hold_states, hold_amounts, hold_accounts, hold_froms
    from ledger_hold k where k.key = any(_hold_keys);

  states := array_fill(0::smallint, array[n]); entries := array_fill(null::bigint, array[n]); codes := _forced;
  balances := array_fill(0::bigint, array[n]); versions := balances;
  digests := array_fill(null::bytea, array[n]);
  p_account := array_fill(0::bigint, array[legs_total * 2]); p_entry := p_account; p_amount := p_account; p_after := p_account;
  p_leg := array_fill(0::smallint, array[legs_total * 2]);

  for c in 1 .. coalesce(cardinality(_companion_names), 0) loop
    select guard_function into guard_fn from ledger_companion where name = _companion_names[c];
    if not found then raise exception 'unknown companion %', _companion_names[c]; end if;
    if guard_fn is not null then
      select array_agg(u.row order by u.o), array_agg(u.o::int order by u.o) into rows_, idx
        from unnest(_rows, _companions) with ordinality u(row, companion, o) where u.companion = c;
      execute format('select %I($1)', guard_fn) into said using rows_;
      for j in 1 .. cardinality(idx) loop
        if codes[idx[j]] is null and said[j] is not null then codes[idx[j]] := json_build_object('message', said[j])::text; end if;
      end loop;
    end if;
  end loop;

  for i in 1 .. n loop
    state := 0; first := _leg_firsts[i]; last := first + _leg_counts[i] - 1; p_start := p; h := 0; e := null;
    if answered is not null and i = any(answered) then state := 5;
    elsif seen is not null and _refs[i] = any(seen) then state := 3;
    elsif codes[i] is not null then state := 6;
    elsif _hold_ops[i] >= 2 then
      h := coalesce(array_position(hold_keys, _hold_keys[i]), 0);
      if h = 0 then state := 2; elsif hold_states[h] <> 'OPEN' then state := 4; end if;
    elsif _hold_ops[i] = 1 and hold_keys is not null and _hold_keys[i] = any(hold_keys) then state := 2;
    end if;

    if state = 0 then
      drained := 0; legs := '';
      if last >= first then e := nextval('ledger_entry_id'); end if;
      for j in first .. last loop
        x := _leg_sources[j]; y := _leg_targets[j]; a := _leg_amounts[j];
        if bal[x] is null or bal[y] is null or x = y or a <= 0 or asset[x] <> asset[y] then state := 2; exit; end if;
        -- What is held moves only by its hold: in by opening it, out by closing it.
        if held[y] <> (_hold_ops[i] = 1) or (held[x] and (h = 0 or _accounts[x] <> hold_accounts[h])) then state := 2; exit; end if;
        if bal[x] < a and not neg[x] then state := 1; exit; end if;
        if h > 0 and _accounts[x] = hold_accounts[h] then drained := drained + a; end if;
        bal[x] := bal[x] - a; bal[y] := bal[y] + a;
        touched[x] := touched[x] + 1; touched[y] := touched[y] + 1;
        p := p + 1; p_account[p] := _accounts[x]; p_entry[p] := e; p_leg[p] := (j - first) * 2; p_amount[p] := -a; p_after[p] := bal[x];
        p := p + 1; p_account[p] := _accounts[y]; p_entry[p] := e; p_leg[p] := (j - first) * 2 + 1; p_amount[p] := a; p_after[p] := bal[y];
        legs := legs || _accounts[x] || ':' || -a || ':' || bal[x] || ',' || _accounts[y] || ':' || a || ':' || bal[y] || ',';
      end loop;
      -- A hold is emptied exactly and, when released, goes back where it came from.
      if state = 0 and h > 0 and (drained <> hold_amounts[h]
          or (_hold_ops[i] = 3 and (_leg_counts[i] <> 1 or _accounts[_leg_targets[first]] <> hold_froms[h]))) then state := 2; end if;
      if state = 0 and _hold_ops[i] = 1 and _leg_counts[i] <> 1 then state := 2; end if;
      if state <> 0 then
        while p > p_start loop
          x := array_position(_accounts, p_account[p]);
          bal[x] := bal[x] - p_amount[p]; touched[x] := touched[x] - 1; p := p - 1;
        end loop;
        e := null;
      elsif e is not null then
        d := sha256(convert_to(e || '|' || _kinds[i] || '|' || _refs[i] || '|' || coalesce(_members[i], 0) || '|' || coalesce(_hold_keys[i], '') || '|' || at_us || '|' || legs, 'UTF8'));
        digests[i] := d; chain := chain || d; done := done + 1;
        if h > 0 then hold_states[h] := case _hold_ops[i] when 2 then 'POSTED' else 'RELEASED' end; end if;
      end if;
    end if;

    states[i] := state; entries[i] := e;
    if _watches[i] > 0 then balances[i] := bal[_watches[i]]; versions[i] := ver[_watches[i]] + touched[_watches[i]]; end if;
  end loop;

  if done > 0 then
    select l.hash || chain into chain from (select hash from ledger_batch order by id desc limit 1) l;
    insert into ledger_batch (entries, created_at, hash) values (done, _now, sha256(chain)) returning id into batch;
    insert into ledger_entry (id, batch_id, kind, reference, member_id, hold_key, created_at, digest)
      select u.id, batch, u.kind, u.reference, u.member, u.hold, _now, u.digest
      from unnest(entries, _kinds, _refs, _members, _hold_keys, digests) u(id, kind, reference, member, hold, digest) where u.id is not null;
    insert into ledger_posting (account_id, entry_id, leg, amount, balance_after)
      select u.account, u.entry, u.leg, u.amount, u.after
      from unnest(p_account[1:p], p_entry[1:p], p_leg[1:p], p_amount[1:p], p_after[1:p]) u(account, entry, leg, amount, after);
    update ledger_account set balance = ledger_account.balance + u.now_ - u.was, version = version + u.times
      from unnest(_accounts, bal, old, touched) u(id, now_, was, times) where ledger_account.id = u.id and u.times > 0;
    insert into ledger_hold (key, from_account, hold_account, amount, state, opened_by)
      select u.key, _accounts[_leg_sources[u.leg]], _accounts[_leg_targets[u.leg]], _leg_amounts[u.leg], 'OPEN', u.entry
      from unnest(_hold_keys, _hold_ops, _leg_firsts, entries) u(key, op, leg, entry) where u.op = 1 and u.entry is not null;
    update ledger_hold set state = case u.op when 2 then 'POSTED' else 'RELEASED' end, closed_by = u.entry
      from unnest(_hold_keys, _hold_ops, entries) u(key, op, entry) where ledger_hold.key = u.key and u.op >= 2 and u.entry is not null;
  end if;

  for c in 1 .. coalesce(cardinality(_companion_names), 0) loop
    select array_agg(u.row order by u.o), array_agg(u.entry order by u.o) into rows_, p_entry
      from unnest(_rows, _companions, states, entries) with ordinality u(row, companion, state, entry, o) where u.companion = c and u.state = 0;
    if rows_ is not null then
      select write_function into strict write_fn from ledger_companion where name = _companion_names[c];
      execute format('select %I($1, $2, $3)', write_fn) using rows_, p_entry, _now;
    end if;
  end loop;

  insert into idempotency (member_id, call, key, body_hash, state, refused, answer, wallet_after, created_at)
    select u.member, u.call, u.key, u.hash, case when u.state = 0 then u.keep else 'DONE' end,
      u.state <> 0,
      case when u.state = 0 then u.answer when u.state = 1 then '{"message":"MONEY_NOT_ENOUGH"}' else u.code end,
      case when u.state = 0 then u.balance end, _now
    from unnest(_idem_members, _idem_calls, _idem_keys, _idem_hashes, _idem_states, _idem_answers, states, codes, balances)
      u(member, call, key, hash, keep, answer, state, code, balance)
    -- 'Too many requests' means not now rather than no, so it is not kept.
    where u.key is not null and (u.state in (0, 1) or (u.state = 6 and u.code not like '%"REQUEST_LIMIT"%'));
end $$;

-- The chain starts from a known block.
insert into ledger_batch (entries, created_at, hash) values (0, '2000-01-01Z', sha256('krapao ledger'::bytea));

revoke all on function ledger_post from public;
revoke all on function ledger_open_account from public;
grant execute on function ledger_post, ledger_open_account to krapao_app;
grant select on ledger_asset, ledger_account, ledger_batch, ledger_entry, ledger_posting, ledger_hold, ledger_companion to krapao_app;
grant select, update, delete on idempotency to krapao_app;
