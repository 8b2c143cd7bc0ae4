-- Lets events and ended deliveries past their retention be found by age

drop index webhook_event_at;
create index webhook_event_at on webhook_event (created_at);
drop index webhook_delivery_at;
create index webhook_delivery_at on webhook_delivery (created_at) where state <> 'WAITING';
