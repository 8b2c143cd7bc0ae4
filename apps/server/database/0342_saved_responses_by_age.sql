-- Lets keys past their retention be found by age
-- Space of deleted rows is used again, so that each range of a BRIN index soon spans all days.

drop index idempotency_age;
create index idempotency_age on idempotency (created_at);
