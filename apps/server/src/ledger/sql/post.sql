-- The text an entry's digest covers. The posting function builds the same text inline; verify compares the two.
create or replace function ledger_entry_text(_id bigint, _kind text, _reference text, _member bigint, _hold text, _at timestamptz, _legs text)
returns text language sql immutable as $$
  select concat_ws('|', _id, _kind, _reference, coalesce(_member, 0), coalesce(_hold, ''), (extract(epoch from _at) * 1000000)::bigint, _legs)
$$;

-- As before, but a refusal is kept under an idempotency key only with the code that the caller was told.
create or replace function ledger_post(
  _refs text[], _kinds text[], _members bigint[], _hold_ops smallint[], _hold_keys text[],
  _leg_firsts int[], _leg_counts int[], _watches int[], _companions int[], _rows text[],
  _idem_members bigint[], _idem_calls text[], _idem_keys text[], _idem_hashes text[], _idem_states text[],
  _idem_answers text[], _forced text[],
  _leg_sources int[], _leg_targets int[], _leg_amounts bigint[], _accounts bigint[], _companion_names text[], _now timestamptz,
  out states smallint[], out entries bigint[], out codes text[], out balances bigint[], out versions bigint[]
) language plpgsql security definer
  set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  n int := cardinality(_refs);
  m int := cardinality(_accounts);
  bal bigint[]; old bigint[]; ver bigint[]; neg boolean[]; asset smallint[]; held boolean[];
  touched int[] := array_fill(0, array[greatest(m, 1)]);
  seen text[]; answered int[]; rows_ text[]; idx int[]; said text[];
  hold_keys text[]; hold_states text[]; hold_amounts bigint[]; hold_accounts bigint[]; hold_froms bigint[]; h int;
  -- Of each leg that moved: its entry, its place there, and both balances after it.
  leg_entries bigint[]; leg_places smallint[]; leg_lefts bigint[]; leg_rights bigint[];
  legs_total int := greatest(cardinality(_leg_amounts), 1); moved int; written bigint[];
  digests bytea[]; chain bytea := ''; at_us bigint := (extract(epoch from _now) * 1000000)::bigint;
  i int; j int; first int; last int; x int; y int; a bigint; drained bigint; e bigint; c int; legs text; state smallint; d bytea;
  done int := 0; batch bigint; guard_fn text; write_fn text;
begin
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  perform pg_advisory_xact_lock(4711);

  select array_agg(ac.balance), array_agg(ac.version), array_agg(ac.allow_negative), array_agg(ac.asset), array_agg(ac.kind = 'hold')
    into bal, ver, neg, asset, held
    from (
      select a.balance, a.version, a.allow_negative, a.asset, a.kind
      from unnest(_accounts) with ordinality u(id, o) left join ledger_account a on a.id = u.id order by u.o
    ) ac;
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
  leg_entries := array_fill(null::bigint, array[legs_total]); leg_lefts := leg_entries; leg_rights := leg_entries;
  leg_places := array_fill(0::smallint, array[legs_total]);

  for c in 1 .. coalesce(cardinality(_companion_names), 0) loop
    select guard_function into guard_fn from ledger_companion where name = _companion_names[c];
    if not found then raise exception 'unknown companion %', _companion_names[c]; end if;
    if guard_fn is not null then
      if c = all(_companions) then rows_ := _rows; idx := null;
      else
        select array_agg(u.row order by u.o), array_agg(u.o::int order by u.o) into rows_, idx
          from unnest(_rows, _companions) with ordinality u(row, companion, o) where u.companion = c;
      end if;
      execute format('select %I($1)', guard_fn) into said using rows_;
      for j in 1 .. coalesce(cardinality(said), 0) loop
        continue when said[j] is null;
        x := coalesce(idx[j], j);
        if codes[x] is null then codes[x] := json_build_object('message', said[j])::text; end if;
      end loop;
    end if;
  end loop;

  for i in 1 .. n loop
    state := 0; first := _leg_firsts[i]; last := first + _leg_counts[i] - 1; moved := 0; h := 0; e := null;
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
        leg_entries[j] := e; leg_places[j] := moved; leg_lefts[j] := bal[x]; leg_rights[j] := bal[y]; moved := moved + 1;
        legs := legs || _accounts[x] || ':' || -a || ':' || bal[x] || ',' || _accounts[y] || ':' || a || ':' || bal[y] || ',';
      end loop;
      -- A hold is emptied exactly and, when released, goes back where it came from.
      if state = 0 and h > 0 and (drained <> hold_amounts[h]
          or (_hold_ops[i] = 3 and (_leg_counts[i] <> 1 or _accounts[_leg_targets[first]] <> hold_froms[h]))) then state := 2; end if;
      if state = 0 and _hold_ops[i] = 1 and _leg_counts[i] <> 1 then state := 2; end if;
      if state <> 0 then
        for j in first .. first + moved - 1 loop
          x := _leg_sources[j]; y := _leg_targets[j]; a := _leg_amounts[j]; leg_entries[j] := null;
          bal[x] := bal[x] + a; bal[y] := bal[y] - a; touched[x] := touched[x] - 1; touched[y] := touched[y] - 1;
        end loop;
        e := null;
      elsif e is not null then
        d := sha256(convert_to(e || '|' || _kinds[i] || '|' || _refs[i] || '|' || coalesce(_members[i], 0) || '|' || coalesce(_hold_keys[i], '') || '|' || at_us || '|' || legs, 'UTF8'));
        digests[i] := d; chain := chain || d; done := done + 1;
        if h > 0 then hold_states[h] := case _hold_ops[i] when 2 then 'POSTED' else 'RELEASED' end; end if;
      end if;
    end if;

    states[i] := state; entries[i] := e;
    x := _watches[i];
    if x > 0 then balances[i] := bal[x]; versions[i] := ver[x] + touched[x]; end if;
  end loop;

  if done > 0 then
    select l.hash || chain into chain from (select hash from ledger_batch order by id desc limit 1) l;
    insert into ledger_batch (entries, created_at, hash) values (done, _now, sha256(chain)) returning id into batch;
    insert into ledger_entry (id, batch_id, kind, reference, member_id, hold_key, created_at, digest)
      select u.id, batch, u.kind, u.reference, u.member, u.hold, _now, u.digest
      from unnest(entries, _kinds, _refs, _members, _hold_keys, digests) u(id, kind, reference, member, hold, digest) where u.id is not null;
    insert into ledger_posting (account_id, entry_id, leg, amount, balance_after)
      select _accounts[case s.side when 0 then u.source else u.target end], u.entry, u.place * 2 + s.side,
        case s.side when 0 then -u.amount else u.amount end, case s.side when 0 then u.left_ else u.right_ end
      from unnest(leg_entries, leg_places, _leg_sources, _leg_targets, _leg_amounts, leg_lefts, leg_rights)
        u(entry, place, source, target, amount, left_, right_), (values (0), (1)) s(side)
      where u.entry is not null;
    update ledger_account set balance = ledger_account.balance + u.now_ - u.was, version = version + u.times
      from unnest(_accounts, bal, old, touched) u(id, now_, was, times) where ledger_account.id = u.id and u.times > 0;
    if 1 = any(_hold_ops) then
      insert into ledger_hold (key, from_account, hold_account, amount, state, opened_by)
        select u.key, _accounts[_leg_sources[u.leg]], _accounts[_leg_targets[u.leg]], _leg_amounts[u.leg], 'OPEN', u.entry
        from unnest(_hold_keys, _hold_ops, _leg_firsts, entries) u(key, op, leg, entry) where u.op = 1 and u.entry is not null;
    end if;
    if 2 <= any(_hold_ops) then
      update ledger_hold set state = case u.op when 2 then 'POSTED' else 'RELEASED' end, closed_by = u.entry
        from unnest(_hold_keys, _hold_ops, entries) u(key, op, entry) where ledger_hold.key = u.key and u.op >= 2 and u.entry is not null;
    end if;
  end if;

  for c in 1 .. coalesce(cardinality(_companion_names), 0) loop
    if c = all(_companions) and 0 = all(states) then rows_ := _rows; written := entries;
    else
      select array_agg(u.row order by u.o), array_agg(u.entry order by u.o) into rows_, written
        from unnest(_rows, _companions, states, entries) with ordinality u(row, companion, state, entry, o) where u.companion = c and u.state = 0;
    end if;
    if rows_ is not null then
      select write_function into strict write_fn from ledger_companion where name = _companion_names[c];
      execute format('select %I($1, $2, $3)', write_fn) using rows_, written, _now;
    end if;
  end loop;

  -- A refusal that a guard or a balance decides is not kept here: the caller turns it into its public code and keeps
  -- that one by an item of its own, whose refusal it has forced.
  insert into idempotency (member_id, call, key, body_hash, state, refused, answer, wallet_after, created_at)
    select u.member, u.call, u.key, u.hash, case when u.state = 0 then u.keep else 'DONE' end,
      u.state <> 0, case when u.state = 0 then u.answer else u.forced end, case when u.state = 0 then u.balance end, _now
    from unnest(_idem_members, _idem_calls, _idem_keys, _idem_hashes, _idem_states, _idem_answers, states, _forced, balances)
      u(member, call, key, hash, keep, answer, state, forced, balance)
    -- 'Too many requests' means not now rather than no, so it is not kept.
    where u.key is not null and (u.state = 0 or (u.state = 6 and u.forced not like '%"REQUEST_LIMIT"%'));
end 
$$;

revoke all on function ledger_post from public;
grant execute on function ledger_post to krapao_app;
