-- Invites

-- Invite credits: a share of an invited member's first deposit, which the inviter can receive once the invited member
-- has bet enough.
create table invite_credit (
  id bigint generated always as identity primary key,
  inviter_id bigint not null references member,
  invitee_id bigint not null references member,
  deposit_id text not null unique references deposit,
  -- Minor units: the deposit, the inviter's share, and the bets that the invited member must make.
  deposited bigint not null,
  amount bigint not null check (amount >= 0),
  needed bigint not null,
  -- Bets since the deposit as last reported by the providers, and the time of the last query.
  staked bigint not null default 0,
  asked_at timestamptz,
  -- ACCRUED waits for bets, READY can be received, BARRED can never be received, REVERSED lost its deposit.
  state text not null check (state in ('ACCRUED', 'READY', 'RECEIVED', 'BARRED', 'REVERSED')),
  -- What the two members share, that their currencies differ, or that the share is less than a minor unit.
  reason text check (reason in ('ACCOUNT', 'DEVICE', 'ADDRESS', 'CURRENCY', 'SMALL')),
  run_id text references bonus_run,
  created_at timestamptz not null,
  received_at timestamptz,
  -- When the deposit was reversed. A credit received before then stays with the inviter.
  reversed_at timestamptz,
  check ((state = 'BARRED') = (reason is not null)),
  check ((state = 'RECEIVED') = (run_id is not null)),
  check ((run_id is null) = (received_at is null))
);
create unique index invite_credit_invitee on invite_credit (invitee_id) where state <> 'REVERSED';
create index invite_credit_unpaid on invite_credit (inviter_id) include (amount) where state in ('ACCRUED', 'READY');
create index invite_credit_asked on invite_credit (asked_at nulls first) where state = 'ACCRUED';
create index invite_credit_of on invite_credit (inviter_id, id);
-- For the list of invited members, which shows the latest credit of each.
create index invite_credit_of_invitee on invite_credit (invitee_id, id);

-- The credits received with a run.
create type invite_grant_row as (run bonus_start_row, credits bigint[]);

grant select, update (staked, asked_at, state) on invite_credit to krapao_app;
