-- Coins are taken back only for the deposits that earned them

-- earns_coins: whether the deposit was added to its day of coins; null: made before this was recorded.
alter table deposit add column earns_coins boolean;
-- reckoned: the deposits, less what was not bet, that the granted coins were given for; null: not recorded yet.
alter table coin_day add column reckoned bigint;
alter type coin_day_row add attribute reckoned bigint;
