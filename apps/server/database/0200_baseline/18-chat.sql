-- Support chat

-- Conversations of support chat: one for each member or guest. A guest's is merged when the guest logs in.
create table chat_conversation (
  id bigint generated always as identity primary key,
  member_id bigint unique references member,
  -- SHA-256 of the guest's secret.
  guest_hash bytea unique,
  -- The member's conversation that this guest's was merged into.
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

-- Sessions of a conversation, at most one open.
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

-- Messages, which are stored before they are confirmed or sent and never change.
create table chat_message (
  -- Order of the messages: ids are assigned under the lock of the conversation.
  id bigint generated always as identity primary key,
  conversation_id bigint not null references chat_conversation,
  session_id bigint not null references chat_session,
  sender text not null check (sender in ('customer', 'agent', 'note')),
  -- The operator who wrote it; null for an automatic message.
  operator_id bigint references operator,
  -- As sent to clients, without `deliver`; files by their key.
  message jsonb not null,
  client_id text not null,
  created_at timestamptz not null,
  unique (conversation_id, client_id)
);
create index chat_message_of on chat_message (conversation_id, id);
create index chat_message_words on chat_message using gin (to_tsvector('simple', message::text));
create index chat_message_media on chat_message (conversation_id, created_at)
  where sender = 'customer' and message ->> 'message_type' = 'media';

-- Files sent in conversations.
create table chat_file (
  key text primary key,
  kind text not null check (kind in ('image', 'video')),
  message_id bigint references chat_message,
  created_at timestamptz not null,
  -- Size, for the limits on files of a conversation.
  bytes bigint not null default 0 check (bytes >= 0),
  -- Set for guests' files only; members' files are kept.
  kept_until timestamptz
);
create index chat_file_unused on chat_file (created_at) where message_id is null;
create index chat_file_kept_until on chat_file (kept_until) where kept_until is not null;
create index chat_file_of on chat_file (message_id) where message_id is not null;

-- Prepared replies of operators.
create table chat_canned (
  shortcut text primary key,
  text text not null,
  changed_by text not null,
  changed_at timestamptz not null
);

grant select, insert, update on chat_conversation, chat_session, chat_message to krapao_app;
grant select, insert, update, delete on chat_file, chat_canned to krapao_app;
