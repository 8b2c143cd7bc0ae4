-- Coins are taken back only for the deposits that earned them

-- earns_coins: whether the deposit was added to its day of coins; null: made before this was recorded.
alter table deposit add column earns_coins boolean;
-- granted_for: the deposits, less what was withdrawn unplayed, that the coins were granted for; null: not recorded.
alter table coin_day add column granted_for bigint;

-- In place of coin_day_row, which servers of 1.1.14 write: `deposited`, `unplayed` and `turn` are what the coins were
-- calculated from; `change` is added to the coins granted.
create type coin_change_row as (
  member_id bigint, day date, deposited bigint, unplayed bigint, turn integer, change bigint, granted_for bigint
);
