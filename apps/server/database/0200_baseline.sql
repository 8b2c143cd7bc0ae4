-- The tables of Krapao, by feature. Functions, triggers and views stand in the sql folder of their feature.


-- Ledger: accounts, entries, postings, holds; and the saved answers of idempotent calls

-- The money core: accounts, entries, postings, holds and the one function that writes them.
-- Why a function with its owner's rights: the application's role can read these tables and can change none of them,
-- so a bug or a stolen connection cannot move money outside the rules below.
create table ledger_asset (
  id smallint primary key,
  code text not null unique,
  decimals smallint not null
);

-- A member's account never goes below zero. A house account may: money that came in from outside stands there as a
-- negative balance, so that all balances of one asset always sum to zero.
create table ledger_account (
  id bigint generated always as identity primary key,
  asset smallint not null references ledger_asset,
  kind text not null,
  member_id bigint,
  slot_code text,
  allow_negative boolean not null,
  balance bigint not null default 0,
  version bigint not null default 0,
  created_at timestamptz not null,
  check (allow_negative or balance >= 0),
  check ((member_id is null) = allow_negative)
) with (fillfactor = 50
);
create unique index ledger_account_member on ledger_account (member_id, kind, coalesce(slot_code, ''))
  where member_id is not null;
create unique index ledger_account_house on ledger_account (kind, asset) where member_id is null;

create table ledger_batch (
  id bigint generated always as identity primary key,
  entries integer not null,
  created_at timestamptz not null,
  hash bytea not null
);

create sequence ledger_entry_id as bigint;

create table ledger_entry (
  id bigint primary key,
  batch_id bigint not null,
  kind text not null,
  reference text not null unique,
  member_id bigint,
  hold_key text,
  created_at timestamptz not null,
  digest bytea not null
);
-- Entries are written in the order of their batches, so a block range index finds them and costs nothing to keep.
create index ledger_entry_batch on ledger_entry using brin (batch_id);
create index ledger_entry_at on ledger_entry using brin (created_at);

create table ledger_posting (
  account_id bigint not null,
  entry_id bigint not null,
  leg smallint not null,
  amount bigint not null,
  balance_after bigint not null,
  primary key (account_id, entry_id, leg)
);

-- What a hold is for stands in its key, for example 'withdrawal:WD01…'. It is closed once, posted or released.
create table ledger_hold (
  key text primary key,
  from_account bigint not null,
  hold_account bigint not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('OPEN', 'POSTED', 'RELEASED')),
  opened_by bigint not null,
  closed_by bigint
) with (fillfactor = 80
);

-- Rows that explain an entry and commit with it. guard_function(rows text[]) returns text[] (a refusal code or null
-- each) is asked under the ledger's lock before money is decided; write_function(rows text[], entries bigint[],
-- now timestamptz) writes what explains the accepted ones.
create table ledger_companion (
  name text primary key,
  guard_function text,
  write_function text not null
);

-- One saved answer per member, call and key (Stripe's contract): state RUNNING until the call has ended.
create table idempotency (
  member_id bigint not null,
  call text not null,
  key text not null,
  body_hash text not null,
  state text not null check (state in ('RUNNING', 'DONE')),
  refused boolean not null,
  answer text not null,
  wallet_after bigint,
  created_at timestamptz not null,
  primary key (member_id, call, key)
);
create index idempotency_age on idempotency using brin (created_at);

-- A call that died before anything moved leaves its key taken. A repeat ends it: what it had promised to move may never
-- move any more, and the key is free. Whoever comes late with a promised move is refused by the same ledger.
create table ended_wish (
  -- A transfer or withdrawal that will never be.
  id text primary key
);

create type wish_end_row as (member_id bigint, call text, key text, answer text, ids text[]);

-- A call that died between its moves: what it has not begun is ended, what it has begun stands, and its key stays taken
-- by the outcome.
create type wish_rest_row as (ids text[]);

grant select on ledger_asset, ledger_account, ledger_batch, ledger_entry, ledger_posting, ledger_hold, ledger_companion, ended_wish to krapao_app;
grant select, update, delete on idempotency to krapao_app;


-- Platform: settings, rate limits, outbox, audit trail, alerts

-- The SQL files of functions, triggers and views as they were applied last.
create table routine_file (
  -- Relative to the server's source folder.
  path text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
-- Every set of routine files that was applied here, by the hash of the whole set.
create table routine_set (
  sha256 text primary key,
  applied_at timestamptz not null default now()
);

-- What every feature stands on: settings, content, throttles, the outbox and the audit trail.
create table setting (
  key text primary key,
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null
);

-- Counted windows for rate limits, shared by all instances.
create table throttle (
  key text primary key,
  count integer not null,
  opened_at timestamptz not null,
  closes_at timestamptz not null
);
create index throttle_closes on throttle (closes_at);

-- Events that must reach a member's screens although the server may die after the commit.
create table outbox (
  id bigint generated always as identity primary key,
  member_id bigint not null,
  event text not null,
  payload jsonb not null,
  created_at timestamptz not null
);

-- Large events between instances of the live socket travel through this table (socket.io's PostgreSQL adapter).
create table socket_io_attachments (
  id bigint generated always as identity unique,
  created_at timestamptz default now(),
  payload bytea
);

-- Who did what, in the transaction of the act. Nobody alters it.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  thing text not null,
  before jsonb,
  after jsonb,
  reason text,
  address text,
  -- The role the actor had when he acted.
  role text
);
create index audit_thing on audit (thing, id);
create index audit_actor on audit (actor, id);
create index audit_action on audit (action, id);
create index audit_at on audit using brin (at);

-- What operators must look at; closed by the one who has seen to it.
create table alert (
  id bigint generated always as identity primary key,
  kind text not null,
  thing text not null,
  detail text not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create unique index alert_open on alert (kind, thing) where closed_at is null;

grant select, insert, update on setting, alert to krapao_app;
grant select, insert, update, delete on throttle, outbox to krapao_app;
grant select, insert, delete on socket_io_attachments to krapao_app;
grant select, insert on audit to krapao_app;


-- Operators: roles, logins, saved views

-- Operators' accounts: roles as editable sets of permissions, a second factor, sessions of their own.
create table operator_role (
  code text primary key,
  permissions text[] not null,
  updated_at timestamptz not null
);

create table operator (
  id bigint generated always as identity primary key,
  name text not null unique,
  password_hash text,
  role text not null,
  status text not null default 'ACTIVE' check (status in ('INVITED', 'ACTIVE', 'SUSPENDED')),
  created_at timestamptz not null,
  -- The secret of the authenticator, and the last time step a code was taken for: a code counts once.
  totp_sealed bytea,
  totp_step bigint not null default 0,
  -- A one-time enrolment: whoever brings its token chooses the password.
  enrolment_hash bytea unique,
  enrolment_expires_at timestamptz,
  constraint operator_role_known foreign key (role) references operator_role
);

create table operator_session (
  token_hash bytea primary key,
  id text not null unique,
  operator_id bigint not null references operator,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- The absolute end; an idle session ends earlier.
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  user_agent text
);
create index operator_session_of on operator_session (operator_id) where ended_at is null;

-- What operators keep of a room's list: views under a name, and the columns each has before him.
create table desk_view (
  id text primary key,
  operator_id bigint not null references operator,
  room text not null,
  name text not null,
  -- Filters, order and columns, as they stand behind the question mark of the room's address.
  address text not null,
  audience text not null check (audience in ('me', 'role', 'all')),
  -- The role it is shared with.
  role text references operator_role,
  saved_at timestamptz not null,
  check ((audience = 'role') = (role is not null)),
  unique (operator_id, room, name)
);

create table desk_columns (
  operator_id bigint not null references operator,
  room text not null,
  shown text[] not null,
  primary key (operator_id, room)
);

grant select, insert, update on operator_role, operator, operator_session to krapao_app;
grant select, insert, update, delete on desk_view, desk_columns to krapao_app;


-- Content: banks, sources, texts, pictures, banners, guides

create table bank (
  code text primary key,
  bot_code text,
  name_local text not null,
  name_en text not null,
  color text,
  variant text not null check (variant in ('th', 'la')),
  account_lengths integer[],
  position integer not null,
  is_open boolean not null default true
);

create table source (
  code text primary key,
  description_th text not null,
  description_la text not null,
  description_en text not null,
  position integer not null,
  is_open boolean not null default true
);

-- Words operators write, one row a language: conditions, agreements, notice, contact, info.
create table content (
  key text not null,
  language text not null check (language in ('th', 'la', 'en')),
  body jsonb not null,
  updated_at timestamptz not null,
  primary key (key, language)
);

-- Words operators write, by revision: table content stays what members are shown.
create table content_revision (
  key text not null,
  revision integer not null check (revision > 0),
  -- {"th": …, "la": …, "en": …}, each as in content.body.
  words jsonb not null,
  published_by text not null,
  published_at timestamptz not null,
  reason text,
  -- The earlier revision that this one brings back.
  reverts integer,
  primary key (key, revision)
);

-- At most one a key: what has been written and not yet published. The id changes with every saving.
create table content_draft (
  key text primary key,
  id text not null,
  words jsonb not null,
  saved_by text not null,
  saved_at timestamptz not null
);

-- Pictures in content, drawn anew.
create table content_picture (
  id text primary key,
  jpeg bytea not null,
  added_by text not null,
  added_at timestamptz not null,
  unused_since timestamptz
);

-- Pictures drawn anew, and films as they came; anybody may see them. In parts, so that a film is read piece by piece.
create table content_file (
  id text primary key,
  type text not null check (type in ('image/jpeg', 'video/mp4', 'video/webm')),
  bytes integer not null check (bytes > 0),
  part_bytes integer not null check (part_bytes > 0),
  added_by text not null,
  added_at timestamptz not null,
  -- Since when it was seen to be named nowhere; null: named, or not yet looked at.
  unused_since timestamptz
);

create table content_file_part (
  file_id text not null references content_file,
  part integer not null check (part >= 0),
  bytes bytea not null,
  primary key (file_id, part)
);

create table banner (
  id bigint generated always as identity primary key,
  -- Where members see it; each place asks for its own.
  place text not null check (place in ('home', 'invite', 'refund', 'bonus')),
  -- {"th": {"title", "html", "picture"}, "la": …, "en": …}; picture is the id of a content_file or null.
  words jsonb not null,
  -- Where it leads: an https address, a path of the member app, or nothing.
  link text not null default '',
  is_open boolean not null,
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  position integer not null,
  version integer not null default 1,
  changed_by text not null,
  changed_at timestamptz not null
);
create index banner_place on banner (place, position, id);

-- The five guides of the how-to page. An empty title and no film stand for those that come with the product.
create table howto_guide (
  name text primary key,
  -- {"th", "la", "en"}
  titles jsonb not null default '{"th": "", "la": "", "en": ""}',
  video text,
  is_open boolean not null default true,
  position integer not null,
  version integer not null default 1
);

grant select, insert, update on bank, source, content, banner, howto_guide to krapao_app;
grant select, insert on content_revision to krapao_app;
grant select, insert, update, delete on content_draft to krapao_app;
grant select, insert, update (unused_since), delete on content_picture, content_file to krapao_app;
grant select, insert, delete on content_file_part to krapao_app;


-- Members: accounts, bank accounts, sessions, one-time codes

-- Members, their bank accounts and sessions, and the one-time codes of registration.
create table member (
  id bigint generated always as identity (start with 100001) primary key,
  phone text not null unique,
  name text not null,
  password_hash text not null,
  currency text not null check (currency in ('BAHT', 'LAK')),
  source_code text not null references source,
  inviter_id bigint references member,
  -- What was typed as inviter code when nobody has it; shown to operators.
  unknown_invite_code text,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  password_changed_at timestamptz not null,
  created_at timestamptz not null,
  last_sync timestamptz,
  wallet_account bigint not null,
  hold_account bigint not null,
  coin_account bigint not null,
  -- The least age a member confirmed when he registered, as the form showed it then; null: he was not asked.
  age_confirmed smallint check (age_confirmed between 1 and 150),
  age_confirmed_at timestamptz,
  -- A member may demand a PIN before money leaves; a session that has proven it may withdraw for a few minutes.
  pin_hash text,
  pin_set_at timestamptz
);
create index member_inviter on member (inviter_id, id) where inviter_id is not null;
create index member_made on member (created_at);
create index member_phone_last on member (right(phone, 4));
create index member_name on member (name, id);

create table bank_account (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  bank_code text not null references bank,
  account_no_sealed bytea not null,
  account_no_fingerprint bytea not null,
  account_name text not null,
  status text not null check (status in ('ACTIVE', 'REPLACED')),
  created_at timestamptz not null,
  -- Until when nothing is paid to an account that replaced another; null for the one given at registration.
  cool_until timestamptz
);
create unique index bank_account_once on bank_account (bank_code, account_no_fingerprint) where status = 'ACTIVE';
create unique index bank_account_of_member on bank_account (member_id) where status = 'ACTIVE';

-- Finds members by the digits that banks leave visible, without holding the digits.
create table bank_account_digits (
  bank_account_id bigint primary key references bank_account,
  middle_fingerprint bytea not null,
  last_fingerprint bytea not null
);
create index bank_account_digits_middle on bank_account_digits (middle_fingerprint);
create index bank_account_digits_last on bank_account_digits (last_fingerprint);

create table session (
  token_hash bytea primary key,
  member_id bigint not null references member,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('logout', 'operator', 'password', 'member')),
  address text,
  user_agent text,
  -- A member sees where he is logged in and ends what is not his: a session gets a name that is not its token.
  id uuid not null default gen_random_uuid(),
  last_seen_at timestamptz,
  -- A login from a kind of device its member had not used before is shown to him until he says that it was he.
  device_is_new boolean not null default false,
  confirmed_at timestamptz,
  pin_proven_at timestamptz
);
create index session_member on session (member_id, created_at desc);
-- Who logs in from the same browser at the same address is found without reading every session.
create index session_of_browser on session (address, hashtext(user_agent), created_at) where user_agent is not null;

create table otp (
  token_hash bytea primary key,
  phone text not null,
  purpose text not null,
  reference text not null,
  code_fingerprint bytea not null,
  address text not null,
  wrong_tries integer not null default 0,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  verified_at timestamptz,
  -- A code that was verified allows one thing once: a new password.
  used_at timestamptz
);
create index otp_phone on otp (phone, sent_at desc);

create table member_note (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  operator_id bigint not null references operator,
  text text not null,
  written_at timestamptz not null
);
create index member_note_of on member_note (member_id, id);

grant select, insert, update on member, bank_account, session, otp to krapao_app;
grant select, insert on bank_account_digits, member_note to krapao_app;
grant usage on sequence member_id_seq to krapao_app;


-- Approvals and assignments of operators

-- A queue row is taken before it is acted on; it frees itself when nothing happened for some minutes.
create table claim (
  thing text primary key,
  operator_id bigint not null references operator,
  claimed_at timestamptz not null,
  touched_at timestamptz not null
);

-- One open request an action and thing; whoever made it never decides it.
create table approval (
  id text primary key,
  action text not null,
  thing text not null,
  -- What the act needs, and what the checker is shown.
  payload jsonb not null,
  summary jsonb not null,
  reason text,
  maker_id bigint references operator,
  state text not null check (state in ('PENDING', 'APPROVED', 'REFUSED', 'WITHDRAWN', 'LAPSED')),
  made_at timestamptz not null,
  lapses_at timestamptz not null,
  checker_id bigint references operator,
  checked_at timestamptz,
  note text,
  maker_member_id bigint references member,
  -- A request for approval counts no more once its maker is suspended or may no longer make it; the console says why.
  lapsed_because text check (lapsed_because = 'MAKER'),
  check (checker_id is null or checker_id <> maker_id),
  constraint approval_maker check (num_nonnulls(maker_id, maker_member_id) = 1)
);
create unique index approval_pending on approval (action, thing) where state = 'PENDING';
create index approval_made on approval (made_at desc);
create index approval_thing on approval (thing, action, made_at desc);

-- What an operator gives or takes without a second person adds up: many small acts are checked like a large one.
create table act_alone (
  operator_id bigint not null references operator,
  -- The act, by its maker's key or its thing.
  reference text not null,
  member_id bigint not null references member,
  -- Whether it goes to many members at once; such acts add up over all of them too.
  is_batch boolean not null,
  direction text not null check (direction in ('credit', 'debit')),
  unit text not null check (unit in ('BAHT', 'LAK', 'COIN')),
  -- Minor units, or coins.
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  primary key (operator_id, reference, member_id)
);
create index act_alone_at on act_alone (operator_id, at);

-- Who acts, on what word: written into the audit trail by the transaction of the act. `approval_id` is the request
-- this act carries out; `claim_after` demands that the operator has claimed the thing since then.
create type desk_act_row as (
  operator_id bigint, actor text, role text, action text, thing text, before jsonb, after jsonb, reason text,
  address text, approval_id text, claim_after timestamptz, at timestamptz
);

grant select, insert, update, delete on claim to krapao_app;
grant select, insert, update on approval to krapao_app;
grant select, insert on act_alone to krapao_app;


-- Statement of a member

-- The member's statement. Rows are numbered per member, so that page N is found by number and costs what page 1 costs.
-- Written only inside ledger batches, whose single writer makes the numbering safe.
create table statement (
  member_id bigint not null,
  number bigint not null,
  id text not null unique,
  type text not null check (type in ('deposit', 'bonus', 'finish_bonus', 'withdraw', 'transfer')),
  status text not null check (status in ('PENDING', 'PROCESSING', 'REVIEW', 'SUCCESS', 'FAILED')),
  source text not null,
  target text not null,
  amount bigint not null,
  reference_kind text check (reference_kind in ('bonus', 'promotion', 'invite', 'refund', 'luckydraw')),
  reference_text text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (member_id, number)
) with (fillfactor = 90
);

-- Filtered statements. A block is 1,024 rows of one member's statement by number; once every row of it is final it
-- never changes again, so what it holds is counted once, by whoever first asks. Nothing is written while money moves.
create table statement_block (
  member_id bigint not null,
  block bigint not null,
  -- How many rows of each type and final status, as {"deposit SUCCESS": 12}.
  counts jsonb not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (member_id, block)
);

create type statement_row as (member_id bigint, id text, type text, status text, source text, target text, amount bigint);

grant select, update (status, updated_at) on statement to krapao_app;
grant select, insert on statement_block to krapao_app;


-- Manual entries of operators

-- An operator's own entry, once by the key his console made.
create table manual_entry (
  id text primary key,
  member_id bigint not null references member,
  operator_id bigint not null references operator,
  key text not null,
  direction text not null check (direction in ('credit', 'debit')),
  category text not null check (category in ('correction', 'goodwill', 'campaign', 'fee', 'other')),
  amount bigint not null check (amount > 0),
  reason text not null,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null,
  unique (operator_id, key)
);
create index manual_entry_of on manual_entry (member_id, created_at);

-- A manual entry of an operator: the statement row and the audit row beside the posting.
create type manual_entry_row as (statement statement_row, actor text, action text, thing text, reason text);

create type desk_entry_row as (act desk_act_row, statement statement_row, direction text, category text, key text);

grant select on manual_entry to krapao_app;


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


-- Games: providers, games, game accounts, transfers

-- A whole provider under maintenance: none of its games is entered, whatever each says of itself; money comes out.
create table game_provider (
  -- As `slot.adapter`.
  adapter text primary key,
  is_in_maintenance boolean not null,
  changed_by text not null,
  changed_at timestamptz not null
);

-- Games, the accounts members open in them, and money on its way to or from a provider.
create table slot (
  code text primary key,
  name text not null,
  category text not null check (category in ('slot', 'sport', 'lotto')),
  adapter text not null,
  -- The agent at the provider, and the name auto-login knows the game by.
  agent text not null,
  launch_name text not null unique,
  -- Wallet currency per credit, in millionths.
  rate_micro bigint not null check (rate_micro > 0),
  unknown_user_code text not null default 'NO_USER' check (unknown_user_code in ('NO_USER', 'NOT_AREASLOT', 'NOT_UFABET')),
  logo text not null,
  background text not null,
  web text,
  android text,
  ios text,
  is_open boolean not null default true,
  position integer not null,
  -- Games on offer are run from the console.
  -- Under maintenance nobody enters or pays in; money comes out as ever. Closed (is_open false) also hides the game from
  -- members who have nothing in it.
  is_in_maintenance boolean not null default false,
  -- Least that one transfer may take into the game, in hundredths of a credit.
  least_in bigint check (least_in > 0),
  version integer not null default 1
);

-- What happens to a game account is put in order by a counter of the database: the clocks of several servers differ, and
-- by them a transfer that ended while a balance was read looked older than the question.
create sequence game_turn;

create table game_account (
  member_id bigint not null references member,
  slot_code text not null references slot,
  username text not null,
  password_sealed bytea not null,
  mirror_account bigint not null,
  -- OPENING while the provider has not yet said that the account exists.
  state text not null check (state in ('OPENING', 'ACTIVE')),
  -- A changed rate reaches an account once its balance is 0, so the rate of today is kept here.
  rate_micro bigint not null,
  -- Hundredths of a credit, as last reported.
  credits bigint not null default 0,
  outstanding bigint not null default 0,
  asked_at timestamptz,
  created_at timestamptz not null,
  -- Game accounts: the event an account belongs to at providers that have several, and a password on its way.
  event text,
  -- Sent to the provider, not yet known to have arrived there: sent again until it says so.
  next_password_sealed bytea,
  password_asked_at timestamptz,
  -- Taken before the balance was asked for.
  asked_turn bigint,
  -- The database's time at which somebody took the right to open the account; a later caller takes it over after a while.
  reserved_at timestamptz not null default now(),
  primary key (member_id, slot_code),
  unique (slot_code, username)
);

create table provider_transfer (
  id text primary key,
  member_id bigint not null references member,
  slot_code text not null references slot,
  direction text not null check (direction in ('IN', 'OUT')),
  amount bigint not null check (amount > 0),
  credits bigint not null check (credits > 0),
  state text not null check (state in ('RESERVED', 'UNKNOWN', 'DONE', 'FAILED')),
  asked integer not null default 0,
  created_at timestamptz not null,
  touched_at timestamptz not null,
  -- Real time of sending, by the database: the grace given to a provider that says it has never seen the reference.
  sent_at timestamptz not null default now(),
  watched_since timestamptz,
  watch_asked_at timestamptz,
  -- Null: from before there were turns.
  ended_turn bigint
);
create index provider_transfer_open on provider_transfer (sent_at) where state in ('RESERVED', 'UNKNOWN');
create index provider_transfer_of_account on provider_transfer (member_id, slot_code, touched_at);
create index provider_transfer_made on provider_transfer (created_at);
create index provider_transfer_of on provider_transfer (member_id, created_at);
create index provider_transfer_watched on provider_transfer (watched_since) where watched_since is not null;

create type transfer_intent_row as (id text, member_id bigint, slot_code text, direction text, amount bigint, credits bigint);

create type transfer_end_row as (id text, member_id bigint, slot_code text, direction text, amount bigint, credits bigint, state text);

create type desk_transfer_row as (act desk_act_row, ending transfer_end_row, state text);

create type game_reading_row as (member_id bigint, slot_code text, credits bigint, outstanding bigint, asked_at timestamptz, turn bigint,
  mirror_account bigint, mirror_version bigint);

create type desk_game_reading_row as (act desk_act_row, reading game_reading_row);

grant select, insert, update on game_provider, slot to krapao_app;
grant usage on sequence game_turn to krapao_app;
grant select, insert, update, delete on game_account to krapao_app;
grant select, update on provider_transfer to krapao_app;


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
  -- Noted just before the withdrawal is asked for.
  withdrawal_id text primary key,
  -- How much of it was not bet; 0: a provider did not tell.
  amount bigint not null check (amount >= 0)
);

-- Cut into several withdrawals, money must still be bet before it leaves: what one leaves behind unbet is asked of the next.
create table withdrawal_unbet (
  -- Noted just before the withdrawal is asked for.
  withdrawal_id text primary key,
  -- The bets that were owed since a moment, those made by then included, minor units.
  needed bigint not null check (needed > 0),
  since timestamptz not null
);

-- only_one: refused while another is open. must_review: not paid without a review, whatever its amount.
create type withdrawal_hold_row as (
  id text, member_id bigint, bank_account_id bigint, bank_code text, amount bigint, only_one boolean, must_review boolean,
  automatic_max bigint, automatic_day_max bigint
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


-- Bonuses and promotion codes

-- Bonuses and the runs they start: money granted under terms, until it is won through, lost or given up.
create table bonus (
  id bigint generated always as identity primary key,
  code text not null unique,
  -- A promotion is hidden behind its code.
  kind text not null check (kind in ('bonus', 'promotion')),
  currency text not null check (currency in ('BAHT', 'LAK')),
  -- {"th", "la", "en"}
  title jsonb not null,
  -- [{"image", "html": {"th", "la", "en"}}]
  banners jsonb not null default '[]',
  -- Amounts are minor units. A fixed amount, or percent of the qualifying deposit, at most award_max.
  award text not null check (award in ('fixed', 'percent')),
  award_amount bigint check (award_amount > 0),
  award_percent integer check (award_percent between 1 and 1000),
  award_max bigint check (award_max > 0),
  -- Null: no deposit is needed.
  deposit_min bigint check (deposit_min > 0),
  deposit_max bigint check (deposit_max >= deposit_min),
  success_percent integer not null check (success_percent = 0 or success_percent > 100),
  fail_percent integer not null check (fail_percent between 0 and 99),
  -- Bets needed, in percent of the base: 500 is five times.
  turnover_percent integer not null default 0 check (turnover_percent >= 0),
  -- Slot code to the weight in percent at which its bets count; null: every game, at its full weight.
  games jsonb check (jsonb_typeof(games) = 'object'),
  withdraw_max bigint check (withdraw_max > 0),
  days integer not null default 30 check (days between 1 and 365),
  -- How receipts of one member are counted against max_received: for ever, by the day, by the week from Monday.
  count_by text not null check (count_by in ('limit', 'day', 'week')),
  max_received integer not null check (max_received > 0),
  -- How many members altogether; null: any number.
  quota integer check (quota > 0),
  is_open boolean not null,
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  position integer not null default 0,
  version integer not null default 1,
  changed_by text not null,
  changed_at timestamptz not null,
  -- Every version of a bonus is kept, whoever wrote it, and members in sight of it see a change at once.
  changed_reason text,
  -- The version this one brought back.
  reverts integer,
  -- A promotion may be received by codes for one person each, made in batches, instead of by its own.
  single_codes boolean not null default false,
  -- What a bonus or promotion tells about itself in full: {"th", "la", "en"}, html.
  description jsonb not null default '{"th": "", "la": "", "en": ""}' check (jsonb_typeof(description) = 'object'),
  check (case award when 'fixed' then award_amount is not null else award_percent is not null and deposit_min is not null end)
);

create table bonus_version (
  bonus_id bigint not null references bonus,
  version integer not null,
  -- The row as it was.
  row jsonb not null,
  primary key (bonus_id, version)
);

create table bonus_run (
  -- Also the id of its statement row.
  id text primary key,
  member_id bigint not null references member,
  wallet_account bigint not null,
  kind text not null check (kind in ('bonus', 'promotion', 'invite', 'refund', 'luckydraw')),
  bonus_id bigint references bonus,
  bonus_version integer,
  label text not null,
  -- A deposit backs one run, for ever.
  deposit_id text unique references deposit,
  -- What of the deposit was there at the start, and what was granted: together the base.
  qualifying bigint not null check (qualifying >= 0),
  granted bigint not null check (granted > 0),
  -- The rest of the balance at the start, which is not bound.
  unbound bigint not null,
  -- Terms, frozen.
  success_percent integer not null,
  fail_percent integer not null,
  turnover_percent integer not null,
  games jsonb,
  withdraw_max bigint,
  expires_at timestamptz not null,
  -- PLAIN: money without conditions, over as soon as it was granted.
  state text not null check (state in ('ACTIVE', 'PLAIN', 'SUCCESS', 'FAILED', 'FORFEITED', 'EXPIRED')),
  entry_id bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (state = 'ACTIVE')),
  ended_by text,
  taken bigint not null default 0,
  -- Bets counted as the providers last told, in minor units.
  turnover bigint not null default 0,
  -- Since when the run could not be decided because somebody outside was silent.
  stuck_since timestamptz
);
create unique index bonus_run_active on bonus_run (member_id) where state = 'ACTIVE';
create index bonus_run_received on bonus_run (member_id, bonus_id, started_at);
create index bonus_run_of_bonus on bonus_run (bonus_id) where bonus_id is not null;
create index bonus_run_due on bonus_run (expires_at) where state = 'ACTIVE';
-- Lists of runs: of a member and of a bonus, newest first; ids sort by time.
create index bonus_run_member on bonus_run (member_id, id);
create index bonus_run_bonus on bonus_run (bonus_id, id) where bonus_id is not null;
-- Reports over days find the runs that were started, and those that gave money back; both indexes cost next to nothing.
create index bonus_run_started on bonus_run using brin (started_at);
create index bonus_run_taken on bonus_run (ended_at) where taken > 0;

create table promotion_batch (
  id text primary key,
  bonus_id bigint not null references bonus,
  made_by text not null,
  made_at timestamptz not null,
  reason text,
  revoked_at timestamptz,
  revoked_by text
);
create index promotion_batch_of_bonus on promotion_batch (bonus_id, id);

create table promotion_code (
  code text primary key,
  batch_id text not null references promotion_batch,
  -- The run it was used up by.
  run_id text unique references bonus_run,
  used_at timestamptz
);
create index promotion_code_of_batch on promotion_code (batch_id, code);

-- `seen_total` is what the terms were worked out on. `received_since` is where counting begins; null counts for ever.
create type bonus_start_row as (
  id text, member_id bigint, wallet_account bigint, kind text, bonus_id bigint, bonus_version integer, label text,
  deposit_id text, qualifying bigint, granted bigint, success_percent integer, fail_percent integer, turnover_percent integer,
  games jsonb, withdraw_max bigint, expires_at timestamptz, seen_total bigint, received_since timestamptz
);

-- `standing` is what the end was decided on; `row_id` names its statement row.
create type bonus_end_row as (run_id text, row_id text, state text, taken bigint, standing bigint, turnover bigint, ended_by text);

create type desk_bonus_end_row as (act desk_act_row, ending bonus_end_row);

create type promotion_code_start_row as (run bonus_start_row, code text);

grant select, insert, update on bonus to krapao_app;
grant select on bonus_version to krapao_app;
grant select, update (turnover, stuck_since) on bonus_run to krapao_app;
grant select, insert, update (revoked_at, revoked_by) on promotion_batch to krapao_app;
grant select, insert on promotion_code to krapao_app;


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


-- Refunds of losses

-- Sums of a wallet's postings so far that are neither play nor a bonus, so that nobody's past is added up twice. Kept
-- by the program; what came since is added where the sums are read.
create table refund_sum (
  member_id bigint primary key references member,
  entry_id bigint not null,
  postings bigint not null,
  paid_in bigint not null,
  paid_out bigint not null
);

create table refund_period (
  member_id bigint not null references member,
  -- Counts from 1 for each member, without gaps.
  number integer not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Minor units, as they were told when it was received.
  deposits bigint not null,
  withdrawals bigint not null,
  opening bigint not null,
  balance bigint not null,
  loss bigint not null,
  percent integer not null,
  amount bigint not null check (amount > 0),
  -- The sums at its end, which the next one counts from.
  paid_in bigint not null,
  paid_out bigint not null,
  entry_id bigint not null,
  primary key (member_id, number)
);
create index refund_period_at on refund_period using brin (to_at);

-- `day` is when the day began that may bring `day_max` of them.
create type refund_receive_row as (
  member_id bigint, number integer, from_at timestamptz, deposits bigint, withdrawals bigint, opening bigint, balance bigint, loss bigint,
  percent integer, amount bigint, paid_in bigint, paid_out bigint, day timestamptz, day_max integer
);

grant select, insert, update on refund_sum to krapao_app;
grant select on refund_period to krapao_app;


-- Wheels, coupons, coins

-- What a coupon is worth; never changed, so that coupons keep what was promised. Amounts in minor units, coins for COIN.
create table prize (
  id bigint generated always as identity primary key,
  currency text not null check (currency in ('BAHT', 'LAK')),
  kind text not null check (kind in ('CASH', 'BONUS', 'COIN', 'ITEM')),
  name jsonb not null,
  -- What it costs the house; for an ITEM only a figure for estimates.
  value bigint not null check (value >= 0 and (value > 0 or kind = 'ITEM')),
  -- Terms of the run that a BONUS starts.
  success_percent integer not null default 0 check (success_percent = 0 or success_percent > 100),
  fail_percent integer not null default 0 check (fail_percent between 0 and 99),
  turnover_percent integer not null default 0 check (turnover_percent >= 0),
  games jsonb check (jsonb_typeof(games) = 'object'),
  withdraw_max bigint check (withdraw_max > 0),
  run_days integer not null default 30 check (run_days between 1 and 365),
  -- How long a coupon can be claimed.
  coupon_days integer not null check (coupon_days between 1 and 365),
  -- Of everything above: the same wheel never has two prizes that are alike.
  fingerprint text not null unique,
  -- How often it was won, for the stock.
  won bigint not null default 0,
  -- While set, its coupons cannot be claimed.
  withdrawn_at timestamptz,
  created_at timestamptz not null,
  check (kind = 'BONUS' or (success_percent = 0 and turnover_percent = 0))
);

create table wheel (
  id bigint generated always as identity primary key,
  currency text not null check (currency in ('BAHT', 'LAK')),
  state text not null check (state in ('DRAFT', 'OPEN', 'STOPPED')),
  -- The version that was published last; null: none yet.
  version integer,
  latest integer not null,
  changed_by text not null,
  changed_at timestamptz not null,
  check (state = 'DRAFT' or version is not null)
);
create unique index wheel_open on wheel (currency) where state = 'OPEN';

-- A version is written once and never changed; a change is the next one.
create table wheel_version (
  wheel_id bigint not null references wheel,
  version integer not null,
  name jsonb not null,
  cost_per_spin integer not null check (cost_per_spin between 1 and 1000),
  -- The version it was copied from, if it goes back to an earlier one.
  reverts_to integer,
  made_by text not null,
  made_at timestamptz not null,
  published_at timestamptz,
  primary key (wheel_id, version)
);

create table wheel_slice (
  wheel_id bigint not null,
  version integer not null,
  position smallint not null,
  code text not null,
  label jsonb not null,
  bg_color text not null check (bg_color ~ '^#[0-9a-f]{6}$'),
  text_color text not null check (text_color ~ '^#[0-9a-f]{6}$'),
  html jsonb not null,
  weight integer not null check (weight between 0 and 1000000),
  -- Null: a blank slice.
  prize_id bigint references prize,
  -- How often its prize may be won altogether; null: any number.
  stock bigint check (stock >= 0),
  primary key (wheel_id, version, position),
  unique (wheel_id, version, code),
  foreign key (wheel_id, version) references wheel_version,
  check (prize_id is not null or stock is null)
);

create table coupon_batch (
  id text primary key,
  prize_id bigint not null references prize,
  operator_id bigint not null references operator,
  reason text not null,
  created_at timestamptz not null,
  -- Operators give coins and coupons, each wish once by the key their console made.
  key text,
  approval_id text references approval
);
create unique index coupon_batch_key on coupon_batch (operator_id, key) where key is not null;

create table coupon (
  id text primary key,
  member_id bigint not null references member,
  prize_id bigint not null references prize,
  -- Code of the slice it was won on, or the batch an operator gave it with.
  slice_code text,
  batch_id text references coupon_batch,
  state text not null check (state in ('OPEN', 'CLAIMED', 'REVOKED')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was claimed or revoked.
  ended_at timestamptz check ((ended_at is null) = (state = 'OPEN')),
  -- The run, or statement row, that a CASH or BONUS became.
  run_id text references bonus_run,
  -- An ITEM's handing over.
  delivered_at timestamptz check (delivered_at is null or state = 'CLAIMED'),
  check ((slice_code is null) <> (batch_id is null))
);
create index coupon_of on coupon (member_id, prize_id, expires_at);
create index coupon_made on coupon (created_at);
create index coupon_batch_of on coupon (batch_id) where batch_id is not null;
-- A prize's page counts its coupons, and lists them.
create index coupon_of_prize on coupon (prize_id, id);

create table spin (
  id text primary key,
  member_id bigint not null references member,
  wheel_id bigint not null,
  version integer not null,
  position smallint not null,
  cost integer not null,
  -- The weights it was drawn from, in the order of the slices: 0 for what was out of stock.
  weights integer[] not null,
  coupon_id text references coupon,
  entry_id bigint not null,
  created_at timestamptz not null,
  foreign key (wheel_id, version, position) references wheel_slice
);
create index spin_of on spin (member_id, created_at);
create index spin_on on spin (wheel_id, version, position);

create type spin_row as (
  id text, member_id bigint, wheel_id bigint, version integer, "position" smallint, cost integer, weights text,
  coupon_id text, expires_at timestamptz
);

-- Coins, and items for operators to deliver. Claims of one member never meet in a batch.
create type coupon_claim_row as (coupon_id text, member_id bigint, at timestamptz);

-- Money: the claim, and the start of its run or the plain grant.
create type coupon_bonus_row as (coupon_id text, at timestamptz, run bonus_start_row);

-- What a member paid in on a day in Bangkok, and the coins he was given for it.
create table coin_day (
  member_id bigint not null references member,
  day date not null,
  deposited bigint not null,
  -- What of it was withdrawn again without having been bet.
  unplayed bigint not null default 0,
  granted bigint not null default 0 check (granted >= 0),
  -- Something has changed since the coins were last reckoned.
  is_open boolean not null,
  turn integer not null default 0,
  primary key (member_id, day)
);
create index coin_day_open on coin_day (member_id) where is_open;

-- `deposited`, `unplayed` and `turn` are what the coins were worked out on; `change` is added to those given.
create type coin_day_row as (member_id bigint, day date, deposited bigint, unplayed bigint, turn integer, change bigint);

create table coin_grant (
  id text primary key,
  member_id bigint not null references member,
  operator_id bigint not null references operator,
  key text not null,
  coins bigint not null check (coins > 0),
  reason text not null,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null,
  unique (operator_id, key)
);
create index coin_grant_of on coin_grant (member_id, created_at);

create type coin_grant_row as (act desk_act_row, id text, member_id bigint, key text, coins bigint);

grant select, insert, update (withdrawn_at) on prize to krapao_app;
grant select, insert, update on wheel to krapao_app;
grant select, insert, update (published_at) on wheel_version to krapao_app;
grant select, insert on wheel_slice, coupon_batch to krapao_app;
grant select, insert, update (state, ended_at, delivered_at) on coupon to krapao_app;
grant select on spin, coin_grant to krapao_app;
grant select, update (is_open) on coin_day to krapao_app;


-- Support chat

-- Support chat: one conversation a member, or a guest until he turns out to be a member; sessions in it, and one order
-- of messages. A message is stored before it is answered or told, and never changes.
create table chat_conversation (
  id bigint generated always as identity primary key,
  member_id bigint unique references member,
  -- SHA-256 of a guest's secret.
  guest_hash bytea unique,
  -- The member's conversation a guest's talk has joined, once and for good.
  merged_into bigint,
  language text check (language in ('th', 'la', 'en')),
  state text not null default 'ENDED' check (state in ('OPEN', 'ENDED')),
  last_words text not null default '',
  last_sender text not null default 'customer',
  last_at timestamptz not null,
  waiting_since timestamptz,
  customer_read bigint not null default 0,
  agent_read bigint not null default 0,
  assignee bigint references operator,
  snoozed_until timestamptz,
  tags text[] not null default '{}',
  created_at timestamptz not null,
  check ((member_id is null) <> (guest_hash is null))
);
create index chat_conversation_open on chat_conversation (coalesce(waiting_since, last_at), id)
  where state = 'OPEN' and merged_into is null;
create index chat_conversation_ended on chat_conversation (last_at desc, id desc)
  where state = 'ENDED' and merged_into is null;

create table chat_session (
  id bigint generated always as identity primary key,
  conversation_id bigint not null references chat_conversation,
  opened_at timestamptz not null,
  ended_at timestamptz,
  -- agent, idle or merged.
  ended_by text,
  operator_id bigint references operator,
  first_answer_at timestamptz,
  rating integer check (rating between 1 and 5),
  check ((ended_at is null) = (ended_by is null))
);
create unique index chat_session_open on chat_session (conversation_id) where ended_at is null;
create index chat_session_of on chat_session (conversation_id, id);
create index chat_session_opened on chat_session (opened_at);

create table chat_message (
  -- The order of what is said: ids of a conversation are given under its lock.
  id bigint generated always as identity primary key,
  conversation_id bigint not null references chat_conversation,
  session_id bigint not null references chat_session,
  sender text not null check (sender in ('customer', 'agent', 'note')),
  -- Who of the house wrote it; null: the house itself.
  operator_id bigint references operator,
  -- As it goes over the wire, without `deliver`; files by their key.
  message jsonb not null,
  client_id text not null,
  created_at timestamptz not null,
  unique (conversation_id, client_id)
);
create index chat_message_of on chat_message (conversation_id, id);
create index chat_message_words on chat_message using gin (to_tsvector('simple', message::text));
create index chat_message_media on chat_message (conversation_id, created_at)
  where sender = 'customer' and message ->> 'message_type' = 'media';

create table chat_file (
  key text primary key,
  kind text not null check (kind in ('image', 'video')),
  message_id bigint references chat_message,
  created_at timestamptz not null,
  -- What files of a talk weigh, and until when a guest's are kept.
  bytes bigint not null default 0 check (bytes >= 0),
  -- Only of what a guest sent: a member's stays.
  kept_until timestamptz
);
create index chat_file_unused on chat_file (created_at) where message_id is null;
create index chat_file_kept_until on chat_file (kept_until) where kept_until is not null;
create index chat_file_of on chat_file (message_id) where message_id is not null;

create table chat_canned (
  shortcut text primary key,
  text text not null,
  changed_by text not null,
  changed_at timestamptz not null
);

grant select, insert, update on chat_conversation, chat_session, chat_message to krapao_app;
grant select, insert, update, delete on chat_file, chat_canned to krapao_app;


-- Notifications and web push

-- What happens to a member while he looks elsewhere is kept for him, in the transaction of what happened, and brought to
-- the browsers he has asked for it in. Figures only: the words are made where they are read, in his language.
create table notification (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  kind text not null check (kind in ('deposit', 'withdraw', 'bonus', 'chat', 'login')),
  -- What it is about, by its own id. With the kind it names the event, so that nothing is told twice.
  subject text not null,
  status text,
  amount bigint,
  -- A bonus by its title, a browser as it calls itself.
  name text,
  created_at timestamptz not null,
  read_at timestamptz,
  unique (member_id, kind, subject)
);
create index notification_of on notification (member_id, id desc);
create index notification_unread on notification (member_id) where read_at is null;
create index notification_age on notification using brin (created_at);

-- Who has no row has the defaults.
create table push_preference (
  member_id bigint primary key references member,
  money boolean not null,
  bonus boolean not null,
  chat boolean not null,
  login boolean not null,
  hides_amounts boolean not null,
  updated_at timestamptz not null
);

-- Our key at the push services (RFC 8292), made at first use.
create table push_key (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  private_sealed bytea not null,
  created_at timestamptz not null
);

-- One browser of a session. Whoever knows its address can reach its owner: it is sealed like a bank account.
create table push_subscription (
  id bigint generated always as identity primary key,
  session_hash bytea not null unique references session,
  member_id bigint not null references member,
  endpoint_sealed bytea not null,
  endpoint_fingerprint bytea not null unique,
  -- {"p256dh", "auth"}: what messages to it are encrypted for.
  keys_sealed bytea not null,
  language text not null check (language in ('th', 'la', 'en')),
  created_at timestamptz not null
);
create index push_subscription_of on push_subscription (member_id, id);

create table push_delivery (
  notification_id bigint not null references notification on delete cascade,
  subscription_id bigint not null references push_subscription on delete cascade,
  due_at timestamptz not null,
  tries integer not null default 0,
  primary key (notification_id, subscription_id)
);
create index push_delivery_due on push_delivery (due_at);
create index push_delivery_to on push_delivery (subscription_id);

grant select, update, delete on notification to krapao_app;
grant select, insert, update, delete on push_preference, push_subscription, push_delivery to krapao_app;
grant select, insert on push_key to krapao_app;


-- Reconciliation with partners

-- One comparison a day and source; a repeat takes its place. `taken_by` until `taken_until` is whoever compares now.
create table reconciliation_run (
  day date not null,
  -- 'bank:SCB:2223334445', 'gateway:WW', 'gift', 'game:betflix:BAHT'
  source text not null,
  currency text not null check (currency in ('BAHT', 'LAK')),
  -- WAITING was never compared; UNKNOWN: the partner gave no answer; NOT_OFFERED: it has nothing to compare with.
  state text not null check (state in ('WAITING', 'COMPARED', 'UNKNOWN', 'NOT_OFFERED')),
  note text,
  -- Tries in a row without an answer.
  tried integer not null default 0,
  their_count integer not null default 0,
  their_in bigint not null default 0,
  their_out bigint not null default 0,
  our_count integer not null default 0,
  our_in bigint not null default 0,
  our_out bigint not null default 0,
  -- Accounts that moved while they were compared.
  left_out integer not null default 0,
  -- Up to when the day was compared, and when that was.
  compared_to timestamptz,
  compared_at timestamptz,
  tried_at timestamptz,
  taken_by text,
  taken_until timestamptz not null default '-infinity',
  primary key (day, source)
);

-- What did not agree. `mark` names it over repeats: an explained difference stays explained while nothing about it
-- changes, and an open one keeps its number.
create table reconciliation_difference (
  id bigint generated always as identity primary key,
  day date not null,
  source text not null,
  kind text not null check (kind in ('MISSING_THEIRS', 'MISSING_OURS', 'AMOUNT', 'BALANCE')),
  mark text not null,
  direction text check (direction in ('IN', 'OUT')),
  currency text not null check (currency in ('BAHT', 'LAK')),
  their_reference text,
  their_amount bigint,
  their_at timestamptz,
  -- Masked.
  their_account text,
  -- 'deposit:DP…', 'withdrawal:WD…', 'unmatched:12', 'game:betflix:7'
  our_thing text,
  our_reference text,
  our_amount bigint,
  our_at timestamptz,
  member_id bigint references member,
  state text not null check (state in ('OPEN', 'EXPLAINED')),
  found_at timestamptz not null,
  explained_by bigint references operator,
  explained_at timestamptz,
  explanation text,
  foreign key (day, source) references reconciliation_run,
  unique (day, source, mark),
  check ((state = 'EXPLAINED') = (explained_at is not null))
);
create index reconciliation_difference_open on reconciliation_difference (day, source) where state = 'OPEN';

grant select, insert, update on reconciliation_run to krapao_app;
grant select, insert, update, delete on reconciliation_difference to krapao_app;


-- What every installation begins with; operators change it later

insert into ledger_asset values (1, 'BAHT', 2), (2, 'LAK', 0), (3, 'COIN', 0);
-- The first block of the hash chain.
insert into ledger_batch (entries, created_at, hash) values (0, '2000-01-01Z', sha256('krapao ledger'::bytea));

insert into operator_role (code, permissions, updated_at) values
  ('admin', '{today.read,member.read,member.status,approval.read,approval.access,audit.read,operator.read
    ,operator.manage,alert.close,content.read,content.manage,channel.read,setting.read,setting.manage
    ,figures.read,promotion.read,chat.read,chat.manage}', now()),
  ('auditor', '{today.read,withdrawal.read,deposit.read,unmatched.read,transfer.read,member.read,approval.read
    ,audit.read,export.read,operator.read,slip.read,reconciliation.read,content.read,channel.read
    ,setting.read,figures.read,promotion.read,chat.read}', now()),
  ('finance', '{today.read,withdrawal.read,withdrawal.decide,withdrawal.pay,deposit.read,unmatched.read
    ,unmatched.settle,transfer.read,transfer.settle,member.read,member.reveal,member.note,entry.make
    ,approval.read,export.read,alert.close,slip.read,slip.decide,reconciliation.read,deposit.reverse
    ,channel.read,figures.read,promotion.read,chat.read,chat.answer}', now()),
  ('finance-lead', '{today.read,withdrawal.read,withdrawal.decide,withdrawal.pay,deposit.read,unmatched.read
    ,unmatched.settle,transfer.read,transfer.settle,member.read,member.reveal,member.note,entry.make
    ,approval.read,approval.money,audit.read,export.read,alert.close,slip.read,slip.decide
    ,reconciliation.read,reconciliation.settle,deposit.reverse,channel.read,channel.manage,figures.read
    ,promotion.read,chat.read,chat.answer,chat.manage}', now()),
  ('marketing', '{today.read,content.read,content.manage,promotion.read,promotion.manage,approval.read,export.read
    ,setting.read}', now()),
  ('risk', '{today.read,withdrawal.read,deposit.read,transfer.read,member.read,member.reveal,member.status
    ,member.note,audit.read,alert.close,slip.read,promotion.read,chat.read}', now()),
  ('support', '{today.read,member.read,member.note,deposit.read,slip.read,chat.read,chat.answer}', now());

insert into bank (code, bot_code, name_local, name_en, color, variant, account_lengths, position) values
  ('KBANK', '004', 'ธนาคารกสิกรไทย', 'Kasikornbank', '#138f2d', 'th', '{10}', 1),
  ('KTB', '006', 'ธนาคารกรุงไทย', 'Krungthai Bank', '#1ba5e1', 'th', '{10}', 2),
  ('SCB', '014', 'ธนาคารไทยพาณิชย์', 'Siam Commercial Bank', '#4e2e7f', 'th', '{10}', 3),
  ('BBL', '002', 'ธนาคารกรุงเทพ', 'Bangkok Bank', '#1e4598', 'th', '{10}', 4),
  ('BAY', '025', 'ธนาคารกรุงศรีอยุธยา', 'Bank of Ayudhya (Krungsri)', '#fec43b', 'th', '{10}', 5),
  ('TMB', '011', 'ธนาคารทหารไทยธนชาต', 'TMBThanachart Bank (ttb)', '#1279be', 'th', '{10}', 6),
  ('GSB', '030', 'ธนาคารออมสิน', 'Government Savings Bank', '#eb198d', 'th', '{12}', 7),
  ('BAAC', '034', 'ธนาคารเพื่อการเกษตรและสหกรณ์การเกษตร', 'Bank for Agriculture and Agricultural Cooperatives', '#4b9b1d', 'th', '{12}', 8),
  ('GHB', '033', 'ธนาคารอาคารสงเคราะห์', 'Government Housing Bank', null, 'th', '{12}', 9),
  ('UOB', '024', 'ธนาคารยูโอบี', 'United Overseas Bank (Thai)', '#0b3979', 'th', '{10}', 10),
  ('CIMB', '022', 'ธนาคารซีไอเอ็มบี ไทย', 'CIMB Thai Bank', '#7e2f36', 'th', '{10}', 11),
  ('LHB', '073', 'ธนาคารแลนด์ แอนด์ เฮ้าส์', 'Land and Houses Bank', '#6d6e71', 'th', '{10}', 12),
  ('TISCO', '067', 'ธนาคารทิสโก้', 'TISCO Bank', null, 'th', '{14}', 13),
  ('KKP', '069', 'ธนาคารเกียรตินาคินภัทร', 'Kiatnakin Phatra Bank', '#199cc5', 'th', '{10,14}', 14),
  ('ICBC', '070', 'ธนาคารไอซีบีซี (ไทย)', 'ICBC (Thai)', '#c50f1c', 'th', '{10}', 15),
  ('IBANK', '066', 'ธนาคารอิสลามแห่งประเทศไทย', 'Islamic Bank of Thailand', null, 'th', '{10}', 16),
  ('TCRB', '071', 'ธนาคารไทยเครดิต', 'Thai Credit Bank', null, 'th', '{10,11,12,13,14,15}', 17),
  ('SME', '098', 'ธนาคารพัฒนาวิสาหกิจขนาดกลางและขนาดย่อมแห่งประเทศไทย', 'SME Development Bank', null, 'th', '{10,11,12,13,14,15}', 18),
  ('EXIM', '035', 'ธนาคารเพื่อการส่งออกและนำเข้าแห่งประเทศไทย', 'Export-Import Bank of Thailand', null, 'th', '{10,11,12,13,14,15}', 19),
  ('CITI', '017', 'ธนาคารซิตี้แบงก์', 'Citibank', null, 'th', '{10}', 20),
  ('TBANK', '065', 'ธนาคารธนชาต', 'Thanachart Bank', '#fc4f1f', 'th', '{10}', 21),
  ('BCEL', null, 'ທະນາຄານການຄ້າຕ່າງປະເທດລາວ ມະຫາຊົນ', 'Banque pour le Commerce Exterieur Lao Public', null, 'la', null, 1),
  ('LDB', null, 'ທະນາຄານພັດທະນາລາວ', 'Lao Development Bank', null, 'la', null, 2),
  ('APB', null, 'ທະນາຄານສົ່ງເສີມກະສິກຳ', 'Agricultural Promotion Bank', null, 'la', null, 3),
  ('JDB', null, 'ທະນາຄານຮ່ວມພັດທະນາ', 'Joint Development Bank', null, 'la', null, 4),
  ('LVB', null, 'ທະນາຄານຮ່ວມທຸລະກິດ ລາວ-ຫວຽດ', 'Lao-Viet Joint Venture Bank', null, 'la', null, 5),
  ('STB', null, 'ທະນາຄານເອັສທີ', 'ST Bank', null, 'la', null, 6),
  ('BIC', null, 'ທະນາຄານບີໄອຊີ ລາວ', 'BIC Bank Lao', null, 'la', null, 7),
  ('IB', null, 'ທະນາຄານອິນໂດຈີນ', 'Indochina Bank', null, 'la', null, 8),
  ('PSV', null, 'ທະນາຄານພົງສະຫວັນ', 'Phongsavanh Bank', null, 'la', null, 9),
  ('BFL', null, 'ທະນາຄານຝຣັ່ງລາວ', 'Banque Franco-Lao', null, 'la', null, 10),
  ('MJBL', null, 'ທະນາຄານມາຣູຮານເຈແປນ ລາວ', 'Maruhan Japan Bank Lao', null, 'la', null, 11),
  ('ACLEDA', null, 'ທະນາຄານອາຊີລີດາ ລາວ', 'ACLEDA Bank Lao', null, 'la', null, 12),
  ('VTB', null, 'ທະນາຄານຫວຽດຕິນ ລາວ', 'VietinBank Lao', null, 'la', null, 13),
  ('SACOM', null, 'ທະນາຄານໄຊງ່ອນເທືອງຕິ່ນ ລາວ', 'Sacombank Lao', null, 'la', null, 14),
  ('KBANKLA', null, 'ທະນາຄານກະສິກອນໄທ', 'Kasikornthai Bank (Laos)', null, 'la', null, 15);

insert into source (code, description_th, description_la, description_en, position) values
  ('friend', 'เพื่อนแนะนำ', 'ໝູ່ແນະນຳ', 'A friend', 1),
  ('facebook', 'เฟซบุ๊ก', 'ເຟສບຸກ', 'Facebook', 2),
  ('line', 'ไลน์', 'ໄລນ໌', 'LINE', 3),
  ('search', 'ค้นหาในอินเทอร์เน็ต', 'ຄົ້ນຫາໃນອິນເຕີເນັດ', 'Internet search', 4),
  ('other', 'อื่น ๆ', 'ອື່ນໆ', 'Other', 5);

insert into content (key, language, body, updated_at) values
  ('info', 'th', '{"name": "กระเป๋า", "website": "https://krapao.example"}', now()),
  ('info', 'la', '{"name": "ກະເປົາ", "website": "https://krapao.example"}', now()),
  ('info', 'en', '{"name": "Krapao", "website": "https://krapao.example"}', now()),
  ('contact', 'th', '{"contactText": "ทีมงานดูแลคุณตลอด 24 ชั่วโมง ทุกวัน", "lineLink": "https://line.me/R/ti/p/%40krapao", "lineName": "@krapao"}', now()),
  ('contact', 'la', '{"contactText": "ທີມງານດູແລທ່ານຕະຫຼອດ 24 ຊົ່ວໂມງ ທຸກມື້", "lineLink": "https://line.me/R/ti/p/%40krapao", "lineName": "@krapao"}', now()),
  ('contact', 'en', '{"contactText": "Our team is here for you 24 hours, every day", "lineLink": "https://line.me/R/ti/p/%40krapao", "lineName": "@krapao"}', now()),
  ('conditions', 'th', '["<h3>การฝากเงิน</h3><p>โอนจากบัญชีที่ลงทะเบียนไว้เท่านั้น ยอดฝากเข้ากระเป๋าภายใน 1 นาที</p>", "<h3>การถอนเงิน</h3><p>เงินโอนเข้าบัญชีธนาคารที่ลงทะเบียนไว้ ครั้งละหนึ่งรายการ</p>", "<h3>การเล่นอย่างรับผิดชอบ</h3><p>เล่นเท่าที่เสียได้ หากต้องการพัก กรุณาติดต่อเจ้าหน้าที่</p>"]', now()),
  ('conditions', 'la', '["<h3>ການຝາກເງິນ</h3><p>ໂອນຈາກບັນຊີທີ່ລົງທະບຽນໄວ້ເທົ່ານັ້ນ. ຍອດຝາກເຂົ້າກະເປົາພາຍໃນ 1 ນາທີ</p>", "<h3>ການຖອນເງິນ</h3><p>ເງິນຈະໂອນເຂົ້າບັນຊີທະນາຄານທີ່ລົງທະບຽນໄວ້ ເທື່ອລະໜຶ່ງລາຍການ</p>", "<h3>ການຫຼິ້ນຢ່າງມີຄວາມຮັບຜິດຊອບ</h3><p>ຫຼິ້ນພຽງເທົ່າທີ່ເສຍໄດ້. ຖ້າຕ້ອງການພັກ ກະລຸນາຕິດຕໍ່ພະນັກງານ</p>"]', now()),
  ('conditions', 'en', '["<h3>Deposits</h3><p>Transfer from your registered account only. Deposits reach your wallet within 1 minute.</p>", "<h3>Withdrawals</h3><p>Money is paid into your registered bank account, one withdrawal at a time.</p>", "<h3>Responsible play</h3><p>Play only with what you can afford to lose. To take a break, contact support.</p>"]', now()),
  ('agreements', 'th', '["<h3>ข้อกำหนดการใช้งาน</h3><p>สมาชิกหนึ่งคนมีได้หนึ่งบัญชี ใช้เบอร์โทรศัพท์และบัญชีธนาคารของตนเอง</p>", "<h3>ข้อมูลส่วนบุคคล</h3><p>เราใช้ข้อมูลของคุณเพื่อให้บริการ ตรวจสอบการโอนเงิน และป้องกันการทุจริตเท่านั้น</p>"]', now()),
  ('agreements', 'la', '["<h3>ຂໍ້ກຳນົດການໃຊ້ງານ</h3><p>ສະມາຊິກໜຶ່ງຄົນມີໄດ້ໜຶ່ງບັນຊີ. ໃຊ້ເບີໂທລະສັບ ແລະ ບັນຊີທະນາຄານຂອງຕົນເອງ</p>", "<h3>ຂໍ້ມູນສ່ວນຕົວ</h3><p>ພວກເຮົາໃຊ້ຂໍ້ມູນຂອງທ່ານເພື່ອໃຫ້ບໍລິການ, ກວດສອບການໂອນເງິນ ແລະ ປ້ອງກັນການສໍ້ໂກງເທົ່ານັ້ນ</p>"]', now()),
  ('agreements', 'en', '["<h3>Terms of use</h3><p>One member has one account, with a phone number and a bank account of their own.</p>", "<h3>Personal data</h3><p>We use your data to serve you, to check transfers and to prevent fraud, and for nothing else.</p>"]', now()),
  ('notice', 'th', '"จบโบนัสได้เมื่อยอดเหลือไม่เกิน {percentFail}%"', now()),
  ('notice', 'la', '"ຈົບໂບນັດໄດ້ເມື່ອຍອດເຫຼືອບໍ່ເກີນ {percentFail}%"', now()),
  ('notice', 'en', '"The bonus can end when the balance falls to {percentFail}% or below."', now());

insert into content (key, language, body, updated_at) values
  ('help', 'th', '["<h3>หยุดเล่นยากใช่ไหม</h3><p>สายด่วนสุขภาพจิต <a href=\"tel:1323\">1323</a> ให้คำปรึกษาเรื่องการพนัน โทรฟรีตลอด 24 ชั่วโมง</p>"]', now()),
  ('help', 'la', '["<h3>ຢຸດຫຼິ້ນຍາກບໍ?</h3><p>ພັກການຫຼິ້ນໄດ້ທຸກເວລາ ແລະ ລົມກັບພະນັກງານຂອງພວກເຮົາໄດ້ຕະຫຼອດ 24 ຊົ່ວໂມງ</p>"]', now()),
  ('help', 'en', '["<h3>Hard to stop?</h3><p>In Thailand the mental health hotline <a href=\"tel:1323\">1323</a> helps with gambling, free of charge, day and night.</p>"]', now())
  on conflict do nothing;

insert into content_revision (key, revision, words, published_by, published_at)
  select key, 1, jsonb_object_agg(language, body), 'system', max(updated_at) from content group by key;

insert into howto_guide (name, position) values
  ('wallet', 1), ('enter-game', 2), ('check-balance', 3), ('receive-bonus', 4), ('end-bonus', 5);
