-- Lets offers of deposits that are over be found

create index play_offer_expires on play_offer (expires_at);
