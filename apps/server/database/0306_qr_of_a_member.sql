-- The QRs of a member, for their own data
create index qr_member on qr (member_id, created_at);
