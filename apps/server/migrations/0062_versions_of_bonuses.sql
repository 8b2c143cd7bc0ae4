-- Every version of a bonus is kept, whoever wrote it, and members in sight of it see a change at once.
alter table bonus add column changed_reason text;
-- The version this one brought back.
alter table bonus add column reverts integer;

create table bonus_version (
  bonus_id bigint not null references bonus,
  version integer not null,
  -- The row as it was.
  row jsonb not null,
  primary key (bonus_id, version)
);
insert into bonus_version select id, version, to_jsonb(b) from bonus b;

create function bonus_keep_version() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into bonus_version values (new.id, new.version, to_jsonb(new)) on conflict do nothing;
  return null;
end $$;
create trigger bonus_keep_version after insert or update on bonus for each row execute function bonus_keep_version();
create trigger site_changed after insert or update on bonus for each statement execute function site_changed('bonuses');

grant select on bonus_version to krapao_app;

-- Lists of runs: of a member and of a bonus, newest first; ids sort by time.
create index bonus_run_member on bonus_run (member_id, id);
create index bonus_run_bonus on bonus_run (bonus_id, id) where bonus_id is not null;
