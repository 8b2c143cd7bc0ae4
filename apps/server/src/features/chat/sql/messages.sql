-- Returns when the customer wrote first in a session, from where the time to its first answer counts. Null when they
-- have not.
create or replace function chat_first_message(_s chat_session) returns timestamptz language sql immutable as $$
  select coalesce(_s.first_message_at, case when not _s.opened_by_agent then _s.opened_at end)
$$;

-- Returns the session that a message belongs to, and opens one where none is open; `is_first` when a customer's
-- message opens it. A customer's message to a session that is idle ends this session first. A note never opens a
-- session while there is an earlier one. The caller has locked the conversation.
create or replace function chat_session_for(
  _c chat_conversation, _sender text, _operator bigint, _now timestamptz, _idle interval,
  out session_id bigint, out is_first boolean
) language plpgsql as $$
begin
  is_first := false;
  select k.id into session_id from chat_session k where k.conversation_id = _c.id and k.ended_at is null;
  if session_id is not null and _sender = 'customer' and chat_idle_since(_c) + _idle < _now then
    update chat_session k set ended_at = chat_idle_since(_c) + _idle, ended_by = 'idle' where k.id = session_id;
    session_id := null;
  end if;
  if session_id is null and _sender = 'note' then
    select k.id into session_id from chat_session k where k.conversation_id = _c.id order by k.id desc limit 1;
  end if;
  if session_id is null then
    insert into chat_session (conversation_id, opened_at, opened_by_agent)
      values (_c.id, _now, _sender <> 'customer')
      returning id into session_id;
    is_first := _sender = 'customer';
    update chat_conversation k
      set assignee = case when _sender = 'agent' then _operator end, state = 'OPEN', snoozed_until = null,
        held_since = null
      where k.id = _c.id;
  end if;
end $$;

-- Stores a message and sends its live events. A message to a guest's conversation that was merged goes to the
-- member's. A repeated client id returns the stored message with `is_new` false and changes nothing. An automatic
-- message, from an agent without an operator, leaves the customer waiting. The first answer of a session is an
-- operator's first message after one of the customer.
create or replace function chat_say(
  _conversation bigint, _sender text, _operator bigint, _message jsonb, _words text, _client text, _now timestamptz,
  _idle interval,
  out id bigint, out session_id bigint, out created_at timestamptz, out is_new boolean, out is_first boolean
) language plpgsql as $$
declare
  conversation chat_conversation;
begin
  select * into conversation from chat_conversation k where k.id = _conversation for update;
  if conversation.merged_into is not null then
    _conversation := conversation.merged_into;
    select * into conversation from chat_conversation k where k.id = _conversation for update;
  end if;
  select m.id, m.session_id, m.created_at
    into id, session_id, created_at
    from chat_message m
    where m.conversation_id = _conversation and m.client_id = _client;
  is_new := id is null;
  is_first := false;
  if not is_new then return; end if;
  select s.session_id, s.is_first
    into session_id, is_first
    from chat_session_for(conversation, _sender, _operator, _now, _idle) s;
  -- Messages of a conversation are ordered by time, even where the clocks of servers differ.
  created_at := greatest(_now, conversation.last_at);
  insert into chat_message (conversation_id, session_id, sender, operator_id, message, client_id, created_at)
    values (_conversation, session_id, _sender, _operator, _message, _client, created_at)
    returning chat_message.id into id;
  if _sender = 'note' then
    perform pg_notify('console', 'chats note ' || _conversation);
    return;
  end if;
  update chat_conversation k
    set last_words = left(_words, 200), last_sender = _sender, last_at = chat_say.created_at,
      waiting_since = case
        when _sender = 'agent' then (case when _operator is null then k.waiting_since end)
        else coalesce(k.waiting_since, chat_say.created_at)
      end,
      snoozed_until = case when _sender = 'customer' then null else k.snoozed_until end,
      held_since = case when _sender = 'customer' then null else k.held_since end,
      assignee = case when _operator is not null then coalesce(k.assignee, _operator) else k.assignee end
    where k.id = _conversation;
  if _sender = 'customer' then
    update chat_session k
      set first_message_at = chat_say.created_at
      where k.id = chat_say.session_id and k.opened_by_agent and k.first_message_at is null;
  elsif _operator is not null then
    update chat_session k
      set first_answer_at = chat_say.created_at
      where k.id = chat_say.session_id and k.first_answer_at is null and chat_first_message(k) is not null;
  end if;
  perform chat_tell(conversation, 'messaging', jsonb_build_object('id', id));
  perform pg_notify('console', 'chats ' || case _sender when 'customer' then 'new' else 'said' end || ' ' || id);
end $$;
