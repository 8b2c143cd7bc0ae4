-- The accounts of a batch, in the order of their ids as given; null for one that does not exist.
create or replace function ledger_read_accounts(
  _accounts bigint[],
  out balances bigint[], out versions bigint[], out may_overdraw boolean[], out assets smallint[],
  out is_hold boolean[]
) language plpgsql as $$
begin
  select array_agg(a.balance), array_agg(a.version), array_agg(a.allow_negative), array_agg(a.asset),
      array_agg(a.kind = 'hold')
    into balances, versions, may_overdraw, assets, is_hold
    from (
      select a.balance, a.version, a.allow_negative, a.asset, a.kind
      from unnest(_accounts) with ordinality u(id, position) left join ledger_account a on a.id = u.id
      order by u.position
    ) a;
end $$;

-- The holds of a batch that exist.
create or replace function ledger_read_holds(
  _keys text[],
  out keys text[], out states text[], out amounts bigint[], out accounts bigint[], out origins bigint[]
) language plpgsql as $$
begin
  select array_agg(h.key), array_agg(h.state), array_agg(h.amount), array_agg(h.hold_account),
      array_agg(h.from_account)
    into keys, states, amounts, accounts, origins
    from ledger_hold h where h.key = any(_keys);
end $$;

-- Writes the entries of a batch and the batch, whose hash continues the chain.
create or replace function ledger_write_entries(
  _entries bigint[], _kinds text[], _references text[], _members bigint[], _hold_keys text[], _digests bytea[],
  _now timestamptz
) returns void language plpgsql as $$
declare
  this_batch bigint;
begin
  insert into ledger_batch (entries, created_at, hash)
    select count(*), _now, sha256(
      (select b.hash from ledger_batch b order by b.id desc limit 1) || string_agg(u.digest, '' order by u.position))
    from unnest(_digests) with ordinality u(digest, position) where u.digest is not null
    returning id into this_batch;
  insert into ledger_entry (id, batch_id, kind, reference, member_id, hold_key, created_at, digest)
    select u.id, this_batch, u.kind, u.reference, u.member_id, u.hold_key, _now, u.digest
    from unnest(_entries, _kinds, _references, _members, _hold_keys, _digests)
      u(id, kind, reference, member_id, hold_key, digest)
    where u.id is not null;
end $$;

-- Writes two postings a leg: out of its source, into its target.
create or replace function ledger_write_postings(
  _leg_entries bigint[], _leg_places smallint[], _sources int[], _targets int[], _amounts bigint[],
  _accounts bigint[], _source_balances bigint[], _target_balances bigint[]
) returns void language plpgsql as $$
begin
  insert into ledger_posting (account_id, entry_id, leg, amount, balance_after)
    select _accounts[case s.side when 0 then u.source else u.target end], u.entry, u.place * 2 + s.side,
      case s.side when 0 then -u.amount else u.amount end,
      case s.side when 0 then u.source_balance else u.target_balance end
    from unnest(_leg_entries, _leg_places, _sources, _targets, _amounts, _source_balances, _target_balances)
        u(entry, place, source, target, amount, source_balance, target_balance),
      (values (0), (1)) s(side)
    where u.entry is not null;
end $$;

-- Brings balances and versions of the accounts that moved up to date.
create or replace function ledger_write_accounts(_accounts bigint[], _changes bigint[], _moves int[])
returns void language plpgsql as $$
begin
  update ledger_account set balance = balance + u.change, version = version + u.moves
    from unnest(_accounts, _changes, _moves) u(account_id, change, moves)
    where ledger_account.id = u.account_id and u.moves > 0;
end $$;

-- Opens and closes the holds of the entries.
create or replace function ledger_write_holds(
  _actions text[], _keys text[], _entries bigint[], _first_legs int[], _sources int[], _targets int[],
  _amounts bigint[], _accounts bigint[]
) returns void language plpgsql as $$
begin
  if 'open' = any(_actions) then
    insert into ledger_hold (key, from_account, hold_account, amount, state, opened_by)
      select u.key, _accounts[_sources[u.leg]], _accounts[_targets[u.leg]], _amounts[u.leg], 'OPEN', u.entry
      from unnest(_keys, _actions, _first_legs, _entries) u(key, action, leg, entry)
      where u.action = 'open' and u.entry is not null;
  end if;
  if 'post' = any(_actions) or 'release' = any(_actions) then
    update ledger_hold set state = case u.action when 'post' then 'POSTED' else 'RELEASED' end, closed_by = u.entry
      from unnest(_keys, _actions, _entries) u(key, action, entry)
      where ledger_hold.key = u.key and u.action in ('post', 'release') and u.entry is not null;
  end if;
end $$;

-- Stores the response of each item under its idempotency key: its own when it was posted, else the refusal that
-- its caller forced. A refusal of a guard or a balance is not stored here: the caller turns it into its public code
-- and stores that by a separate item. 'Too many requests' is temporary and is not stored either.
create or replace function ledger_save_answers(
  _members bigint[], _calls text[], _keys text[], _hashes text[], _call_states text[], _answers text[],
  _states text[], _refusals text[], _balances bigint[], _now timestamptz
) returns void language plpgsql as $$
begin
  insert into idempotency (member_id, call, key, body_hash, state, refused, answer, wallet_after, created_at)
    select u.member_id, u.call, u.key, u.hash, case u.state when 'posted' then u.call_state else 'DONE' end,
      u.state <> 'posted', case u.state when 'posted' then u.answer else u.refusal end,
      case u.state when 'posted' then u.balance end, _now
    from unnest(_members, _calls, _keys, _hashes, _call_states, _answers, _states, _refusals, _balances)
      u(member_id, call, key, hash, call_state, answer, state, refusal, balance)
    where u.key is not null
      and (u.state = 'posted' or u.state = 'refused' and u.refusal not like '%"REQUEST_LIMIT"%');
end $$;
