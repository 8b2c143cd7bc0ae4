-- Lets notifications past their retention be found by age

drop index notification_age;
create index notification_age on notification (created_at);
