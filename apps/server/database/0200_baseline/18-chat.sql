-- Support chat

-- Support chat: one conversation a member, or a guest until he turns out to be a member; sessions in it, and one order
-- of messages. A message is stored before it is answered or told, and never changes.
create table chat_conversation (
  id bigint generated always as identity primary key,
  member_id bigint unique references member,
  -- SHA-256 of a guest's secret.
  guest_hash bytea unique,
  -- The member's conversation a guest's talk has joined, once and for good.
  merged_into bigint,
  language text check (language in ('th', 'la', 'en')),
  state text not null default 'ENDED' check (state in ('OPEN', 'ENDED')),
  last_words text not null default '',
  last_sender text not null default 'customer',
  last_at timestamptz not null,
  waiting_since timestamptz,
  customer_read bigint not null default 0,
  agent_read bigint not null default 0,
  assignee bigint references operator,
  snoozed_until timestamptz,
  tags text[] not null default '{}',
  created_at timestamptz not null,
  check ((member_id is null) <> (guest_hash is null))
);
create index chat_conversation_open on chat_conversation (coalesce(waiting_since, last_at), id)
  where state = 'OPEN' and merged_into is null;
create index chat_conversation_ended on chat_conversation (last_at desc, id desc)
  where state = 'ENDED' and merged_into is null;

create table chat_session (
  id bigint generated always as identity primary key,
  conversation_id bigint not null references chat_conversation,
  opened_at timestamptz not null,
  ended_at timestamptz,
  -- agent, idle or merged.
  ended_by text,
  operator_id bigint references operator,
  first_answer_at timestamptz,
  rating integer check (rating between 1 and 5),
  check ((ended_at is null) = (ended_by is null))
);
create unique index chat_session_open on chat_session (conversation_id) where ended_at is null;
create index chat_session_of on chat_session (conversation_id, id);
create index chat_session_opened on chat_session (opened_at);

create table chat_message (
  -- The order of what is said: ids of a conversation are given under its lock.
  id bigint generated always as identity primary key,
  conversation_id bigint not null references chat_conversation,
  session_id bigint not null references chat_session,
  sender text not null check (sender in ('customer', 'agent', 'note')),
  -- Who of the house wrote it; null: the house itself.
  operator_id bigint references operator,
  -- As it goes over the wire, without `deliver`; files by their key.
  message jsonb not null,
  client_id text not null,
  created_at timestamptz not null,
  unique (conversation_id, client_id)
);
create index chat_message_of on chat_message (conversation_id, id);
create index chat_message_words on chat_message using gin (to_tsvector('simple', message::text));
create index chat_message_media on chat_message (conversation_id, created_at)
  where sender = 'customer' and message ->> 'message_type' = 'media';

create table chat_file (
  key text primary key,
  kind text not null check (kind in ('image', 'video')),
  message_id bigint references chat_message,
  created_at timestamptz not null,
  -- What files of a talk weigh, and until when a guest's are kept.
  bytes bigint not null default 0 check (bytes >= 0),
  -- Only of what a guest sent: a member's stays.
  kept_until timestamptz
);
create index chat_file_unused on chat_file (created_at) where message_id is null;
create index chat_file_kept_until on chat_file (kept_until) where kept_until is not null;
create index chat_file_of on chat_file (message_id) where message_id is not null;

create table chat_canned (
  shortcut text primary key,
  text text not null,
  changed_by text not null,
  changed_at timestamptz not null
);

grant select, insert, update on chat_conversation, chat_session, chat_message to krapao_app;
grant select, insert, update, delete on chat_file, chat_canned to krapao_app;
