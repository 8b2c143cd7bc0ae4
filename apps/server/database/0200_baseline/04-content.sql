-- Content: banks, sources, texts, pictures, banners, guides

-- Banks that members can have an account at.
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

-- Choices at registration of how the member learned of the site.
create table source (
  code text primary key,
  description_th text not null,
  description_la text not null,
  description_en text not null,
  position integer not null,
  is_open boolean not null default true
);

-- Texts written by operators, as members see them, one row for each language: conditions, agreements, notice,
-- contact, info, help.
create table content (
  key text not null,
  language text not null check (language in ('th', 'la', 'en')),
  body jsonb not null,
  updated_at timestamptz not null,
  primary key (key, language)
);

-- Published revisions of texts.
create table content_revision (
  key text not null,
  revision integer not null check (revision > 0),
  -- {"th": …, "la": …, "en": …}, each like content.body.
  words jsonb not null,
  published_by text not null,
  published_at timestamptz not null,
  reason text,
  -- The earlier revision that this one restores.
  reverts integer,
  primary key (key, revision)
);

-- Unpublished drafts of texts, at most one for each key. The id changes on every save.
create table content_draft (
  key text primary key,
  id text not null,
  words jsonb not null,
  saved_by text not null,
  saved_at timestamptz not null
);

-- Pictures in texts, re-encoded on upload.
create table content_picture (
  id text primary key,
  jpeg bytea not null,
  added_by text not null,
  added_at timestamptz not null,
  unused_since timestamptz
);

-- Uploaded files, readable by everyone: pictures, re-encoded on upload, and videos as uploaded. The bytes are stored
-- in parts, so that a video can be read in ranges.
create table content_file (
  id text primary key,
  type text not null check (type in ('image/jpeg', 'video/mp4', 'video/webm')),
  bytes integer not null check (bytes > 0),
  part_bytes integer not null check (part_bytes > 0),
  added_by text not null,
  added_at timestamptz not null,
  -- When the file was first found to be used nowhere; null when it is used or was not checked yet.
  unused_since timestamptz
);

-- Bytes of uploaded files, in parts of `part_bytes`.
create table content_file_part (
  file_id text not null references content_file,
  part integer not null check (part >= 0),
  bytes bytea not null,
  primary key (file_id, part)
);

-- Banners of the member app.
create table banner (
  id bigint generated always as identity primary key,
  -- The page that shows the banner.
  place text not null check (place in ('home', 'invite', 'refund', 'bonus')),
  -- {"th": {"title", "html", "picture"}, "la": …, "en": …}; picture is the id of a content_file or null.
  words jsonb not null,
  -- Link target: an https address, a path of the member app, or empty.
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

-- The five guides of the how-to page. An empty title or a null video means the one shipped with the product.
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
