-- A transfer that is credited again counts for coins on the day it was first credited

-- coin_day: the day in Bangkok time on which the deposit counts for coins; null: the day it was made.
alter table deposit add column coin_day date;
