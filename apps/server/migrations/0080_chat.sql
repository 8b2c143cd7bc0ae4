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
create index chat_conversation_open on chat_conversation (coalesce(waiting_since, last_at), id) where state = 'OPEN' and merged_into is null;
create index chat_conversation_ended on chat_conversation (last_at desc, id desc) where state = 'ENDED' and merged_into is null;

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

create table chat_file (
  key text primary key,
  kind text not null check (kind in ('image', 'video')),
  message_id bigint references chat_message,
  created_at timestamptz not null
);
create index chat_file_unused on chat_file (created_at) where message_id is null;

create table chat_canned (
  shortcut text primary key,
  text text not null,
  changed_by text not null,
  changed_at timestamptz not null
);

-- The room of the live socket in which a conversation is told.
create function chat_room(_c chat_conversation) returns text language sql immutable as $$
  select case when _c.member_id is not null then 'member-' || _c.member_id else 'guest-' || encode(_c.guest_hash, 'hex') end
$$;

create function chat_tell(_c chat_conversation, _event text, _payload jsonb) returns void language sql as $$
  select pg_notify('member_event', jsonb_build_array(jsonb_build_object('room', chat_room(_c), 'event', _event, 'payload', _payload))::text)
$$;

-- The conversation of a member or a guest, made at first use.
create function chat_conversation_of(_member bigint, _guest bytea, _language text, _now timestamptz) returns bigint language plpgsql as $$
declare found bigint;
begin
  if _member is not null then
    insert into chat_conversation (member_id, last_at, created_at) values (_member, _now, _now) on conflict (member_id) do nothing;
    update chat_conversation set language = coalesce(_language, language) where member_id = _member and language is distinct from coalesce(_language, language);
    select id into found from chat_conversation where member_id = _member;
  else
    insert into chat_conversation (guest_hash, last_at, created_at) values (_guest, _now, _now) on conflict (guest_hash) do nothing;
    update chat_conversation set language = coalesce(_language, language) where guest_hash = _guest and language is distinct from coalesce(_language, language);
    select id into found from chat_conversation where guest_hash = _guest and merged_into is null;
  end if;
  return found;
end $$;

-- Says something: the same client id again is the same message. A customer's word opens a session when none is open, or
-- when the last word was an agent's longer ago than `_idle`.
create function chat_say(_conversation bigint, _sender text, _operator bigint, _message jsonb, _words text, _client text, _now timestamptz,
  _idle interval, out id bigint, out session_id bigint, out created_at timestamptz, out is_new boolean, out is_first boolean)
language plpgsql as $$
declare c chat_conversation; s chat_session;
begin
  select * into c from chat_conversation k where k.id = _conversation for update;
  select m.id, m.session_id, m.created_at into id, session_id, created_at from chat_message m where m.conversation_id = _conversation and m.client_id = _client;
  is_new := id is null;
  is_first := false;
  if not is_new then return; end if;
  select * into s from chat_session k where k.conversation_id = _conversation and k.ended_at is null;
  if s.id is not null and _sender = 'customer' and c.last_sender = 'agent' and c.last_at + _idle < _now then
    update chat_session k set ended_at = c.last_at + _idle, ended_by = 'idle' where k.id = s.id;
    s := null;
  end if;
  if s.id is null then
    insert into chat_session (conversation_id, opened_at) values (_conversation, _now) returning * into s;
    is_first := _sender = 'customer';
    update chat_conversation k set assignee = case when _sender = 'agent' then _operator end, state = 'OPEN' where k.id = _conversation;
  end if;
  -- Time never runs backwards in a conversation.
  created_at := greatest(_now, c.last_at);
  insert into chat_message (conversation_id, session_id, sender, operator_id, message, client_id, created_at)
    values (_conversation, s.id, _sender, _operator, _message, _client, created_at) returning chat_message.id into id;
  session_id := s.id;
  if _sender = 'note' then
    perform pg_notify('desk', 'chats note ' || _conversation);
    return;
  end if;
  update chat_conversation k set last_words = left(_words, 200), last_sender = _sender, last_at = chat_say.created_at,
    waiting_since = case when _sender = 'agent' then (case when _operator is null then k.waiting_since end) else coalesce(k.waiting_since, chat_say.created_at) end,
    snoozed_until = case when _sender = 'customer' then null else k.snoozed_until end,
    assignee = case when _operator is not null then coalesce(k.assignee, _operator) else k.assignee end
    where k.id = _conversation;
  if _sender = 'agent' and _operator is not null then
    update chat_session k set first_answer_at = coalesce(k.first_answer_at, chat_say.created_at) where k.id = s.id;
  end if;
  perform chat_tell(c, 'messaging', jsonb_build_object('id', id));
  perform pg_notify('desk', 'chats ' || case _sender when 'customer' then 'new' else 'said' end || ' ' || id);
end $$;

-- Joins a guest's talk to a member's, once; answers whether it did.
create function chat_merge(_member bigint, _guest bytea, _now timestamptz) returns boolean language plpgsql as $$
declare g chat_conversation; m chat_conversation; own bigint;
begin
  select * into g from chat_conversation where guest_hash = _guest and merged_into is null for update;
  if g.id is null then return false; end if;
  own := chat_conversation_of(_member, null, g.language, _now);
  select * into m from chat_conversation where id = own for update;
  if exists (select 1 from chat_session where conversation_id = own and ended_at is null) then
    update chat_session set ended_at = _now, ended_by = 'merged' where conversation_id = g.id and ended_at is null;
  end if;
  update chat_message set conversation_id = own,
    client_id = case when exists (select 1 from chat_message o where o.conversation_id = own and o.client_id = chat_message.client_id)
      then client_id || ':' || id else client_id end where conversation_id = g.id;
  update chat_session set conversation_id = own where conversation_id = g.id;
  update chat_conversation set merged_into = own, state = 'ENDED', waiting_since = null where id = g.id;
  update chat_conversation k set state = case when g.state = 'OPEN' then 'OPEN' else k.state end,
    last_words = case when g.last_at >= k.last_at or k.last_words = '' then g.last_words else k.last_words end,
    last_sender = case when g.last_at >= k.last_at or k.last_words = '' then g.last_sender else k.last_sender end,
    last_at = greatest(k.last_at, g.last_at), waiting_since = least(k.waiting_since, g.waiting_since), assignee = coalesce(k.assignee, g.assignee),
    customer_read = greatest(k.customer_read, g.customer_read), agent_read = greatest(k.agent_read, g.agent_read),
    tags = (select coalesce(array_agg(distinct t), '{}') from unnest(k.tags || g.tags) t) where k.id = own;
  perform chat_tell(g, 'chat', '{"kind": "merged"}');
  perform pg_notify('desk', 'chats merged ' || own);
  return true;
end $$;

-- Ends the session that is open; answers which, or null when none is.
create function chat_end(_conversation bigint, _by text, _operator bigint, _now timestamptz) returns bigint language plpgsql as $$
declare c chat_conversation; ended bigint;
begin
  select * into c from chat_conversation where id = _conversation for update;
  update chat_session set ended_at = _now, ended_by = _by, operator_id = _operator where conversation_id = _conversation and ended_at is null returning id into ended;
  if ended is null then return null; end if;
  update chat_conversation set state = 'ENDED', waiting_since = null, snoozed_until = null where id = _conversation;
  perform chat_tell(c, 'chat', '{"kind": "ended"}');
  perform pg_notify('desk', 'chats ended ' || _conversation);
  return ended;
end $$;

grant select, insert, update on chat_conversation, chat_session, chat_message, chat_file, chat_canned to krapao_app;
grant delete on chat_file, chat_canned to krapao_app;

update operator_role set permissions = permissions || '{chat.read}'::text[], updated_at = now()
  where code in ('support', 'finance', 'finance-lead', 'risk', 'admin', 'auditor') and not 'chat.read' = any(permissions);
update operator_role set permissions = permissions || '{chat.answer}'::text[], updated_at = now()
  where code in ('support', 'finance', 'finance-lead') and not 'chat.answer' = any(permissions);
update operator_role set permissions = permissions || '{chat.manage}'::text[], updated_at = now()
  where code in ('finance-lead', 'admin') and not 'chat.manage' = any(permissions);
