-- The room of the live socket in which a conversation is told.
create or replace function chat_room(_c chat_conversation) returns text language sql immutable as $$
  select case when _c.member_id is not null then 'member-' || _c.member_id else 'guest-' || encode(_c.guest_hash, 'hex') end
$$;

create or replace function chat_tell(_c chat_conversation, _event text, _payload jsonb) returns void language sql as $$
  select pg_notify('member_event', jsonb_build_array(jsonb_build_object('room', chat_room(_c), 'event', _event, 'payload', _payload))::text)
$$;

-- The conversation of a member or a guest, made at first use.
create or replace function chat_conversation_of(_member bigint, _guest bytea, _language text, _now timestamptz) returns bigint language plpgsql as $$
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

-- Joins a guest's talk to a member's, once; answers whether it did.
create or replace function chat_merge(_member bigint, _guest bytea, _now timestamptz) returns boolean language plpgsql as $$
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
create or replace function chat_end(_conversation bigint, _by text, _operator bigint, _now timestamptz) returns bigint language plpgsql as $$
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

-- A talk that somebody holds is not idle; and who waits for one while he holds another may meet a merge the other way round.
create or replace function chat_end_idle(_conversation bigint, _now timestamptz, _idle interval) returns void language plpgsql as $$
begin
  perform 1 from chat_conversation where id = _conversation and state = 'OPEN' and merged_into is null
    and last_sender = 'agent' and waiting_since is null and last_at < _now - _idle for update skip locked;
  if found then perform chat_end(_conversation, 'idle', null, _now); end if;
end $$;

-- Keeps what a customer thinks of a session of his own that has ended, with the words he said it with: the newest tap
-- counts. They are said in the session of the last word, whichever that is, so that nothing is opened or parted by them.
-- The same client id again is the same message. Answers nothing when there is no such session to rate.
create or replace function chat_rate(_conversation bigint, _session bigint, _rating integer, _message jsonb, _client text, _now timestamptz,
  out id bigint, out session_id bigint, out created_at timestamptz)
language plpgsql as $$
declare c chat_conversation;
begin
  select * into c from chat_conversation k where k.id = _conversation for update;
  if c.merged_into is not null then
    select * into c from chat_conversation k where k.id = c.merged_into for update;
  end if;
  select m.id, m.session_id, m.created_at into id, session_id, created_at from chat_message m where m.conversation_id = c.id and m.client_id = _client;
  if id is not null then return; end if;
  update chat_session s set rating = _rating where s.id = _session and s.conversation_id = c.id and s.ended_at is not null;
  if not found then return; end if;
  select m.session_id into session_id from chat_message m where m.conversation_id = c.id and m.sender <> 'note' order by m.id desc limit 1;
  created_at := greatest(_now, c.last_at);
  insert into chat_message (conversation_id, session_id, sender, message, client_id, created_at)
    values (c.id, session_id, 'customer', _message, _client, created_at) returning chat_message.id into id;
  perform chat_tell(c, 'messaging', jsonb_build_object('id', id));
  perform pg_notify('desk', 'chats said ' || id);
end $$;
