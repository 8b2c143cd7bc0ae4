-- Game accounts: the event an account belongs to at providers that have several, and a password on its way.

alter table game_account add column event text;
-- Sent to the provider, not yet known to have arrived there: sent again until it says so.
alter table game_account add column next_password_sealed bytea;
alter table game_account add column password_asked_at timestamptz;
