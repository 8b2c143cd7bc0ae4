-- An alert about a QR leads to its deposit
create index deposit_of_qr on deposit (qr_id) where qr_id is not null;
