-- Lets conversations belong to teams of operators
-- Names are compared without capitals.

create table chat_team (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 60),
  changed_by text not null,
  changed_at timestamptz not null
);
create unique index chat_team_name on chat_team (lower(name));
grant select, insert, update, delete on chat_team to krapao_app;

create table chat_team_member (
  team bigint not null references chat_team on delete cascade,
  operator_id bigint not null references operator,
  primary key (team, operator_id)
);
create index chat_team_member_operator on chat_team_member (operator_id);
grant select, insert, update, delete on chat_team_member to krapao_app;

alter table chat_conversation add column team bigint references chat_team on delete set null;
create index chat_conversation_team on chat_conversation (team) where team is not null;
