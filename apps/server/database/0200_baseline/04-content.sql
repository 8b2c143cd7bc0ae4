-- Content: banks, sources, texts, pictures, banners, guides

create table bank (
  code text primary key,
  bot_code text,
  name_local text not null,
  name_en text not null,
  color text,
  variant text not null check (variant in ('th', 'la')),
  account_lengths integer[],
  position integer not null,
  is_open boolean not null default true
);

create table source (
  code text primary key,
  description_th text not null,
  description_la text not null,
  description_en text not null,
  position integer not null,
  is_open boolean not null default true
);

-- Words operators write, one row a language: conditions, agreements, notice, contact, info.
create table content (
  key text not null,
  language text not null check (language in ('th', 'la', 'en')),
  body jsonb not null,
  updated_at timestamptz not null,
  primary key (key, language)
);

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
  added_at timestamptz not null,
  unused_since timestamptz
);

-- Pictures drawn anew, and films as they came; anybody may see them. In parts, so that a film is read piece by piece.
create table content_file (
  id text primary key,
  type text not null check (type in ('image/jpeg', 'video/mp4', 'video/webm')),
  bytes integer not null check (bytes > 0),
  part_bytes integer not null check (part_bytes > 0),
  added_by text not null,
  added_at timestamptz not null,
  -- Since when it was seen to be named nowhere; null: named, or not yet looked at.
  unused_since timestamptz
);

create table content_file_part (
  file_id text not null references content_file,
  part integer not null check (part >= 0),
  bytes bytea not null,
  primary key (file_id, part)
);

create table banner (
  id bigint generated always as identity primary key,
  -- Where members see it; each place asks for its own.
  place text not null check (place in ('home', 'invite', 'refund', 'bonus')),
  -- {"th": {"title", "html", "picture"}, "la": …, "en": …}; picture is the id of a content_file or null.
  words jsonb not null,
  -- Where it leads: an https address, a path of the member app, or nothing.
  link text not null default '',
  is_open boolean not null,
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  position integer not null,
  version integer not null default 1,
  changed_by text not null,
  changed_at timestamptz not null
);
create index banner_place on banner (place, position, id);

-- The five guides of the how-to page. An empty title and no film stand for those that come with the product.
create table howto_guide (
  name text primary key,
  -- {"th", "la", "en"}
  titles jsonb not null default '{"th": "", "la": "", "en": ""}',
  video text,
  is_open boolean not null default true,
  position integer not null,
  version integer not null default 1
);

grant select, insert, update on bank, source, content, banner, howto_guide to krapao_app;
grant select, insert on content_revision to krapao_app;
grant select, insert, update, delete on content_draft to krapao_app;
grant select, insert, update (unused_since), delete on content_picture, content_file to krapao_app;
grant select, insert, delete on content_file_part to krapao_app;
