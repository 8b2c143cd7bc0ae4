-- Records the database timeline on which payouts are sent: after a takeover or a restore commits may be missing

create table payout_fence (
  only_row boolean primary key default true check (only_row),
  -- As database_timeline() returns it; 'restored' after a restore.
  timeline text not null
);
grant select, insert, update (timeline) on payout_fence to krapao_app;
