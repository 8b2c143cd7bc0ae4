-- Keeps what a customer thinks of a session of his own that has ended, with the words he said it with: the newest tap
-- counts. They are said in the session of the last word, whichever that is, so that nothing is opened or parted by them.
-- The same client id again is the same message. Answers nothing when there is no such session to rate.
create function chat_rate(_conversation bigint, _session bigint, _rating integer, _message jsonb, _client text, _now timestamptz,
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
