-- The first redemption of a gift: when it begins, and why the service refused it before its end is booked
grant update (reason, sent_at) on gift_redemption to krapao_app;
