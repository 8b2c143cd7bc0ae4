-- Invites

-- What members earn by inviting others: a share of an invited member's first deposit, theirs once he has played.
create table invite_credit (
  id bigint generated always as identity primary key,
  inviter_id bigint not null references member,
  invitee_id bigint not null references member,
  deposit_id text not null unique references deposit,
  -- Minor units: the deposit, what the inviter gets of it, and the bets of the invited member that make it his.
  deposited bigint not null,
  amount bigint not null check (amount >= 0),
  needed bigint not null,
  -- His bets since, as the providers last told, and when they were last asked.
  staked bigint not null default 0,
  asked_at timestamptz,
  -- ACCRUED waits for bets, READY can be received, BARRED never becomes anything, REVERSED lost its deposit.
  state text not null check (state in ('ACCRUED', 'READY', 'RECEIVED', 'BARRED', 'REVERSED')),
  -- What the two share, that their currencies differ, or that the share is less than a minor unit.
  reason text check (reason in ('ACCOUNT', 'DEVICE', 'ADDRESS', 'CURRENCY', 'SMALL')),
  run_id text references bonus_run,
  created_at timestamptz not null,
  received_at timestamptz,
  -- Of one that had been received by then: the house bears it.
  reversed_at timestamptz,
  check ((state = 'BARRED') = (reason is not null)),
  check ((state = 'RECEIVED') = (run_id is not null)),
  check ((run_id is null) = (received_at is null))
);
create unique index invite_credit_invitee on invite_credit (invitee_id) where state <> 'REVERSED';
create index invite_credit_unpaid on invite_credit (inviter_id) include (amount) where state in ('ACCRUED', 'READY');
create index invite_credit_asked on invite_credit (asked_at nulls first) where state = 'ACCRUED';
create index invite_credit_of on invite_credit (inviter_id, id);
-- The list of invited members asks for each one's last credit, whatever became of it.
create index invite_credit_of_invitee on invite_credit (invitee_id, id);

-- The credits that are received with a run.
create type invite_grant_row as (run bonus_start_row, credits bigint[]);

grant select, update (staked, asked_at, state) on invite_credit to krapao_app;
