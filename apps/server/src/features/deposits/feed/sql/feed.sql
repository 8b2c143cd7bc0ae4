-- Ends the alert about a silent feed that responds again. Readings that follow each other leave it alone.
create or replace trigger alert_cause_gone
  after update of heard_at on bank_feed
  for each row when (new.heard_at > old.heard_at + interval '1 minute')
  execute function alert_cause_gone('feed-silent', 'deposit-account', 'deposit_account_id');

-- Ends the alert about the feed of an account that takes no deposits any more.
create or replace trigger alert_cause_gone
  after update of is_open, mode on deposit_account
  for each row when (not new.is_open or new.mode <> 'AUTO')
  execute function alert_cause_gone('feed-silent', 'deposit-account', 'id');
