-- The games page counts the accounts of a game and those at another rate
create index game_account_rates on game_account (slot_code, rate_micro) where state = 'ACTIVE';
