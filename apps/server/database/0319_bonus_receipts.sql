-- How often each bonus was received: for one with a quota, counting its runs would read all of them at every receipt.
-- A bonus received before this table gets its row with its next receipt.
create table bonus_receipts (
  bonus_id bigint primary key references bonus (id),
  received bigint not null check (received >= 0)
);
grant select, insert, update on bonus_receipts to krapao_app;
