-- Notifies the member, and their open pages, of a request for documents and of the decision about them.
create or replace function kyc_check_notify() returns trigger language plpgsql as $$
begin
  perform notify_member(
    new.member_id, 'kyc', new.round::text,
    case new.state when 'VERIFIED' then 'SUCCESS' when 'REFUSED' then 'FAILED' end,
    null, null, case new.state when 'REQUESTED' then new.requested_at else new.decided_at end);
  perform member_changed(new.member_id, 'kyc');
  return null;
end $$;

-- Notifies the member of each round that an operator begins.
create or replace trigger kyc_check_notify
  after insert or update of round on kyc_check
  for each row when (new.requested_by is not null or new.decided_by is not null)
  execute function kyc_check_notify();

-- Notifies consoles of checks that enter or leave the queue.
create or replace trigger console_changed
  after update of state on kyc_check
  for each row when (old.state <> new.state and 'SUBMITTED' in (old.state, new.state))
  execute function console_changed('kyc');

-- Alerts operators to documents that wait for them.
create or replace trigger console_arrived
  after update of state on kyc_check
  for each row when (old.state <> 'SUBMITTED' and new.state = 'SUBMITTED')
  execute function console_arrived('kyc');
