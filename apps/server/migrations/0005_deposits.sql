-- QR deposits, and every payment a bank reports to us.

create table deposit_account (
  id bigint generated always as identity primary key,
  bank_code text not null,
  bank_type text not null check (bank_type in ('BANK', 'WW', 'ZAPMAN')),
  mode text not null check (mode in ('AUTO', 'QR')),
  account_name text not null,
  account_no text not null,
  currency text not null check (currency in ('BAHT', 'LAK')),
  is_open boolean not null default true,
  position integer not null,
  unique (bank_code, mode, account_no)
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
  closed_at timestamptz
);
create unique index qr_one_open on qr (member_id) where status = 'OPEN';
create index qr_due on qr (expires_at) where status = 'OPEN';

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
  state text not null check (state in ('CREDITED', 'UNMATCHED')),
  -- For an unmatched line: who it is probably meant for, and why it was not credited.
  likely_member_id bigint references member,
  reason text,
  unique (bank_code, bank_reference)
);
create index bank_line_unmatched on bank_line (id) where state = 'UNMATCHED';

create table deposit (
  id text primary key,
  member_id bigint not null references member,
  channel text not null check (channel in ('QR')),
  bank_code text not null,
  bank_reference text not null,
  qr_id text references qr,
  amount bigint not null check (amount > 0),
  -- The sender is not the member's registered account; operators see it.
  from_stranger boolean not null,
  entry_id bigint not null,
  created_at timestamptz not null,
  unique (bank_code, bank_reference)
);
create index deposit_member on deposit (member_id, created_at desc);

create type bank_line_row as (
  bank_code text, bank_reference text, amount bigint, payer_bank text, payer_mask text, payer_sealed bytea,
  reference1 text, paid_at timestamptz, likely_member_id bigint, reason text
);
create type qr_payment_row as (line bank_line_row, deposit_id text, member_id bigint, qr_id text, from_stranger boolean);

create function bank_line_add(_rows bank_line_row[], _state text, _now timestamptz) returns void language sql as $$
  insert into bank_line (bank_code, bank_reference, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at, received_at, state, likely_member_id, reason)
  select r.bank_code, r.bank_reference, r.amount, r.payer_bank, r.payer_mask, r.payer_sealed, r.reference1, r.paid_at, _now, _state, r.likely_member_id, r.reason
  from unnest(_rows) r
$$;

-- A QR takes one payment, made while it was open: a payment already made is not undone by a later cancel.
create function guard_qr_payment(_rows text[]) returns text[] language sql as $$
  select array_agg(case
      when q.status = 'PAID' then 'QR_PAID_BEFORE'
      when ((r.row).line).paid_at > least(q.expires_at, coalesce(q.closed_at, 'infinity')) then 'QR_CLOSED'
    end order by r.o)
  from (select u.text::qr_payment_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
  join qr q on q.id = (r.row).qr_id
$$;

create function write_qr_payment(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed qr_payment_row[];
begin
  select array_agg(r::qr_payment_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  perform bank_line_add(array_agg((p).line), 'CREDITED', _now) from unnest(parsed) p;
  update qr set status = 'PAID', closed_at = _now from unnest(parsed) p where qr.id = p.qr_id;
  insert into deposit (id, member_id, channel, bank_code, bank_reference, qr_id, amount, from_stranger, entry_id, created_at)
    select p.deposit_id, p.member_id, 'QR', (p.line).bank_code, (p.line).bank_reference, p.qr_id, (p.line).amount, p.from_stranger, e.id, _now
    from unnest(parsed) with ordinality p join unnest(_entries) with ordinality e(id, o) on e.o = p.ordinality;
  perform statement_add(array_agg((p.member_id, p.deposit_id, 'deposit', 'SUCCESS', (p.line).bank_code, 'wallet', (p.line).amount)::statement_row), _now)
    from unnest(parsed) p;
  perform outbox_money(array_agg(p.member_id), array_agg(jsonb_build_object(
      'kind', 'deposit', 'id', p.deposit_id, 'status', 'SUCCESS', 'minor', (p.line).amount, 'qrcodeId', p.qr_id)), _now)
    from unnest(parsed) p;
end $$;

create function write_unmatched_line(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
begin
  perform bank_line_add(array_agg(r::bank_line_row), 'UNMATCHED', _now) from unnest(_rows) r;
end $$;

insert into ledger_companion values
  ('qr_payment', 'guard_qr_payment', 'write_qr_payment'),
  ('unmatched_line', null, 'write_unmatched_line');

grant select, insert, update on deposit_account, qr to krapao_app;
grant select on bank_line, deposit to krapao_app;
