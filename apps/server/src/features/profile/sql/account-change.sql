-- Notifies a member of a request for another bank account and of its decision, and refreshes their open pages at
-- every change of it. What the member withdrew, or ended with a new password, is no notification.
create or replace function account_change_notify() returns trigger language plpgsql as $$
begin
  if new.state in ('PENDING', 'APPROVED', 'REFUSED') then
    perform notify_member(
      new.maker_member_id, 'account', new.id || ':' || new.state,
      case new.state when 'APPROVED' then 'SUCCESS' when 'REFUSED' then 'FAILED' end,
      null, null, coalesce(new.checked_at, new.made_at));
  end if;
  perform member_changed(new.maker_member_id, 'account');
  return null;
end $$;

-- Notifies of each state of a member's request.
create or replace trigger account_change_notify
  after insert or update of state on approval
  for each row when (new.action = 'account.change')
  execute function account_change_notify();
