-- The report on games reads the transfers of its days
create index provider_transfer_touched on provider_transfer using brin (touched_at) with (pages_per_range = 32);
