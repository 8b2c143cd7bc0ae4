-- When a webhook endpoint was removed; its deliveries are deleted afterwards, in portions
alter table webhook_endpoint add column removed_at timestamptz;
