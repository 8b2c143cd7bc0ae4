-- Banners and how-to guides by operators, the files they show, and a word to members' screens when any of it changes.

-- Pictures drawn anew, and films as they came; anybody may see them. In parts, so that a film is read piece by piece.
create table content_file (
  id text primary key,
  type text not null check (type in ('image/jpeg', 'video/mp4', 'video/webm')),
  bytes integer not null check (bytes > 0),
  part_bytes integer not null check (part_bytes > 0),
  added_by text not null,
  added_at timestamptz not null
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
insert into howto_guide (name, position) values
  ('wallet', 1), ('enter-game', 2), ('check-balance', 3), ('receive-bonus', 4), ('end-bonus', 5);

grant select, insert on content_file, content_file_part to krapao_app;
grant select, insert, update on banner, howto_guide to krapao_app;

-- Told to every member's screen: what it shows of the site is no longer so.
create function site_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('member_event',
    jsonb_build_array(jsonb_build_object('memberId', '*', 'event', 'site', 'payload', jsonb_build_object('part', tg_argv[0])))::text);
  return null;
end $$;
create trigger site_changed after insert or update on banner for each statement execute function site_changed('words');
create trigger site_changed after insert or update on content for each statement execute function site_changed('words');
create trigger site_changed after insert or update on slot for each statement execute function site_changed('games');
create trigger site_changed after insert or update on setting for each statement execute function site_changed('settings');
