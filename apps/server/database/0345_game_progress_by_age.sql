-- Lets progress of readings that is not continued be found by age

create index game_played_age on game_played (read_at);
