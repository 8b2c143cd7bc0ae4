-- Deposits: slips, payment reports of members, gift links, reversals

-- Slips: the pictures members hand in, what became of each, and claims of money nobody has found yet.
create table slip (
  id text primary key,
  member_id bigint not null references member,
  -- Names the picture to its owner.
  reference text not null unique,
  idempotency_key text,
  image_hash bytea not null,
  file text not null,
  -- The text of the code on it; null when none could be read.
  code text,
  sending_bank text,
  trans_ref text,
  status text not null check (status in ('PENDING', 'REVIEW', 'SUCCESS', 'FAILED')),
  note text,
  -- What the bank said of the transfer, once it was asked.
  bank_code text,
  account_no text,
  currency text check (currency in ('BAHT', 'LAK')),
  amount bigint,
  payer_mask text,
  payer_sealed bytea,
  paid_at timestamptz,
  -- Why an operator has to look: what was unsure.
  doubts text[] not null default '{}',
  asked integer not null default 0,
  ask_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Operators decide slips that are neither surely right nor surely wrong; the audit row commits with the decision.
  decided_by text,
  decided_reason text,
  -- Slips are decided in the console: the audit row says in which role and from where, and roles may see or decide them.
  decided_role text,
  decided_address text,
  -- A slip is booked, compared and found under the reference that the bank told of its transfer (trans_ref, once told);
  -- what stood on the slip itself stays for judging it again. Null: nothing was told yet.
  printed_ref text
);
create index slip_member on slip (member_id, created_at desc, id desc);
create unique index slip_idempotent on slip (member_id, idempotency_key) where idempotency_key is not null;
-- A transfer is accepted by one slip, for ever and across all members.
create unique index slip_accepted on slip (sending_bank, trans_ref) where status = 'SUCCESS';
create index slip_reference on slip (trans_ref) where trans_ref is not null;
create index slip_due on slip (ask_at) where status = 'PENDING';
create index slip_review on slip (created_at) where status = 'REVIEW';
create index slip_made on slip (created_at, id);

-- A member's claim 'I paid this': operators look for the money, nothing is credited by it.
create table deposit_claim (
  id text primary key,
  member_id bigint not null references member,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index deposit_claim_open on deposit_claim (member_id) where status = 'PENDING';

create type deposit_claim_row as (id text, member_id bigint, amount bigint);

-- Operators end what members say they paid, and decide tellings that may be of one transfer or another.
create type desk_report_row as (
  act desk_act_row, id text, member_id bigint, amount bigint, status text, line_id bigint, category text
);

-- Gift links: each attempt to take a voucher is kept before the gift service is asked for it, so that a lost answer
-- loses nothing and a voucher is taken for one member only.
create table gift_redemption (
  -- Also the id of its statement row and of its deposit.
  id text primary key,
  member_id bigint not null references member,
  code text not null,
  -- SENT and UNKNOWN: our wallet may have the money. FAILED: the service has said that it has not.
  state text not null check (state in ('SENT', 'UNKNOWN', 'DONE', 'FAILED')),
  -- What the look beforehand promised, and what our wallet received.
  expected bigint not null check (expected > 0),
  amount bigint check (amount > 0),
  asked integer not null default 0,
  reason text,
  created_at timestamptz not null,
  -- Real time by the database: of the first call, and of the last one that may still be on its way.
  sent_at timestamptz not null default now(),
  tried_at timestamptz not null default now(),
  watched_since timestamptz,
  watch_asked_at timestamptz,
  check ((state = 'DONE') = (amount is not null))
);
-- A voucher that was taken, or may have been, is never tried for anybody again.
create unique index gift_redemption_code on gift_redemption (code) where state <> 'FAILED';
create index gift_redemption_open on gift_redemption (tried_at) where state in ('SENT', 'UNKNOWN');
create index gift_redemption_member on gift_redemption (member_id, created_at desc);
create index gift_redemption_made on gift_redemption using brin (created_at) with (pages_per_range = 32);
create index gift_redemption_watched on gift_redemption (watched_since) where watched_since is not null;

create type gift_intent_row as (id text, member_id bigint, code text, expected bigint);

create type gift_end_row as (id text, member_id bigint, code text, state text, amount bigint, reason text);

create type desk_gift_row as (act desk_act_row, ending gift_end_row);

-- A deposit that was wrongly credited is taken back by a new entry and a new statement row; the first ones stay.
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

-- `payer_sealed` is the sender's cell for money that came without a bank line, a gift.
create type desk_reversal_row as (act desk_act_row, id text, deposit_id text, payer_sealed bytea);

grant select, insert, update on slip to krapao_app;
grant select, update on deposit_claim to krapao_app;
grant select, update (state, asked, tried_at, watched_since, watch_asked_at) on gift_redemption to krapao_app;
grant select on reversal to krapao_app;
