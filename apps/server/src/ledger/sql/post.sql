-- The text that the hash of an entry covers; verification builds it from the entry and compares.
create or replace function ledger_entry_text(
  _id bigint, _kind text, _reference text, _member bigint, _hold text, _at timestamptz, _legs text
) returns text language sql immutable as $$
  select concat_ws('|', _id, _kind, _reference, coalesce(_member, 0), coalesce(_hold, ''),
    (extract(epoch from _at) * 1000000)::bigint, _legs)
$$;

-- Posts a batch of items, each decided on its own, in one transaction under the ledger's lock. Item i has the legs
-- _first_legs[i] … + _leg_counts[i] - 1; sources, targets and watched accounts are positions in _accounts, attached
-- writes are positions in _attached_names (0: none).
-- Returns for each item
--   state     posted, insufficient (a member's account lacks the money), repeated (the reference is posted),
--             hold-closed, answered (the idempotency key has an answer), refused (codes[i] says why),
--             impossible (a fault of the caller)
--   entry     the ledger entry, when money moved
--   balance and version of the watched account after it
create or replace function ledger_post_batch(
  _references text[], _kinds text[], _members bigint[], _hold_actions text[], _hold_keys text[],
  _first_legs int[], _leg_counts int[], _watched int[], _attached int[], _rows text[],
  _call_members bigint[], _calls text[], _call_keys text[], _call_hashes text[], _call_states text[],
  _call_answers text[], _refusals text[],
  _sources int[], _targets int[], _amounts bigint[], _accounts bigint[], _attached_names text[], _now timestamptz,
  out states text[], out entries bigint[], out codes text[], out balances bigint[], out versions bigint[]
) language plpgsql security definer
  set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
  set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
  decided record;
begin
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  perform pg_advisory_xact_lock(4711);
  codes := ledger_ask_guards(_attached_names, _attached, _rows, _refusals);
  select * into decided from ledger_decide(
    ledger_known_states(_references, _call_members, _calls, _call_keys, codes),
    _references, _kinds, _members, _hold_actions, _hold_keys, _first_legs, _leg_counts, _watched,
    _sources, _targets, _amounts, _accounts, _now);
  states := decided.states;
  entries := decided.entries;
  balances := decided.balances;
  versions := decided.versions;
  if cardinality(array_remove(entries, null)) > 0 then
    perform ledger_write_entries(entries, _kinds, _references, _members, _hold_keys, decided.digests, _now);
    perform ledger_write_postings(
      decided.leg_entries, decided.leg_places, _sources, _targets, _amounts, _accounts,
      decided.source_balances, decided.target_balances);
    perform ledger_write_accounts(_accounts, decided.changes, decided.moves);
    perform ledger_write_holds(
      _hold_actions, _hold_keys, entries, _first_legs, _sources, _targets, _amounts, _accounts);
  end if;
  perform ledger_write_attached(_attached_names, _attached, _rows, states, entries, _now);
  perform ledger_save_answers(
    _call_members, _calls, _call_keys, _call_hashes, _call_states, _call_answers, states, _refusals, balances, _now);
end $$;

revoke all on function ledger_post_batch from public;
grant execute on function ledger_post_batch to krapao_app;
