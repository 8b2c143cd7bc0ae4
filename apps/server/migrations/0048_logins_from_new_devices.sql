-- A login from a kind of device its member had not used before is shown to him until he says that it was he.
alter table session
  add column device_is_new boolean not null default false,
  add column confirmed_at timestamptz;
