-- QRs are asked about in turn: however many there are, none waits behind others that are asked again and again.
alter table qr add column asked_at timestamptz;
create index qr_to_ask on qr (bank_code, asked_at nulls first, created_at);
