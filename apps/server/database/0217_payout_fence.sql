-- Remembers the database server on which payouts are sent: after a takeover or a restore commits may be missing

create table payout_fence (
  only_row boolean primary key default true check (only_row),
  -- As payout_place() names it; 'restored' after a restore.
  place text not null
);
grant select, insert, update (place) on payout_fence to krapao_app;
