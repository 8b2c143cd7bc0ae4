-- Deposits: slips, payment reports of members, gift links, reversals

-- Slips: pictures of transfers that members upload, and their decisions.
create table slip (
  id text primary key,
  member_id bigint not null references member,
  -- Names the picture to the member.
  reference text not null unique,
  idempotency_key text,
  image_hash bytea not null,
  file text not null,
  -- Text of the slip's QR code; null when none could be read.
  code text,
  sending_bank text,
  trans_ref text,
  status text not null check (status in ('PENDING', 'REVIEW', 'SUCCESS', 'FAILED')),
  note text,
  -- The transfer as the bank reported it.
  bank_code text,
  account_no text,
  currency text check (currency in ('BAHT', 'LAK')),
  amount bigint,
  payer_mask text,
  payer_sealed bytea,
  paid_at timestamptz,
  -- Why the slip needs review.
  doubts text[] not null default '{}',
  asked integer not null default 0,
  ask_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The operator's decision, which commits with its audit row.
  decided_by text,
  decided_reason text,
  -- The operator's role and address, for the audit row.
  decided_role text,
  decided_address text,
  -- The reference printed on the slip, once `trans_ref` is the one that the bank reported; null before. Slips are
  -- booked and compared by `trans_ref`; the printed reference is kept to check the slip again.
  printed_ref text
);
create index slip_member on slip (member_id, created_at desc, id desc);
create unique index slip_idempotent on slip (member_id, idempotency_key) where idempotency_key is not null;
-- A transfer is accepted by one slip only, across all members.
create unique index slip_accepted on slip (sending_bank, trans_ref) where status = 'SUCCESS';
create index slip_reference on slip (trans_ref) where trans_ref is not null;
create index slip_due on slip (ask_at) where status = 'PENDING';
create index slip_review on slip (created_at) where status = 'REVIEW';
create index slip_made on slip (created_at, id);

-- Payment reports: a member says that they paid. Operators look for the money; a report alone credits nothing.
create table payment_report (
  id text primary key,
  member_id bigint not null references member,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index payment_report_open on payment_report (member_id) where status = 'PENDING';

create type payment_report_row as (id text, member_id bigint, amount bigint);

-- Decides a payment report. `category` is that of the manual entry when it is credited without a bank transaction.
create type operator_report_row as (
  action operator_action_row, id text, member_id bigint, amount bigint, status text, bank_transaction_id bigint,
    category text
);

-- Redemptions of gift links. Each is stored before the gift service is called, so that a lost response loses no money
-- and a voucher is redeemed for one member only.
create table gift_redemption (
  -- Also the id of its statement row and of its deposit.
  id text primary key,
  member_id bigint not null references member,
  code text not null,
  -- SENT and UNKNOWN: our wallet may have the money. FAILED: the service has reported that it does not.
  state text not null check (state in ('SENT', 'UNKNOWN', 'DONE', 'FAILED')),
  -- The amount shown before redemption, and the amount our wallet received.
  expected bigint not null check (expected > 0),
  amount bigint check (amount > 0),
  asked integer not null default 0,
  reason text,
  created_at timestamptz not null,
  -- By the database's clock: the first call, and the last call that may still be running.
  sent_at timestamptz not null default now(),
  tried_at timestamptz not null default now(),
  watched_since timestamptz,
  watch_asked_at timestamptz,
  check ((state = 'DONE') = (amount is not null))
);
-- A voucher that was redeemed, or may have been, is never tried again.
create unique index gift_redemption_code on gift_redemption (code) where state <> 'FAILED';
create index gift_redemption_open on gift_redemption (tried_at) where state in ('SENT', 'UNKNOWN');
create index gift_redemption_member on gift_redemption (member_id, created_at desc);
create index gift_redemption_made on gift_redemption using brin (created_at) with (pages_per_range = 32);
create index gift_redemption_watched on gift_redemption (watched_since) where watched_since is not null;

create type gift_intent_row as (id text, member_id bigint, code text, expected bigint);

create type gift_end_row as (id text, member_id bigint, code text, state text, amount bigint, reason text);

create type operator_gift_row as (action operator_action_row, ending gift_end_row);

-- Reversals of wrongly credited deposits: each is a new entry and a new statement row beside the original ones.
create table reversal (
  -- Also the id of its statement row.
  id text primary key,
  member_id bigint not null references member,
  deposit_id text not null unique references deposit,
  amount bigint not null check (amount > 0),
  reason text not null,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null
);

-- `payer_sealed` is the payer to record when the deposit, such as a gift, has no bank transaction.
create type operator_reversal_row as (action operator_action_row, id text, deposit_id text, payer_sealed bytea);

grant select, insert, update on slip to krapao_app;
grant select, update on payment_report to krapao_app;
grant select, update (state, asked, tried_at, watched_since, watch_asked_at) on gift_redemption to krapao_app;
grant select on reversal to krapao_app;
