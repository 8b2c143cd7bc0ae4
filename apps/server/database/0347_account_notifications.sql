-- Notifications of requests for another bank account

alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check
  check (kind in ('deposit', 'withdraw', 'bonus', 'chat', 'login', 'kyc', 'account')) not valid;
