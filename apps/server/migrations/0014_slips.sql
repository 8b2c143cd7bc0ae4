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
  updated_at timestamptz not null
);
create index slip_member on slip (member_id, created_at desc, id desc);
create unique index slip_idempotent on slip (member_id, idempotency_key) where idempotency_key is not null;
-- A transfer is accepted by one slip, for ever and across all members.
create unique index slip_accepted on slip (sending_bank, trans_ref) where status = 'SUCCESS';
create index slip_reference on slip (trans_ref) where trans_ref is not null;
create index slip_due on slip (ask_at) where status = 'PENDING';
create index slip_review on slip (created_at) where status = 'REVIEW';

create function slip_refusal(_slip text) returns text language sql as $$
  select case when s.status in ('SUCCESS', 'FAILED') then 'SLIP_DECIDED'
    when exists (select 1 from slip o where o.sending_bank = s.sending_bank and o.trans_ref = s.trans_ref and o.status = 'SUCCESS') then 'SLIP_DUPLICATE' end
  from slip s where s.id = _slip
$$;

-- A decided slip stays as it is.
create function slip_decide(_slip text, _status text, _note text, _now timestamptz) returns void language sql as $$
  update slip set status = _status, note = _note, ask_at = null, updated_at = _now where id = _slip and status in ('PENDING', 'REVIEW')
$$;

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

create function guard_deposit_claim(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (select 1 from deposit_claim c where c.member_id = (r.row).member_id and c.status = 'PENDING') then 'REQUEST_LIMIT' end order by r.o)
  from (select u.text::deposit_claim_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

create function write_deposit_claim(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed deposit_claim_row[];
begin
  select array_agg(r::deposit_claim_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  insert into deposit_claim (id, member_id, amount, status, created_at, updated_at) select p.id, p.member_id, p.amount, 'PENDING', _now, _now from unnest(parsed) p;
  perform statement_add(array_agg((p.member_id, p.id, 'deposit', 'PENDING', 'manual', 'wallet', p.amount)::statement_row), _now) from unnest(parsed) p;
end $$;

insert into ledger_companion values ('deposit_claim', 'guard_deposit_claim', 'write_deposit_claim');

grant select, insert, update on slip to krapao_app;
grant select, update on deposit_claim to krapao_app;
