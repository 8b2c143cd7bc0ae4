-- Words operators write, by revision: table content stays what members are shown.
create table content_revision (
  key text not null,
  revision integer not null check (revision > 0),
  -- {"th": …, "la": …, "en": …}, each as in content.body.
  words jsonb not null,
  published_by text not null,
  published_at timestamptz not null,
  reason text,
  -- The earlier revision that this one brings back.
  reverts integer,
  primary key (key, revision)
);
insert into content_revision (key, revision, words, published_by, published_at)
  select key, 1, jsonb_object_agg(language, body), 'system', max(updated_at) from content group by key;

-- At most one a key: what has been written and not yet published. The id changes with every saving.
create table content_draft (
  key text primary key,
  id text not null,
  words jsonb not null,
  saved_by text not null,
  saved_at timestamptz not null
);

-- Pictures in content, drawn anew.
create table content_picture (
  id text primary key,
  jpeg bytea not null,
  added_by text not null,
  added_at timestamptz not null
);

grant select, insert on content_revision, content_picture to krapao_app;
grant select, insert, update, delete on content_draft to krapao_app;

alter table source add column is_open boolean not null default true;
alter table bank add column is_open boolean not null default true;

update operator_role set permissions = permissions || '{content.read,content.manage}'::text[], updated_at = now()
  where code in ('marketing', 'admin') and not 'content.read' = any(permissions);
update operator_role set permissions = permissions || '{content.read}'::text[], updated_at = now()
  where code = 'auditor' and not 'content.read' = any(permissions);
