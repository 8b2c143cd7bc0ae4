-- Play limits and self-exclusion

-- Limits that members set themselves on deposits and losses, and the session reminder.
create table play_limit (
  member_id bigint not null references member,
  kind text not null check (kind in ('deposit', 'loss', 'reminder')),
  period text not null check (period in ('day', 'week', 'month', 'session')),
  -- Minor units, or minutes of a reminder; null: no limit.
  amount bigint check (amount > 0),
  -- The higher limit that applies from `next_from` on; null with a time: no limit from then on.
  next_amount bigint check (next_amount > 0),
  next_from timestamptz,
  updated_at timestamptz not null,
  primary key (member_id, kind, period),
  check ((kind = 'reminder') = (period = 'session'))
);

-- Self-exclusion periods. Rows are only added, so a period can't be shortened.
create table play_break (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  length text not null check (length in ('24h', '7d', '30d', '6m', '1y', 'forever')),
  started_at timestamptz not null,
  -- Null: permanent.
  until timestamptz
);
create index play_break_member on play_break (member_id);

-- Deposits offered to members who have a limit, counted against it until they arrive or the offer expires.
create table play_offer (
  -- Id of the QR or gift redemption.
  id text primary key,
  member_id bigint not null references member,
  amount bigint not null check (amount > 0),
  expires_at timestamptz not null
);
create index play_offer_member on play_offer (member_id, expires_at);

grant select, insert, update on play_limit to krapao_app;
grant select, insert on play_break to krapao_app;
grant select, insert, delete on play_offer to krapao_app;
