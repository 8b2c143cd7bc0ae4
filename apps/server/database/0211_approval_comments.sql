-- Lets those who request and those who decide write to each other about a request

create table approval_comment (
  id bigint primary key generated always as identity,
  approval_id text not null references approval,
  operator_id bigint not null references operator,
  text text not null,
  written_at timestamptz not null
);
create index approval_comment_of on approval_comment (approval_id, id);

grant select, insert on approval_comment to krapao_app;
