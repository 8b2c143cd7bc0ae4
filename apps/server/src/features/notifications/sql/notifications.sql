-- Writes a notification for a member and enqueues its push messages, to be sent after `_wait`. Does nothing when the
-- event, named by kind and subject, has a notification already. A browser that is being unsubscribed at this moment
-- is skipped, so that a ledger batch neither waits for it nor fails. A delayed push has a job of its own, so that a
-- later notification does not postpone it.
create or replace function notify_member(
  _member bigint, _kind text, _subject text, _status text, _amount bigint, _name text, _at timestamptz,
  _wait interval default '0 s'
) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  new_id bigint;
begin
  insert into notification (member_id, kind, subject, status, amount, name, created_at)
    values (_member, _kind, _subject, _status, _amount, _name, _at)
    on conflict (member_id, kind, subject) do nothing
    returning id into new_id;
  if new_id is null then return; end if;
  insert into push_delivery (notification_id, subscription_id, due_at)
    select new_id, s.id, _at + _wait
    from push_subscription s
    left join push_preference p on p.member_id = s.member_id
    where s.member_id = _member
      and coalesce(
        case _kind
          when 'chat' then p.chat when 'bonus' then p.bonus when 'login' then p.login
          when 'kyc' then true when 'account' then true
          else p.money
        end, true)
    for key share of s skip locked;
  if found then
    perform graphile_worker.add_job('notifications.push', run_at := now() + _wait,
      job_key := case when _wait = '0 s' then 'notifications.push' end);
  end if;
end $$;

-- Notifies the member of a statement row.
create or replace function statement_notify() returns trigger language plpgsql as $$
begin
  perform notify_member(new.member_id, new.type, new.id, new.status, new.amount, null, new.updated_at);
  return null;
end $$;

-- Notifies the member of a deposit that was refused. A gift that fails before anything looked its outcome up fails
-- within the member's own call, which answers so.
create or replace function deposit_refused_notify() returns trigger language plpgsql as $$
begin
  if not exists (select from gift_redemption g where g.id = new.id and g.asked = 0) then
    perform notify_member(new.member_id, 'deposit', new.id, 'FAILED', new.amount, null, new.updated_at);
  end if;
  return null;
end $$;

-- Notifies the member of the end of a run.
create or replace function bonus_run_notify() returns trigger language plpgsql as $$
begin
  perform notify_member(new.member_id, 'bonus', new.id, new.state, new.taken, new.label, new.ended_at);
  return null;
end $$;

-- Notifies the member of an agent's message. All messages until the member reads or replies are one event. The push
-- is delayed, because reading deletes the notification: a member who has the conversation open gets no push.
create or replace function chat_message_notify() returns trigger language plpgsql as $$
declare
  conversation chat_conversation;
begin
  select * into conversation from chat_conversation where id = new.conversation_id and member_id is not null;
  if conversation.id is null then return null; end if;
  perform notify_member(
    conversation.member_id, 'chat',
    new.session_id || ':' || greatest(
      conversation.customer_read,
      (select max(m.id) from chat_message m where m.conversation_id = conversation.id and m.sender = 'customer')),
    null, null, null, new.created_at, interval '10 s');
  return null;
end $$;

-- Deletes the unread chat notifications of a member who has read the conversation.
create or replace function chat_read_notify() returns trigger language plpgsql as $$
begin
  delete from notification n where n.member_id = new.member_id and n.kind = 'chat' and n.read_at is null;
  return null;
end $$;

-- Notifies the member of a login.
create or replace function session_notify() returns trigger language plpgsql as $$
begin
  perform notify_member(new.member_id, 'login', new.id::text, null, null, new.user_agent, new.created_at);
  return null;
end $$;

-- Deletes the push subscription of a session.
create or replace function session_unsubscribe() returns trigger language plpgsql as $$
begin
  delete from push_subscription where session_hash = new.token_hash;
  return null;
end $$;

-- Deletes all push subscriptions of a member.
create or replace function member_unsubscribe() returns trigger language plpgsql as $$
begin
  delete from push_subscription where member_id = new.id;
  return null;
end $$;

-- Notifies of a deposit that was credited at once.
create or replace trigger statement_arrived
  after insert on statement
  for each row when (new.type = 'deposit' and new.status = 'SUCCESS')
  execute function statement_notify();

-- Notifies of a deposit that is credited, and of a withdrawal that is paid or has failed.
create or replace trigger statement_ended
  after update of status on statement
  for each row when (
    old.status <> new.status
    and ((new.type in ('deposit', 'withdraw') and new.status = 'SUCCESS')
      or (new.type = 'withdraw' and new.status = 'FAILED')))
  execute function statement_notify();

-- Notifies of a deposit that was reported or sent as a gift link, and is refused.
create or replace trigger deposit_refused
  after update of status on statement
  for each row when (old.status <> new.status and new.type = 'deposit' and new.status = 'FAILED')
  execute function deposit_refused_notify();

-- Notifies of the end of a run.
create or replace trigger bonus_run_ended
  after update of state on bonus_run
  for each row when (old.state = 'ACTIVE' and new.state <> 'ACTIVE')
  execute function bonus_run_notify();

-- Notifies of messages that an operator wrote, not of automatic ones.
create or replace trigger chat_message_notify
  after insert on chat_message
  for each row when (new.sender = 'agent' and new.operator_id is not null)
  execute function chat_message_notify();

-- Deletes chat notifications once the member has read on.
create or replace trigger chat_read_notify
  after update of customer_read on chat_conversation
  for each row when (new.member_id is not null and new.customer_read > old.customer_read)
  execute function chat_read_notify();

-- Notifies of a login from a device that the member has not used before.
create or replace trigger session_notify
  after insert on session
  for each row when (new.device_is_new)
  execute function session_notify();

-- Stops push messages to a browser when its session ends.
create or replace trigger session_unsubscribe
  after update of ended_at on session
  for each row when (new.ended_at is not null)
  execute function session_unsubscribe();

-- Stops all push messages to a member whose account is closed.
create or replace trigger member_unsubscribe
  after update of status on member
  for each row when (new.status = 'CLOSED')
  execute function member_unsubscribe();
