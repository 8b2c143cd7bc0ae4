-- Keeps what an error reference stands for

-- Which call answered which code under a reference that a member may show to support, and whose call it was. Rows are
-- bounded by the hour where they are made and deleted by age. Neither bodies nor addresses are kept.
create table error_reference (
  reference text primary key,
  -- Null for a visitor.
  member_id bigint,
  call text not null,
  code text not null,
  request_id text not null,
  created_at timestamptz not null
);
create index error_reference_age on error_reference (created_at);

grant select, insert, delete on error_reference to krapao_app;
