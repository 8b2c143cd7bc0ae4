-- What happens to a game account is put in order by a counter of the database: the clocks of several servers differ, and
-- by them a transfer that ended while a balance was read looked older than the question.

create sequence game_turn;
grant usage on sequence game_turn to krapao_app;

-- Null: from before there were turns.
alter table provider_transfer add column ended_turn bigint;
-- Taken before the balance was asked for.
alter table game_account add column asked_turn bigint;
-- The database's time at which somebody took the right to open the account; a later caller takes it over after a while.
alter table game_account add column reserved_at timestamptz not null default now();

create function transfer_takes_turn() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.ended_turn := nextval('game_turn');
  return new;
end $$;
create trigger transfer_takes_turn before update of state on provider_transfer
  for each row when (new.state in ('DONE', 'FAILED') and old.state is distinct from new.state) execute function transfer_takes_turn();

create type game_reading_row as (member_id bigint, slot_code text, credits bigint, outstanding bigint, asked_at timestamptz, turn bigint,
  mirror_account bigint, mirror_version bigint);
create type desk_game_reading_row as (act desk_act_row, reading game_reading_row);

-- A reading counts only if nothing moved since it was asked for: no transfer under way or ended meanwhile, no newer
-- reading, and the mirror still as it was when the difference was worked out.
create function guard_game_reading(_rows text[]) returns text[] language sql as $$
  select array_agg(case
      when a.version <> (r.row).mirror_version then 'STALE'
      when g.asked_turn > (r.row).turn then 'STALE'
      when exists (select 1 from provider_transfer t where t.member_id = (r.row).member_id and t.slot_code = (r.row).slot_code
        and (t.state in ('RESERVED', 'UNKNOWN') or t.ended_turn > (r.row).turn)) then 'STALE'
    end order by r.o)
  from (select u.text::game_reading_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
  join ledger_account a on a.id = (r.row).mirror_account
  join game_account g on g.member_id = (r.row).member_id and g.slot_code = (r.row).slot_code
$$;

create function write_game_reading(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
begin
  update game_account g set credits = p.credits, outstanding = p.outstanding, asked_at = p.asked_at, asked_turn = p.turn
    from (select (r::game_reading_row).* from unnest(_rows) r) p
    where g.member_id = p.member_id and g.slot_code = p.slot_code;
end $$;

create function guard_desk_game_reading(_rows text[]) returns text[] language sql as $$
  select guard_game_reading(array_agg(((u.text::desk_game_reading_row).reading)::text order by u.o)) from unnest(_rows) with ordinality u(text, o)
$$;

create function write_desk_game_reading(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed desk_game_reading_row[];
begin
  select array_agg(r::desk_game_reading_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  perform write_game_reading(array_agg((p.reading)::text order by ordinality), _entries, _now) from unnest(parsed) with ordinality p;
  perform desk_write(array_agg(p.act), _now) from unnest(parsed) p;
end $$;

insert into ledger_companion values
  ('game_reading', 'guard_game_reading', 'write_game_reading'),
  ('desk_game_reading', 'guard_desk_game_reading', 'write_desk_game_reading');

-- As before, for servers of the version before, whose readings have no turn: they count from when they are booked.
create or replace function write_game_result(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
begin
  update game_account g set credits = p.credits, outstanding = p.outstanding, asked_at = p.asked_at, asked_turn = nextval('game_turn')
    from (select (r::game_result_row).* from unnest(_rows) r) p
    where g.member_id = p.member_id and g.slot_code = p.slot_code;
end $$;
