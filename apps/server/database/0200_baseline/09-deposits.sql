-- Deposits: accounts, QRs, bank transactions and their reports

-- Our accounts that members pay into.
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
  -- The bank's static merchant QR, entered by operators.
  static_qr text,
  -- Paused: not shown to members but still watched, so that late payments are credited. Closed (is_open false):
  -- neither shown nor watched.
  is_paused boolean not null default false,
  -- Minor units a day in Bangkok time. An account that has received this much is hidden for the rest of the day.
  daily_ceiling bigint check (daily_ceiling > 0),
  version integer not null default 1,
  unique (bank_code, mode, account_no)
);

-- Position up to which each watched account's feed was read. The cursor advances only after all transactions before
-- it are booked. `heard_at` is the time of the bank's last response; `taken_until` is the reader's lease.
create table bank_feed (
  deposit_account_id bigint primary key references deposit_account,
  started_at timestamptz not null,
  cursor text,
  heard_at timestamptz not null,
  taken_until timestamptz not null default '-infinity'
);

-- QR codes for deposits, at most one open for each member.
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
  -- When the bank was last queried. Least recently queried QRs come first, so that each gets its turn.
  asked_at timestamptz
);
create unique index qr_one_open on qr (member_id) where status = 'OPEN';
create index qr_due on qr (expires_at) where status = 'OPEN';
create index qr_to_ask on qr (bank_code, asked_at nulls first, created_at);

-- Bank transactions: payments into our accounts, each once by the bank's own reference.
create table bank_transaction (
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
  -- Of an unmatched transaction: the only likely member, and why it was not credited.
  likely_member_id bigint references member,
  reason text,
  account_no text,
  currency text not null default 'BAHT' check (currency in ('BAHT', 'LAK')),
  -- All likely members of an unmatched transaction.
  likely_members bigint[] not null default '{}',
  reversals integer not null default 0,
  unique (bank_code, bank_reference)
);
create index bank_transaction_unmatched on bank_transaction (id) where state = 'UNMATCHED';
create index bank_transaction_fit on bank_transaction (bank_code, amount, paid_at);
create index bank_transaction_paid on bank_transaction using brin (paid_at) with (pages_per_range = 32);
create index bank_transaction_unmatched_amount on bank_transaction (amount, id) where state = 'UNMATCHED';

-- Evidence of a bank transaction: a QR's confirmation, a row of a feed or a slip. All evidence of one transfer
-- belongs to one transaction, so that it is credited once.
create table transfer_evidence (
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
  bank_transaction_id bigint references bank_transaction,
  -- FIRST created the transaction; REFERENCE has its bank reference; FIT matched by account, amount, time and payer.
  tied_by text check (tied_by in ('FIRST', 'REFERENCE', 'FIT')),
  -- AGAIN: displaced by the evidence with the transaction's reference, to be matched again. ASK: an operator decides.
  state text not null check (state in ('TIED', 'AGAIN', 'ASK')),
  unique (source, bank_code, bank_reference),
  check ((state = 'TIED') = (bank_transaction_id is not null))
);
-- A transaction has at most one evidence of each source.
create unique index transfer_evidence_bank_transaction on transfer_evidence (bank_transaction_id, source)
  where bank_transaction_id is not null;
create index transfer_evidence_open on transfer_evidence (id) where state <> 'TIED';

-- Deposits credited to members.
create table deposit (
  id text primary key,
  member_id bigint not null references member,
  channel text not null check (channel in ('QR', 'AUTO', 'SLIP', 'GIFT', 'MANUAL')),
  bank_code text not null,
  bank_reference text not null,
  qr_id text references qr,
  amount bigint not null check (amount > 0),
  -- Third-party payer: not the member's registered account. Shown to operators.
  from_stranger boolean not null,
  entry_id bigint not null,
  created_at timestamptz not null,
  -- Set when the deposit is reversed; its bank transaction can then be credited again, by an operator only. Not a
  -- foreign key: the reversal references the deposit, and a restore can't order a cycle.
  reversal_id text
);
create index deposit_member on deposit (member_id, created_at desc);
create index deposit_made on deposit (created_at);
create unique index deposit_transfer on deposit (bank_code, bank_reference) where reversal_id is null;
-- For lists sorted by amount.
create index deposit_amount on deposit (amount, id);

-- A transfer as the evidence of one source describes it.
create type transfer_row as (
  source text, bank_code text, account_no text, currency text, bank_reference text, amount bigint,
  payer_bank text, payer_mask text, payer_sealed bytea, reference1 text, paid_at timestamptz
);

-- Credits a transfer; `use_bank_transaction_id` is the unmatched bank transaction it is, if any.
create type transfer_credit_row as (
  transfer transfer_row, deposit_id text, member_id bigint, channel text, qr_id text, from_stranger boolean,
  use_bank_transaction_id bigint, slip_id text
);

-- Stores a transfer without a known member as an unmatched bank transaction.
create type transfer_park_row as (transfer transfer_row, likely bigint[], reason text);

-- Matches evidence to a bank transaction.
create type transfer_tie_row as (
  transfer transfer_row, bank_transaction_id bigint, tied_by text, qr_id text, slip_id text, likely bigint
);

-- Leaves an ambiguous match to an operator.
create type transfer_ask_row as (transfer transfer_row, slip_id text);

-- Decides an unmatched bank transaction.
create type operator_bank_transaction_row as (
  action operator_action_row, bank_transaction_id bigint, state text, member_id bigint, deposit_id text
);

-- Decides evidence in state ASK.
create type operator_evidence_row as (
  action operator_action_row, evidence_id bigint, bank_transaction_id bigint, member_id bigint, deposit_id text
);

grant select, insert, update on deposit_account, bank_feed, qr to krapao_app;
grant select on bank_transaction, transfer_evidence, deposit to krapao_app;
