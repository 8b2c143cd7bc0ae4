-- What is said while a guest's talk joins a member's follows it there; a note wakes no ended talk; a talk that goes on
-- while idle ones are ended goes on; and who was only answered by the house still waits.
create or replace function chat_say(_conversation bigint, _sender text, _operator bigint, _message jsonb, _words text, _client text, _now timestamptz,
  _idle interval, out id bigint, out session_id bigint, out created_at timestamptz, out is_new boolean, out is_first boolean)
language plpgsql as $$
declare c chat_conversation; s chat_session;
begin
  select * into c from chat_conversation k where k.id = _conversation for update;
  if c.merged_into is not null then
    _conversation := c.merged_into;
    select * into c from chat_conversation k where k.id = _conversation for update;
  end if;
  select m.id, m.session_id, m.created_at into id, session_id, created_at from chat_message m where m.conversation_id = _conversation and m.client_id = _client;
  is_new := id is null;
  is_first := false;
  if not is_new then return; end if;
  select * into s from chat_session k where k.conversation_id = _conversation and k.ended_at is null;
  if s.id is not null and _sender = 'customer' and c.last_sender = 'agent' and c.waiting_since is null and c.last_at + _idle < _now then
    update chat_session k set ended_at = c.last_at + _idle, ended_by = 'idle' where k.id = s.id;
    s := null;
  end if;
  if s.id is null and _sender = 'note' then
    select * into s from chat_session k where k.conversation_id = _conversation order by k.id desc limit 1;
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
