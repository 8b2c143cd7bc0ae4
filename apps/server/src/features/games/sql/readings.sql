-- Rejects a balance reading of a game account with STALE when the account changed since the provider was queried: a
-- transfer is in progress or ended meanwhile, a newer reading was stored, or the provider balance differs from the
-- one that the gain or loss was calculated from.
create or replace function guard_game_reading(_rows text[]) returns text[] language sql as $$
  select array_agg(case
      when a.version <> (r.row).mirror_version then 'STALE'
      when g.asked_turn > (r.row).turn then 'STALE'
      when exists (
        select 1
        from provider_transfer t
        where t.member_id = (r.row).member_id and t.slot_code = (r.row).slot_code
          and t.state in ('RESERVED', 'UNKNOWN')
      ) then 'STALE'
      when exists (
        select 1
        from provider_transfer t
        where t.member_id = (r.row).member_id and t.slot_code = (r.row).slot_code and t.ended_turn > (r.row).turn
      ) then 'STALE'
    end order by r.position)
  from (
    select u.text::game_reading_row as row, u.position
    from unnest(_rows) with ordinality u(text, position)
  ) r
  join ledger_account a on a.id = (r.row).mirror_account
  join game_account g on g.member_id = (r.row).member_id and g.slot_code = (r.row).slot_code
$$;

-- Stores the readings in their game accounts.
create or replace function write_game_reading(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
begin
  update game_account g
    set credits = p.credits, outstanding = p.outstanding, asked_at = p.asked_at, asked_turn = p.turn
    from (select (r::game_reading_row).* from unnest(_rows) r) p
    where g.member_id = p.member_id and g.slot_code = p.slot_code;
end $$;

-- Rejects a reading that an operator books, as guard_game_reading does.
create or replace function guard_operator_game_reading(_rows text[]) returns text[] language sql as $$
  select guard_game_reading(array_agg(((u.text::operator_game_reading_row).reading)::text order by u.position))
  from unnest(_rows) with ordinality u(text, position)
$$;

-- Stores the readings and records the operators' actions.
create or replace function write_operator_game_reading(_rows text[], _entries bigint[], _now timestamptz)
returns void language plpgsql as $$
declare
  parsed operator_game_reading_row[];
begin
  select array_agg(u.row::operator_game_reading_row order by u.position)
    into parsed
    from unnest(_rows) with ordinality u(row, position);
  perform write_game_reading(array_agg((p.reading)::text order by ordinality), _entries, _now)
    from unnest(parsed) with ordinality p;
  perform operator_write(array_agg(p.action), _now) from unnest(parsed) p;
end $$;

-- Keeps the old rate of a game account that has credits, open bets, a provider balance or a transfer in progress:
-- their value was calculated with that rate.
create or replace function game_rate_waits() returns trigger language plpgsql
  security definer set search_path = public, pg_temp
as $$
begin
  if old.credits <> 0 or old.outstanding <> 0
      or exists (select 1 from ledger_account a where a.id = old.mirror_account and a.balance <> 0)
      or exists (
        select 1
        from provider_transfer t
        where t.member_id = old.member_id and t.slot_code = old.slot_code and t.state in ('RESERVED', 'UNKNOWN'))
    then new.rate_micro := old.rate_micro;
  end if;
  return new;
end $$;

-- Notifies member apps that games have changed.
create or replace trigger site_changed
  after insert or update on slot for each statement
  execute function site_changed('games');

-- Does the same when a provider is stopped or reopened, or named differently.
create or replace trigger site_changed
  after insert or update on game_provider for each statement
  execute function site_changed('games');

-- Checks a changed rate while the row is locked. The guard of transfers locks the same row before it compares the
-- rate.
create or replace trigger game_rate_waits
  before update of rate_micro on game_account
  for each row when (old.rate_micro is distinct from new.rate_micro)
  execute function game_rate_waits();

insert into ledger_companion (name, guard_function, write_function) values
  ('game_reading', 'guard_game_reading', 'write_game_reading'),
  ('operator_game_reading', 'guard_operator_game_reading', 'write_operator_game_reading')
on conflict (name) do update set guard_function = excluded.guard_function, write_function = excluded.write_function;
