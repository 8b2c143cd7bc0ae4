-- What happens to a member while he looks elsewhere is kept for him, in the transaction of what happened, and brought to
-- the browsers he has asked for it in. Figures only: the words are made where they are read, in his language.

create table notification (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  kind text not null check (kind in ('deposit', 'withdraw', 'bonus', 'chat', 'login')),
  -- What it is about, by its own id. With the kind it names the event, so that nothing is told twice.
  subject text not null,
  status text,
  amount bigint,
  -- A bonus by its title, a browser as it calls itself.
  name text,
  created_at timestamptz not null,
  read_at timestamptz,
  unique (member_id, kind, subject)
);
create index notification_of on notification (member_id, id desc);
create index notification_unread on notification (member_id) where read_at is null;
create index notification_age on notification using brin (created_at);

-- Who has no row has the defaults.
create table push_preference (
  member_id bigint primary key references member,
  money boolean not null,
  bonus boolean not null,
  chat boolean not null,
  login boolean not null,
  hides_amounts boolean not null,
  updated_at timestamptz not null
);

-- Our key at the push services (RFC 8292), made at first use.
create table push_key (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  private_sealed bytea not null,
  created_at timestamptz not null
);

-- One browser of a session. Whoever knows its address can reach its owner: it is sealed like a bank account.
create table push_subscription (
  id bigint generated always as identity primary key,
  session_hash bytea not null unique references session,
  member_id bigint not null references member,
  endpoint_sealed bytea not null,
  endpoint_fingerprint bytea not null unique,
  -- {"p256dh", "auth"}: what messages to it are encrypted for.
  keys_sealed bytea not null,
  language text not null check (language in ('th', 'la', 'en')),
  created_at timestamptz not null
);
create index push_subscription_of on push_subscription (member_id, id);

create table push_delivery (
  notification_id bigint not null references notification on delete cascade,
  subscription_id bigint not null references push_subscription on delete cascade,
  due_at timestamptz not null,
  tries integer not null default 0,
  primary key (notification_id, subscription_id)
);
create index push_delivery_due on push_delivery (due_at);
create index push_delivery_to on push_delivery (subscription_id);

-- Keeps one event for a member, once, and has it brought to his browsers after `_wait`.
create function notify_member(_member bigint, _kind text, _subject text, _status text, _amount bigint, _name text, _at timestamptz,
  _wait interval default '0 s') returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare told bigint;
begin
  insert into notification (member_id, kind, subject, status, amount, name, created_at)
    values (_member, _kind, _subject, _status, _amount, _name, _at) on conflict (member_id, kind, subject) do nothing returning id into told;
  if told is null then return; end if;
  insert into push_delivery (notification_id, subscription_id, due_at)
    select told, s.id, _at + _wait from push_subscription s left join push_preference p on p.member_id = s.member_id
    where s.member_id = _member
      and coalesce(case _kind when 'chat' then p.chat when 'bonus' then p.bonus when 'login' then p.login else p.money end, true);
  if found then
    perform graphile_worker.add_job('notifications.push', run_at := now() + _wait,
      job_key := case when _wait > '0 s' then 'notifications.push.later' else 'notifications.push' end);
  end if;
end $$;

create function statement_notify() returns trigger language plpgsql as $$
begin
  perform notify_member(new.member_id, new.type, new.id, new.status, new.amount, null, new.updated_at);
  return null;
end $$;
create trigger statement_arrived after insert on statement for each row
  when (new.type = 'deposit' and new.status = 'SUCCESS') execute function statement_notify();
create trigger statement_ended after update of status on statement for each row
  when (old.status <> new.status and ((new.type in ('deposit', 'withdraw') and new.status = 'SUCCESS') or (new.type = 'withdraw' and new.status = 'FAILED')))
  execute function statement_notify();

create function bonus_run_notify() returns trigger language plpgsql as $$
begin
  perform notify_member(new.member_id, 'bonus', new.id, new.state, new.taken, new.label, new.ended_at);
  return null;
end $$;
create trigger bonus_run_ended after update of state on bonus_run for each row
  when (old.state = 'ACTIVE' and new.state <> 'ACTIVE') execute function bonus_run_notify();

-- An agent's words are one event until the member reads or answers, and none once he has read them: whoever has the talk
-- open has done so before they would be brought to him.
create function chat_message_notify() returns trigger language plpgsql as $$
declare c chat_conversation;
begin
  select * into c from chat_conversation where id = new.conversation_id and member_id is not null;
  if c.id is null then return null; end if;
  perform notify_member(c.member_id, 'chat', new.session_id || ':' || greatest(c.customer_read,
      (select max(m.id) from chat_message m where m.conversation_id = c.id and m.sender = 'customer')),
    null, null, null, new.created_at, interval '10 s');
  return null;
end $$;
create trigger chat_message_notify after insert on chat_message for each row
  when (new.sender = 'agent' and new.operator_id is not null) execute function chat_message_notify();

create function chat_read_notify() returns trigger language plpgsql as $$
begin
  delete from notification n where n.member_id = new.member_id and n.kind = 'chat' and n.read_at is null;
  return null;
end $$;
create trigger chat_read_notify after update of customer_read on chat_conversation for each row
  when (new.member_id is not null and new.customer_read > old.customer_read) execute function chat_read_notify();

create function session_notify() returns trigger language plpgsql as $$
begin
  perform notify_member(new.member_id, 'login', new.id::text, null, null, new.user_agent, new.created_at);
  return null;
end $$;
create trigger session_notify after insert on session for each row when (new.device_is_new) execute function session_notify();

-- A browser is told nothing more once its session has ended, or its member has left.
create function session_unsubscribe() returns trigger language plpgsql as $$
begin
  delete from push_subscription where session_hash = new.token_hash;
  return null;
end $$;
create trigger session_unsubscribe after update of ended_at on session for each row
  when (new.ended_at is not null) execute function session_unsubscribe();
create function member_unsubscribe() returns trigger language plpgsql as $$
begin
  delete from push_subscription where member_id = new.id;
  return null;
end $$;
create trigger member_unsubscribe after update of status on member for each row
  when (new.status = 'CLOSED') execute function member_unsubscribe();

grant select, update, delete on notification to krapao_app;
grant select, insert, update, delete on push_preference, push_subscription, push_delivery to krapao_app;
grant select, insert on push_key to krapao_app;
