-- Games on offer are run from the console.
-- Under maintenance nobody enters or pays in; money comes out as ever. Closed (is_open false) also hides the game from
-- members who have nothing in it.
alter table slot add column is_in_maintenance boolean not null default false;
-- Least that one transfer may take into the game, in hundredths of a credit.
alter table slot add column least_in bigint check (least_in > 0);
alter table slot add column version integer not null default 1;
