-- Lets operators tag members and pin notes about them

create table member_tag (
  member_id bigint not null references member(id),
  tag text not null check (length(tag) between 1 and 40),
  operator_id bigint not null references operator(id),
  tagged_at timestamptz not null,
  primary key (member_id, tag)
);
create index member_tag_of on member_tag (tag, member_id);
grant select, insert, delete on member_tag to krapao_app;

alter table member_note add column pinned_at timestamptz;
grant update (pinned_at) on member_note to krapao_app;
