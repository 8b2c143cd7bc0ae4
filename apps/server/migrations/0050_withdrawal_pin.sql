-- A member may demand a PIN before money leaves; a session that has proven it may withdraw for a few minutes.
alter table member
  add column pin_hash text,
  add column pin_set_at timestamptz;
alter table session add column pin_proven_at timestamptz;
