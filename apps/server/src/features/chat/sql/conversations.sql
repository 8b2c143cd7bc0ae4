-- Returns the socket.io room that receives the events of a conversation.
create or replace function chat_room(_c chat_conversation) returns text language sql immutable as $$
  select case
    when _c.member_id is not null then 'member-' || _c.member_id
    else 'guest-' || encode(_c.guest_hash, 'hex')
  end
$$;

-- Sends a live event to the member or guest of a conversation.
create or replace function chat_tell(_c chat_conversation, _event text, _payload jsonb)
returns void language sql as $$
  select pg_notify('member_event', jsonb_build_array(jsonb_build_object(
    'room', chat_room(_c), 'event', _event, 'payload', _payload))::text)
$$;

-- Returns the id of the conversation of a member or, when `_member` is null, of a guest. Creates it on first use and
-- stores the language unless that is null. A guest's conversation stays locked, so that it is not merged before the
-- caller has written to it. Returns null for a guest whose conversation was merged at login.
create or replace function chat_conversation_of(_member bigint, _guest bytea, _language text, _now timestamptz)
returns bigint language plpgsql as $$
declare
  conversation bigint;
  is_merged boolean;
begin
  if _member is not null then
    insert into chat_conversation (member_id, last_at, created_at)
      values (_member, _now, _now)
      on conflict (member_id) do nothing;
    select id into conversation from chat_conversation where member_id = _member;
  else
    loop
      insert into chat_conversation (guest_hash, last_at, created_at)
        values (_guest, _now, _now)
        on conflict (guest_hash) do nothing;
      select id, merged_into is not null
        into conversation, is_merged
        from chat_conversation
        where guest_hash = _guest;
      if is_merged then return null; end if;
      -- An operator's merge, which ends while this waits, takes the hash away: the guest begins another conversation.
      perform 1 from chat_conversation where id = conversation and guest_hash = _guest for update;
      exit when found;
    end loop;
  end if;
  update chat_conversation
    set language = _language
    where id = conversation and _language is not null and language is distinct from _language;
  return conversation;
end $$;

-- Returns a team for a conversation that the caller has locked, and keeps the team from removal until the
-- transaction ends. Returns null for a team that was removed or is being removed: its removal waits for
-- conversations, so a caller that has one locked must not wait for the removal.
create or replace function chat_team_for(_team bigint) returns bigint language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended('chat team ' || _team, 0)) then return null; end if;
  -- A statement of its own, so that it sees a removal that ended before the lock was taken.
  return (select id from chat_team where id = _team);
end $$;

-- Returns up to which message of `_sender` two conversations are read once `_from` is merged into `_into`. No unread
-- message counts as read, so read messages after it count as unread. While `_into` has unread messages its position
-- does not rise, because a rise deletes the member's notification of them.
create or replace function chat_merged_read(
  _sender text, _into bigint, _into_read bigint, _from bigint, _from_read bigint
) returns bigint language sql stable as $$
  select least(
    greatest(_into_read, _from_read),
    min(m.id) - 1,
    case when bool_or(m.conversation_id = _into) then _into_read end)
  from chat_message m
  where m.sender = _sender
    and (m.conversation_id = _into and m.id > _into_read or m.conversation_id = _from and m.id > _from_read)
$$;

-- Merges a guest's conversation into another: messages, sessions, tags, assignee, team and read positions. Sends the
-- live events. The caller has locked the guest's and has the one that stays in `_into`.
create or replace function chat_merge_into(_guest chat_conversation, _into bigint, _now timestamptz)
returns void language plpgsql as $$
declare
  target chat_conversation;
  -- The one whose session continues. An ended conversation brings neither its agent, who had the customer before,
  -- nor that it is put aside.
  continued chat_conversation;
  are_open boolean;
  read_by_customer bigint;
  read_by_agent bigint;
begin
  select * into target from chat_conversation where id = _into for update;
  read_by_customer := chat_merged_read('agent', _into, target.customer_read, _guest.id, _guest.customer_read);
  read_by_agent := chat_merged_read('customer', _into, target.agent_read, _guest.id, _guest.agent_read);
  are_open := target.state = 'OPEN' and _guest.state = 'OPEN';
  continued := target;
  if _guest.state = 'OPEN' and not are_open then continued := _guest; end if;
  -- A conversation has at most one open session.
  if exists (select 1 from chat_session where conversation_id = _into and ended_at is null) then
    -- A guest who waits for the first answer waits for that of the session that continues.
    update chat_session k
      set first_message_at = least(chat_first_message(k), chat_first_message(g))
      from chat_session g
      where g.conversation_id = _guest.id and g.ended_at is null and g.first_answer_at is null
        and k.conversation_id = _into and k.ended_at is null and k.first_answer_at is null
        and chat_first_message(g) < coalesce(chat_first_message(k), 'infinity');
    update chat_session
      set ended_at = _now, ended_by = 'merged'
      where conversation_id = _guest.id and ended_at is null;
  end if;
  update chat_message
    set conversation_id = _into,
      client_id = case
        when exists (
          select 1 from chat_message o where o.conversation_id = _into and o.client_id = chat_message.client_id
        ) then client_id || ':' || id
        else client_id
      end
    where conversation_id = _guest.id;
  update chat_session set conversation_id = _into where conversation_id = _guest.id;
  update chat_conversation set merged_into = _into, state = 'ENDED', waiting_since = null where id = _guest.id;
  update chat_conversation k
    set state = case when _guest.state = 'OPEN' then 'OPEN' else k.state end,
      last_words = case
        when _guest.last_at >= k.last_at or k.last_words = '' then _guest.last_words
        else k.last_words
      end,
      last_sender = case
        when _guest.last_at >= k.last_at or k.last_words = '' then _guest.last_sender
        else k.last_sender
      end,
      last_at = greatest(k.last_at, _guest.last_at),
      waiting_since = least(k.waiting_since, _guest.waiting_since),
      assignee = coalesce(continued.assignee, case when are_open then _guest.assignee end),
      -- A guest who waits brings the conversation back, as a message would.
      snoozed_until = case
        when are_open and _guest.waiting_since is not null then null
        else continued.snoozed_until
      end,
      held_since = case when are_open and _guest.waiting_since is not null then null else continued.held_since end,
      team = coalesce(k.team, chat_team_for(_guest.team)),
      customer_read = read_by_customer,
      agent_read = read_by_agent,
      tags = (select coalesce(array_agg(distinct t), '{}') from unnest(k.tags || _guest.tags) t)
    where k.id = _into;
  perform chat_tell(_guest, 'chat', '{"kind": "merged"}');
  perform chat_tell(target, 'chat', '{"kind": "merged"}');
  perform pg_notify('console', 'chats merged ' || _into);
end $$;

-- Merges a guest's conversation into that of the member whom the guest has logged in as. Returns false when the guest
-- has none or it was merged before.
create or replace function chat_merge(_member bigint, _guest bytea, _now timestamptz)
returns boolean language plpgsql as $$
declare
  guest chat_conversation;
begin
  select * into guest from chat_conversation where guest_hash = _guest and merged_into is null for update;
  if guest.id is null then return false; end if;
  perform chat_merge_into(guest, chat_conversation_of(_member, null, guest.language, _now), _now);
  return true;
end $$;

-- Merges a guest's conversation into another because an operator recognised whose it is. This proves nothing about
-- who holds the guest's secret, so the secret loses the conversation: its hash gives way to one that no secret has,
-- and the next message with it begins another conversation. The caller has locked and checked both conversations.
create or replace function chat_merge_by_operator(_from bigint, _into bigint, _now timestamptz)
returns void language plpgsql as $$
declare
  guest chat_conversation;
begin
  select * into strict guest from chat_conversation where id = _from and member_id is null and merged_into is null;
  perform chat_merge_into(guest, _into, _now);
  update chat_conversation set guest_hash = sha256(convert_to('merged ' || _from, 'UTF8')) where id = _from;
end $$;

-- Ends the open session of a conversation and sends the live events. Returns the id of the session, or null when none
-- is open.
create or replace function chat_end(_conversation bigint, _by text, _operator bigint, _now timestamptz)
returns bigint language plpgsql as $$
declare
  conversation chat_conversation;
  ended bigint;
begin
  select * into conversation from chat_conversation where id = _conversation for update;
  update chat_session
    set ended_at = _now, ended_by = _by, operator_id = _operator
    where conversation_id = _conversation and ended_at is null
    returning id into ended;
  if ended is null then return null; end if;
  update chat_conversation
    set state = 'ENDED', waiting_since = null, snoozed_until = null, held_since = null
    where id = _conversation;
  perform chat_tell(conversation, 'chat', '{"kind": "ended"}');
  perform pg_notify('console', 'chats ended ' || _conversation);
  return ended;
end $$;

-- Returns since when an agent's message has no reply, and not earlier than the end of the time for which the
-- conversation was put aside. Returns null when the customer waits or the conversation is on hold.
create or replace function chat_idle_since(_c chat_conversation) returns timestamptz language sql immutable as $$
  select case
    when _c.last_sender = 'agent' and _c.waiting_since is null and _c.held_since is null
      then greatest(_c.last_at, _c.snoozed_until)
  end
$$;

-- Ends a conversation that a member or guest has not continued for `_idle` after an agent's message. Skips a
-- conversation that another transaction has locked: it is in use, and waiting could deadlock with a merge.
create or replace function chat_end_idle(_conversation bigint, _now timestamptz, _idle interval)
returns void language plpgsql as $$
begin
  perform 1
    from chat_conversation c
    where id = _conversation and state = 'OPEN' and merged_into is null and chat_idle_since(c) < _now - _idle
    for update skip locked;
  if found then perform chat_end(_conversation, 'idle', null, _now); end if;
end $$;

-- Stores a rating of an ended session of the conversation, a later rating replacing an earlier one, and the message
-- that goes with it. The message joins the session of the latest message, whichever that is, so that it neither opens
-- nor splits a session. Returns the message; for a repeated client id, the stored one; all null when there is no such
-- session.
create or replace function chat_rate(
  _conversation bigint, _session bigint, _rating integer, _message jsonb, _client text, _now timestamptz,
  out id bigint, out session_id bigint, out created_at timestamptz
) language plpgsql as $$
declare
  conversation chat_conversation;
begin
  select * into conversation from chat_conversation k where k.id = _conversation for update;
  if conversation.merged_into is not null then
    select * into conversation from chat_conversation k where k.id = conversation.merged_into for update;
  end if;
  select m.id, m.session_id, m.created_at
    into id, session_id, created_at
    from chat_message m
    where m.conversation_id = conversation.id and m.client_id = _client;
  if id is not null then return; end if;
  update chat_session s
    set rating = _rating
    where s.id = _session and s.conversation_id = conversation.id and s.ended_at is not null;
  if not found then return; end if;
  select m.session_id
    into session_id
    from chat_message m
    where m.conversation_id = conversation.id and m.sender <> 'note'
    order by m.id desc
    limit 1;
  created_at := greatest(_now, conversation.last_at);
  insert into chat_message (conversation_id, session_id, sender, message, client_id, created_at)
    values (conversation.id, session_id, 'customer', _message, _client, created_at)
    returning chat_message.id into id;
  perform chat_tell(conversation, 'messaging', jsonb_build_object('id', id));
  perform pg_notify('console', 'chats said ' || id);
end $$;
