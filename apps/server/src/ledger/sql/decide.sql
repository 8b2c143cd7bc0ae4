-- What is known of each item before its money is decided: answered under its idempotency key, a repeated reference,
-- or refused by its caller or by a guard; null when its money decides.
create or replace function ledger_known_states(
  _references text[], _call_members bigint[], _calls text[], _call_keys text[], _codes text[]
) returns text[] language plpgsql as $$
declare
  known text[];
begin
  select array_agg(case when k.key is not null then 'answered' when e.reference is not null then 'repeated'
      when i.code is not null then 'refused' end order by i.position)
    into known
    from unnest(_references, _call_members, _calls, _call_keys, _codes)
      with ordinality i(reference, member_id, call, key, code, position)
    left join idempotency k on k.member_id = i.member_id and k.call = i.call and k.key = i.key
    left join ledger_entry e on e.reference = i.reference;
  return known;
end $$;

-- The hash of an entry: of the text of ledger_entry_text, built here from what is at hand.
create or replace function ledger_digest(
  _entry bigint, _kind text, _reference text, _member bigint, _hold_key text, _at_us bigint, _legs text
) returns bytea language sql stable as $$
  select sha256(convert_to(_entry || '|' || _kind || '|' || _reference || '|' || coalesce(_member, 0) || '|'
    || coalesce(_hold_key, '') || '|' || _at_us || '|' || _legs, 'UTF8'))
$$;

-- Why an item cannot move money before its legs are looked at: a hold is opened once, by one leg, and closed once.
create or replace function ledger_hold_fault(_action text, _legs int, _state text)
returns text language sql immutable as $$
  select case
    when _action = 'open' and (_state is not null or _legs <> 1) then 'impossible'
    when _action in ('post', 'release') and _state is null then 'impossible'
    when _action in ('post', 'release') and _state <> 'OPEN' then 'hold-closed'
  end
$$;

-- Why a leg cannot be moved; null when it can. Money that is held moves only by its hold: in by opening it, out by
-- closing it. A member's account is never overdrawn.
create or replace function ledger_leg_fault(
  _amount bigint, _source_balance bigint, _target_balance bigint, _same_account boolean, _same_asset boolean,
  _opens_hold boolean, _into_hold boolean, _from_other_hold boolean, _may_overdraw boolean
) returns text language sql immutable as $$
  select case
    when _source_balance is null or _target_balance is null or _same_account or not _same_asset then 'impossible'
    when _amount <= 0 or _into_hold <> _opens_hold or _from_other_hold then 'impossible'
    when _source_balance < _amount and not _may_overdraw then 'insufficient'
  end
$$;

-- Decides the items in their order and moves money between balances in memory; writes nothing. An item moves all of
-- its legs or none; a hold is emptied exactly and, when released, goes back to where it came from. Returns, beside
-- what ledger_post_batch returns: the hash of each entry; each leg's entry, its place there and both balances after
-- it; and each account's change and number of moves.
create or replace function ledger_decide(
  _known text[], _references text[], _kinds text[], _members bigint[], _hold_actions text[], _hold_keys text[],
  _first_legs int[], _leg_counts int[], _watched int[], _sources int[], _targets int[], _amounts bigint[],
  _accounts bigint[], _now timestamptz,
  out states text[], out entries bigint[], out digests bytea[], out balances bigint[], out versions bigint[],
  out leg_entries bigint[], out leg_places smallint[], out source_balances bigint[], out target_balances bigint[],
  out changes bigint[], out moves int[]
) language plpgsql as $$
declare
  items int := cardinality(_references); leg_total int := greatest(cardinality(_amounts), 1);
  account_total int := greatest(cardinality(_accounts), 1);
  balance bigint[]; version bigint[]; may_overdraw boolean[]; asset smallint[]; is_hold boolean[];
  hold_keys text[]; hold_states text[]; hold_amounts bigint[]; hold_accounts bigint[]; hold_origins bigint[];
  hold int; first int; last int; source int; target int; amount bigint; moved int; drained bigint; entry bigint;
  state text; legs text; at_us bigint := (extract(epoch from _now) * 1000000)::bigint;
begin
  select * into balance, version, may_overdraw, asset, is_hold from ledger_read_accounts(_accounts);
  select * into hold_keys, hold_states, hold_amounts, hold_accounts, hold_origins from ledger_read_holds(_hold_keys);
  states := _known; entries := array_fill(null::bigint, array[items]);
  digests := array_fill(null::bytea, array[items]);
  balances := array_fill(0::bigint, array[items]); versions := balances;
  leg_entries := array_fill(null::bigint, array[leg_total]); leg_places := array_fill(0::smallint, array[leg_total]);
  source_balances := leg_entries; target_balances := leg_entries;
  changes := array_fill(0::bigint, array[account_total]); moves := array_fill(0, array[account_total]);
  for i in 1 .. items loop
    state := _known[i]; first := _first_legs[i]; last := first + _leg_counts[i] - 1;
    moved := 0; drained := 0; legs := '';
    hold := array_position(hold_keys, _hold_keys[i]);
    state := coalesce(state, ledger_hold_fault(_hold_actions[i], _leg_counts[i], hold_states[hold]));
    for leg in first .. last loop
      exit when state is not null;
      source := _sources[leg]; target := _targets[leg]; amount := _amounts[leg];
      state := ledger_leg_fault(
        amount, balance[source], balance[target], source = target, asset[source] = asset[target],
        coalesce(_hold_actions[i] = 'open', false), is_hold[target],
        is_hold[source] and _accounts[source] is distinct from hold_accounts[hold], may_overdraw[source]);
      continue when state is not null;
      balance[source] := balance[source] - amount; balance[target] := balance[target] + amount;
      if is_hold[source] then drained := drained + amount; end if;
      source_balances[leg] := balance[source]; target_balances[leg] := balance[target]; moved := moved + 1;
      legs := legs || _accounts[source] || ':' || -amount || ':' || balance[source] || ','
        || _accounts[target] || ':' || amount || ':' || balance[target] || ',';
    end loop;
    if state is null and _hold_actions[i] in ('post', 'release') and (drained <> hold_amounts[hold]
        or _hold_actions[i] = 'release' and (moved <> 1 or _accounts[target] <> hold_origins[hold])) then
      state := 'impossible';
    end if;
    entry := case when state is null and moved > 0 then nextval('ledger_entry_id') end;
    for leg in first .. first + moved - 1 loop
      source := _sources[leg]; target := _targets[leg]; amount := _amounts[leg];
      if state is null then
        leg_entries[leg] := entry; leg_places[leg] := leg - first;
        changes[source] := changes[source] - amount; changes[target] := changes[target] + amount;
        moves[source] := moves[source] + 1; moves[target] := moves[target] + 1;
      else
        balance[source] := balance[source] + amount; balance[target] := balance[target] - amount;
      end if;
    end loop;
    if entry is not null then
      digests[i] := ledger_digest(entry, _kinds[i], _references[i], _members[i], _hold_keys[i], at_us, legs);
      if hold is not null then hold_states[hold] := 'CLOSED'; end if;
    end if;
    states[i] := coalesce(state, 'posted'); entries[i] := entry;
    if _watched[i] > 0 then
      balances[i] := balance[_watched[i]]; versions[i] := version[_watched[i]] + moves[_watched[i]];
    end if;
  end loop;
end $$;
