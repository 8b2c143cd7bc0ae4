-- Lets operators put conversations on hold and keep macros

alter table chat_conversation add column held_since timestamptz;

create table chat_macro (
  name text primary key check (length(name) between 1 and 60),
  text text not null default '' check (length(text) <= 2000),
  tags text[] not null default '{}',
  is_taken boolean not null,
  ending text not null check (ending in ('NONE', 'HOLD', 'END')),
  changed_by text not null,
  changed_at timestamptz not null
);
grant select, insert, update, delete on chat_macro to krapao_app;
