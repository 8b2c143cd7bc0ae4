-- What operators keep of a room's list: views under a name, and the columns each has before him.

create table desk_view (
  id text primary key,
  operator_id bigint not null references operator,
  room text not null,
  name text not null,
  -- Filters, order and columns, as they stand behind the question mark of the room's address.
  address text not null,
  audience text not null check (audience in ('me', 'role', 'all')),
  -- The role it is shared with.
  role text references operator_role,
  saved_at timestamptz not null,
  check ((audience = 'role') = (role is not null)),
  unique (operator_id, room, name)
);
create table desk_columns (
  operator_id bigint not null references operator,
  room text not null,
  shown text[] not null,
  primary key (operator_id, room)
);
grant select, insert, update, delete on desk_view, desk_columns to krapao_app;

-- Every arrival has a name of its own, so that the open pages of one browser ring for it once between them. Several
-- of one transaction are one arrival.
create or replace function desk_arrived() returns trigger language plpgsql as $$
begin
  perform pg_notify('desk', tg_argv[0] || ' new ' || pg_current_xact_id());
  return null;
end $$;
create or replace function desk_waits() returns trigger language plpgsql as $$
begin
  if exists (select from added where status = 'REVIEW') then perform pg_notify('desk', tg_argv[0] || ' new ' || pg_current_xact_id()); end if;
  return null;
end $$;
create trigger desk_arrived after update of state on provider_transfer for each row
  when (old.state <> 'UNKNOWN' and new.state = 'UNKNOWN') execute function desk_arrived('transfers');
create trigger desk_arrived after insert on deposit_claim for each row
  when (new.status = 'PENDING') execute function desk_arrived('reports');
create trigger desk_arrived after insert or update of state on bank_sighting for each row
  when (new.state = 'ASK') execute function desk_arrived('reports');

-- The orders in which lists are asked for.
create index deposit_amount on deposit (amount, id);
create index bank_line_unmatched_amount on bank_line (amount, id) where state = 'UNMATCHED';
create index slip_made on slip (created_at, id);
create index member_name on member (name, id);
