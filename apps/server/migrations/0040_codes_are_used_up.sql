-- A code that was verified allows one thing once: a new password.
alter table otp add column used_at timestamptz;
