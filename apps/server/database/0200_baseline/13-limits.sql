-- Play limits and self-exclusion

-- What members allow themselves: limits on deposits and losses, a reminder, and breaks from playing.
create table play_limit (
  member_id bigint not null references member,
  kind text not null check (kind in ('deposit', 'loss', 'reminder')),
  period text not null check (period in ('day', 'week', 'month', 'session')),
  -- Minor units, of a reminder minutes; null: no limit.
  amount bigint check (amount > 0),
  -- What a higher limit will be, and from when; next_amount null with a time: no limit from then on.
  next_amount bigint check (next_amount > 0),
  next_from timestamptz,
  updated_at timestamptz not null,
  primary key (member_id, kind, period),
  check ((kind = 'reminder') = (period = 'session'))
);

-- A break is only ever added, so none can be shortened.
create table play_break (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  length text not null check (length in ('24h', '7d', '30d', '6m', '1y', 'forever')),
  started_at timestamptz not null,
  -- Null: for good.
  until timestamptz
);
create index play_break_member on play_break (member_id);

-- Money a limited member was offered to pay in, counted until it has arrived or the offer is over.
create table play_offer (
  -- The QR's or the gift's own id.
  id text primary key,
  member_id bigint not null references member,
  amount bigint not null check (amount > 0),
  expires_at timestamptz not null
);
create index play_offer_member on play_offer (member_id, expires_at);

grant select, insert, update on play_limit to krapao_app;
grant select, insert on play_break to krapao_app;
grant select, insert, delete on play_offer to krapao_app;
