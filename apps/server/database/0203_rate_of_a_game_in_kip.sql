-- Gives each game a rate of its own for members in kip

-- Millionths of a kip for one credit; null: the figure of rate_micro, as before.
alter table slot add column rate_lak_micro bigint check (rate_lak_micro > 0);
