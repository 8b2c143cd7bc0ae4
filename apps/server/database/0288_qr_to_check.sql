-- Finds the QRs that a bank is queried about by when they were made

create index qr_made on qr (bank_code, created_at);
create index qr_unanswered on qr (bank_code, created_at) where answered_at is null or answered_at < expires_at;
drop index qr_to_ask;
