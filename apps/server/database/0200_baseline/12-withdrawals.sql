-- Withdrawals and payouts

-- Withdrawals requested by members.
create table withdrawal (
  id text primary key,
  member_id bigint not null,
  bank_account_id bigint not null,
  amount bigint not null check (amount > 0),
  -- QUEUED waits for the payout worker, REVIEW for an operator, PROCESSING for the bank.
  status text not null check (status in ('QUEUED', 'REVIEW', 'PROCESSING', 'SUCCESS', 'FAILED')),
  automatic boolean not null,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The operator's evidence of a manual settlement.
  proof text,
  held_until timestamptz,
  retry_of text
);
create index withdrawal_open on withdrawal (member_id) where status in ('QUEUED', 'REVIEW', 'PROCESSING');
create index withdrawal_of on withdrawal (member_id, created_at);
create index withdrawal_made on withdrawal using brin (created_at) with (pages_per_range = 32);
create unique index withdrawal_retry on withdrawal (retry_of) where retry_of is not null;
create index withdrawal_queue on withdrawal (created_at) where status = 'QUEUED';

-- Orders to the bank under the withdrawal's id, by which the bank executes each once. UNKNOWN: the bank did not
-- respond.
create table payout (
  withdrawal_id text primary key references withdrawal,
  state text not null check (state in ('SENT', 'UNKNOWN', 'ACCEPTED', 'PAID', 'REJECTED')),
  asked integer not null default 0,
  reason text,
  sent_at timestamptz not null,
  touched_at timestamptz not null,
  -- When the order was last sent, replaced by when that call ended, by the database's clock; null when it was sent at
  -- `touched_at` and the call has not ended.
  ordered_at timestamptz,
  -- Start of the watch on a released order, and the last query about it, by the database's clock; null: not watched.
  watched_since timestamptz,
  watch_asked_at timestamptz,
  -- The code with which the bank refused the last order; null when it did not. The refusal of a repeated order proves
  -- nothing about the order before it.
  refused_code text
);
create index payout_open on payout (touched_at) where state in ('SENT', 'UNKNOWN', 'ACCEPTED');
-- Small BRIN index for the payouts of a day.
create index payout_sent on payout using brin (sent_at) with (pages_per_range = 32);
create index payout_watched on payout (watched_since) where watched_since is not null;

-- Payouts that the bank returned later. Each is a new entry and a new statement row.
create table payout_return (
  -- Also the id of its statement row.
  id text primary key,
  withdrawal_id text not null unique references withdrawal,
  member_id bigint not null references member,
  amount bigint not null check (amount > 0),
  proof text not null,
  -- The bank transaction that returned the money, where the feed has reported it.
  bank_transaction_id bigint references bank_transaction,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null
);

-- Part of a withdrawal that was deposited but never bet. Such a withdrawal needs review, and its coins are taken back
-- where they are unspent.
create table withdrawal_unplayed (
  withdrawal_id text primary key,
  -- Minor units; 0 when a provider did not respond.
  amount bigint not null check (amount >= 0)
);

-- Bets that were still required when a withdrawal was requested; the next withdrawal requires them too, so that
-- splitting a withdrawal does not avoid them.
create table withdrawal_unbet (
  withdrawal_id text primary key,
  -- Bets required from `since` on, in minor units, including those already made.
  needed bigint not null check (needed > 0),
  since timestamptz not null
);

-- only_one: rejected while another withdrawal is open. must_review: needs review whatever its amount.
create type withdrawal_hold_row as (
  id text, member_id bigint, bank_account_id bigint, bank_code text, amount bigint, only_one boolean,
  must_review boolean, unplayed bigint, unbet_needed bigint, unbet_since timestamptz, automatic_max bigint,
  automatic_day_max bigint
);

create type withdrawal_end_row as (
  id text, member_id bigint, amount bigint, status text, reason text, actor text, payout_state text
);

create type operator_withdrawal_row as (
  action operator_action_row, id text, member_id bigint, amount bigint, status text, reason text, proof text,
  payout_state text, seen text
);

create type operator_return_row as (
  action operator_action_row, id text, withdrawal_id text, proof text, bank_transaction_id bigint
);

create type operator_retry_row as (action operator_action_row, id text, retry_of text);

grant select, update on withdrawal to krapao_app;
grant select, insert, update on payout to krapao_app;
grant select on payout_return to krapao_app;
grant select, insert, delete on withdrawal_unplayed, withdrawal_unbet to krapao_app;
