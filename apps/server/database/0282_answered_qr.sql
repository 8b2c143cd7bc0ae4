-- Keeps when the bank last responded about a QR, so that QRs it was silent about are queried until it has responded

-- When the bank was last queried and has responded; null: never.
alter table qr add column answered_at timestamptz;
