-- A whole provider under maintenance: none of its games is entered, whatever each says of itself; money comes out.

create table game_provider (
  -- As `slot.adapter`.
  adapter text primary key,
  is_in_maintenance boolean not null,
  changed_by text not null,
  changed_at timestamptz not null
);

grant select, insert, update on game_provider to krapao_app;
