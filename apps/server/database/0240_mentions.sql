-- Keeps mentions of operators in notes, and finds the alerts about one subject

create table mention (
  id bigint generated always as identity primary key,
  operator_id bigint not null references operator(id),
  author_id bigint not null references operator(id),
  subject text not null,
  excerpt text not null check (length(excerpt) between 1 and 300),
  written_at timestamptz not null,
  seen_at timestamptz
);
create index mention_unseen on mention (operator_id, id) where seen_at is null;
grant select, insert, update (seen_at) on mention to krapao_app;

create index alert_subject on alert (subject, opened_at);
