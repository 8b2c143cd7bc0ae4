-- Withdrawals and payouts

-- Withdrawals and the payouts behind them.
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
  -- Operators' acts that move money; each commits with its audit row, its approval and its claim.
  proof text,
  held_until timestamptz,
  retry_of text
);
create index withdrawal_open on withdrawal (member_id) where status in ('QUEUED', 'REVIEW', 'PROCESSING');
create index withdrawal_of on withdrawal (member_id, created_at);
create index withdrawal_made on withdrawal using brin (created_at) with (pages_per_range = 32);
create unique index withdrawal_retry on withdrawal (retry_of) where retry_of is not null;
create index withdrawal_queue on withdrawal (created_at) where status = 'QUEUED';

-- What was sent to the bank under the withdrawal's id, which makes it once-only there. UNKNOWN: no answer came.
create table payout (
  withdrawal_id text primary key references withdrawal,
  state text not null check (state in ('SENT', 'UNKNOWN', 'ACCEPTED', 'PAID', 'REJECTED')),
  asked integer not null default 0,
  reason text,
  sent_at timestamptz not null,
  touched_at timestamptz not null,
  -- When the order was last sent, and then when its call was over, by real time; null: sent at touched_at, not over.
  ordered_at timestamptz,
  -- When the watch began, and when the partner was last asked, by the database's clock; null: not watched.
  watched_since timestamptz,
  watch_asked_at timestamptz,
  -- The code with which the bank refused the order sent last; null: it was not refused. A refused repeat proves nothing of
  -- the order before it.
  refused_code text
);
create index payout_open on payout (touched_at) where state in ('SENT', 'UNKNOWN', 'ACCEPTED');
-- A day's payouts, gifts and transfers are found by blocks: each insert pays next to nothing for it.
create index payout_sent on payout using brin (sent_at) with (pages_per_range = 32);
create index payout_watched on payout (watched_since) where watched_since is not null;

-- A payout that the bank took and later sent back comes home by a new entry and a new row. One that the bank refused
-- can be sent once more, as a withdrawal of its own.
create table payout_return (
  -- Also the id of its statement row.
  id text primary key,
  withdrawal_id text not null unique references withdrawal,
  member_id bigint not null references member,
  amount bigint not null check (amount > 0),
  proof text not null,
  -- The unmatched line that is the money coming back, where the feed had brought it.
  line_id bigint references bank_line,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null
);

-- Money paid in and withdrawn again without having been bet waits for an operator, and takes its unspent coins back.
create table withdrawal_unplayed (
  withdrawal_id text primary key,
  -- How much of it was not bet; 0: a provider did not tell.
  amount bigint not null check (amount >= 0)
);

-- Cut into several withdrawals, money must still be bet before it leaves: what one leaves behind unbet is asked of the next.
create table withdrawal_unbet (
  withdrawal_id text primary key,
  -- The bets that were owed since a moment, those made by then included, minor units.
  needed bigint not null check (needed > 0),
  since timestamptz not null
);

-- only_one: refused while another is open. must_review: not paid without a review, whatever its amount.
create type withdrawal_hold_row as (
  id text, member_id bigint, bank_account_id bigint, bank_code text, amount bigint, only_one boolean, must_review boolean,
  unplayed bigint, unbet_needed bigint, unbet_since timestamptz, automatic_max bigint, automatic_day_max bigint
);

create type withdrawal_end_row as (id text, member_id bigint, amount bigint, status text, reason text, actor text, payout_state text);

create type desk_withdrawal_row as (
  act desk_act_row, id text, member_id bigint, amount bigint, status text, reason text, proof text, payout_state text, seen text
);

create type desk_return_row as (act desk_act_row, id text, withdrawal_id text, proof text, line_id bigint);

create type desk_retry_row as (act desk_act_row, id text, retry_of text);

grant select, update on withdrawal to krapao_app;
grant select, insert, update on payout to krapao_app;
grant select on payout_return to krapao_app;
grant select, insert, delete on withdrawal_unplayed, withdrawal_unbet to krapao_app;
