-- Deposits: accounts, QRs, bank transactions and their reports

-- QR deposits, and every payment a bank reports to us.
create table deposit_account (
  id bigint generated always as identity primary key,
  bank_code text not null,
  bank_type text not null check (bank_type in ('BANK', 'WW', 'ZAPMAN', 'WALLET')),
  mode text not null check (mode in ('AUTO', 'QR')),
  account_name text not null,
  account_no text not null,
  currency text not null check (currency in ('BAHT', 'LAK')),
  is_open boolean not null default true,
  position integer not null,
  -- Statement feeds, and one deposit for one transfer whichever way it is told: by a QR's confirmation, by a line of a
  -- feed, by a slip's inquiry. A line is the transfer itself; a sighting is one telling of it.
  static_qr text,
  -- Accounts members pay into are changed in the console.
  -- Paused: not shown to members, yet watched, so that late money is still credited. Closed (is_open false): not watched.
  is_paused boolean not null default false,
  -- Minor units a day in Asia/Bangkok; once so much has come the account is no longer shown that day.
  daily_ceiling bigint check (daily_ceiling > 0),
  version integer not null default 1,
  unique (bank_code, mode, account_no)
);

-- Where each watched account's feed has been read to. The cursor moves only after every line before it was booked.
create table bank_feed (
  deposit_account_id bigint primary key references deposit_account,
  started_at timestamptz not null,
  cursor text,
  heard_at timestamptz not null,
  taken_until timestamptz not null default '-infinity'
);

create table qr (
  id text primary key,
  member_id bigint not null references member,
  bank_code text not null,
  amount bigint not null check (amount > 0),
  payload text not null,
  status text not null check (status in ('OPEN', 'PAID', 'CANCELLED', 'EXPIRED')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  -- QRs are asked about in turn: however many there are, none waits behind others that are asked again and again.
  asked_at timestamptz
);
create unique index qr_one_open on qr (member_id) where status = 'OPEN';
create index qr_due on qr (expires_at) where status = 'OPEN';
create index qr_to_ask on qr (bank_code, asked_at nulls first, created_at);

-- A payment as the bank reported it, once for ever by the bank's own reference.
create table bank_line (
  id bigint generated always as identity primary key,
  bank_code text not null,
  bank_reference text not null,
  amount bigint not null check (amount > 0),
  payer_bank text not null,
  payer_mask text not null,
  payer_sealed bytea not null,
  reference1 text,
  paid_at timestamptz not null,
  received_at timestamptz not null,
  state text not null check (state in ('CREDITED', 'UNMATCHED', 'RETURNED')),
  -- For an unmatched line: who it is probably meant for, and why it was not credited.
  likely_member_id bigint references member,
  reason text,
  account_no text,
  currency text not null default 'BAHT' check (currency in ('BAHT', 'LAK')),
  -- All the members an unmatched line may be meant for; likely_member_id holds the only one, if it is one.
  likely_members bigint[] not null default '{}',
  reversals integer not null default 0,
  unique (bank_code, bank_reference)
);
create index bank_line_unmatched on bank_line (id) where state = 'UNMATCHED';
create index bank_line_fit on bank_line (bank_code, amount, paid_at);
create index bank_line_paid on bank_line using brin (paid_at) with (pages_per_range = 32);
create index bank_line_unmatched_amount on bank_line (amount, id) where state = 'UNMATCHED';

create table bank_sighting (
  id bigint generated always as identity primary key,
  source text not null check (source in ('QR', 'FEED', 'SLIP')),
  bank_code text not null,
  bank_reference text not null,
  account_no text,
  currency text not null check (currency in ('BAHT', 'LAK')),
  amount bigint not null check (amount > 0),
  payer_bank text not null,
  payer_mask text not null,
  payer_sealed bytea not null,
  reference1 text,
  paid_at timestamptz not null,
  seen_at timestamptz not null,
  line_id bigint references bank_line,
  -- FIRST made the line, REFERENCE bears its bank reference, FIT was recognised by account, amount, time and sender.
  tied_by text check (tied_by in ('FIRST', 'REFERENCE', 'FIT')),
  -- AGAIN: its place was taken by the one that bears the reference, so it is decided anew. ASK: an operator decides.
  state text not null check (state in ('TIED', 'AGAIN', 'ASK')),
  unique (source, bank_code, bank_reference),
  check ((state = 'TIED') = (line_id is not null))
);
-- One to one: of each kind of telling a line has one.
create unique index bank_sighting_line on bank_sighting (line_id, source) where line_id is not null;
create index bank_sighting_open on bank_sighting (id) where state <> 'TIED';

create table deposit (
  id text primary key,
  member_id bigint not null references member,
  channel text not null check (channel in ('QR', 'AUTO', 'SLIP', 'GIFT', 'MANUAL')),
  bank_code text not null,
  bank_reference text not null,
  qr_id text references qr,
  amount bigint not null check (amount > 0),
  -- The sender is not the member's registered account; operators see it.
  from_stranger boolean not null,
  entry_id bigint not null,
  created_at timestamptz not null,
  -- A transfer taken back is nobody's again and can be credited once more, by an operator only.
  -- Without a reference of its own: the reversal refers to its deposit, and a backup cannot order a circle.
  reversal_id text
);
create index deposit_member on deposit (member_id, created_at desc);
create index deposit_made on deposit (created_at);
create unique index deposit_transfer on deposit (bank_code, bank_reference) where reversal_id is null;
-- The orders in which lists are asked for.
create index deposit_amount on deposit (amount, id);

create type transfer_row as (
  source text, bank_code text, account_no text, currency text, bank_reference text, amount bigint,
  payer_bank text, payer_mask text, payer_sealed bytea, reference1 text, paid_at timestamptz
);

create type transfer_credit_row as (
  transfer transfer_row, deposit_id text, member_id bigint, channel text, qr_id text, from_stranger boolean, use_line bigint, slip_id text
);

create type transfer_park_row as (transfer transfer_row, likely bigint[], reason text);

create type transfer_tie_row as (transfer transfer_row, line_id bigint, tied_by text, qr_id text, slip_id text, likely bigint);

create type transfer_ask_row as (transfer transfer_row, slip_id text);

create type desk_line_row as (act desk_act_row, line_id bigint, state text, member_id bigint, deposit_id text);

create type desk_sighting_row as (
  act desk_act_row, sighting_id bigint, line_id bigint, member_id bigint, deposit_id text
);

grant select, insert, update on deposit_account, bank_feed, qr to krapao_app;
grant select on bank_line, bank_sighting, deposit to krapao_app;
