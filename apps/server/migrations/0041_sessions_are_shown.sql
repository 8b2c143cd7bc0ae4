-- A member sees where he is logged in and ends what is not his: a session gets a name that is not its token.
alter table session
  add column id uuid not null default gen_random_uuid(),
  add column last_seen_at timestamptz,
  drop constraint session_ended_by_check,
  add constraint session_ended_by_check check (ended_by in ('logout', 'operator', 'password', 'member'));
