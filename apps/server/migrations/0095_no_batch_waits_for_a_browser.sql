-- A browser that is being unsubscribed in this moment is passed over: neither does a batch of money wait for it, nor
-- does it fail because of it. What waits a little has a job of its own, so that the next one does not put it off.

create or replace function notify_member(_member bigint, _kind text, _subject text, _status text, _amount bigint, _name text, _at timestamptz,
  _wait interval default '0 s') returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare told bigint;
begin
  insert into notification (member_id, kind, subject, status, amount, name, created_at)
    values (_member, _kind, _subject, _status, _amount, _name, _at) on conflict (member_id, kind, subject) do nothing returning id into told;
  if told is null then return; end if;
  insert into push_delivery (notification_id, subscription_id, due_at)
    select told, s.id, _at + _wait from push_subscription s left join push_preference p on p.member_id = s.member_id
    where s.member_id = _member
      and coalesce(case _kind when 'chat' then p.chat when 'bonus' then p.bonus when 'login' then p.login else p.money end, true)
    for key share of s skip locked;
  if found then
    perform graphile_worker.add_job('notifications.push', run_at := now() + _wait,
      job_key := case when _wait = '0 s' then 'notifications.push' end);
  end if;
end $$;
