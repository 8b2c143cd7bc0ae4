-- Statement feeds, and one deposit for one transfer whichever way it is told: by a QR's confirmation, by a line of a
-- feed, by a slip's inquiry. A line is the transfer itself; a sighting is one telling of it.

alter table deposit_account add column static_qr text;

alter table bank_line add column account_no text;
alter table bank_line add column currency text not null default 'BAHT' check (currency in ('BAHT', 'LAK'));
-- All the members an unmatched line may be meant for; likely_member_id holds the only one, if it is one.
alter table bank_line add column likely_members bigint[] not null default '{}';
update bank_line set likely_members = array[likely_member_id] where likely_member_id is not null;
create index bank_line_fit on bank_line (bank_code, amount, paid_at);

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
insert into bank_sighting (source, bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at, seen_at, line_id, tied_by, state)
  select 'QR', bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at, received_at, id, 'FIRST', 'TIED'
  from bank_line;

-- Where each watched account's feed has been read to. The cursor moves only after every line before it was booked.
create table bank_feed (
  deposit_account_id bigint primary key references deposit_account,
  started_at timestamptz not null,
  cursor text,
  heard_at timestamptz not null,
  taken_until timestamptz not null default '-infinity'
);

-- Finds members by the digits that banks leave visible, without holding the digits.
create table bank_account_digits (
  bank_account_id bigint primary key references bank_account,
  middle_fingerprint bytea not null,
  last_fingerprint bytea not null
);
create index bank_account_digits_middle on bank_account_digits (middle_fingerprint);
create index bank_account_digits_last on bank_account_digits (last_fingerprint);

-- Lines told by a confirmation keep their row format; each is sighted as well.
create or replace function bank_line_add(_rows bank_line_row[], _state text, _now timestamptz) returns void language sql as $$
  with added as (
    insert into bank_line (bank_code, bank_reference, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at, received_at, state, likely_member_id, likely_members, reason, account_no)
    select r.bank_code, r.bank_reference, r.amount, r.payer_bank, r.payer_mask, r.payer_sealed, r.reference1, r.paid_at, _now, _state, r.likely_member_id,
      case when r.likely_member_id is null then '{}' else array[r.likely_member_id] end, r.reason,
      (select d.account_no from deposit_account d where d.bank_code = r.bank_code and d.mode = 'QR' order by d.position limit 1)
    from unnest(_rows) r
    returning *
  )
  insert into bank_sighting (source, bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at, seen_at, line_id, tied_by, state)
  select 'QR', bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at, _now, id, 'FIRST', 'TIED' from added
$$;

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

-- Two masked numbers, compared from the end at the places both show: SAME, OTHER, or UNSURE with fewer than three.
create function mask_compare(_a text, _b text) returns text language sql immutable as $$
  with t as (select reverse(regexp_replace(_a, '[^0-9xX*]', '', 'g')) as a, reverse(regexp_replace(_b, '[^0-9xX*]', '', 'g')) as b)
  select case when bool_or(p.x <> p.y) then 'OTHER' when count(*) >= 3 then 'SAME' else 'UNSURE' end
  from (select substr(t.a, i, 1) as x, substr(t.b, i, 1) as y from t, generate_series(1, least(length(t.a), length(t.b))) i) p
  where p.x ~ '[0-9]' and p.y ~ '[0-9]'
$$;

-- What is known of a transfer, asked under the ledger's lock: null when it is new; TRANSFER_SEEN when this very telling
-- was booked; TRANSFER_TIED and the line it is; TRANSFER_UNCLEAR when it may be one of several or only perhaps one.
create function transfer_fit(_t transfer_row) returns text language plpgsql as $$
declare line bigint; same int; unsure int;
begin
  if exists (select 1 from bank_sighting s where s.source = _t.source and s.bank_code = _t.bank_code and s.bank_reference = _t.bank_reference and s.state <> 'AGAIN')
    then return 'TRANSFER_SEEN'; end if;
  select l.id into line from bank_line l where l.bank_code = _t.bank_code and l.bank_reference = _t.bank_reference;
  if found then return 'TRANSFER_TIED ' || line; end if;
  select count(*) filter (where c.said = 'SAME'), count(*) filter (where c.said = 'UNSURE'), min(c.id) filter (where c.said = 'SAME') into same, unsure, line
  from (
    select l.id, mask_compare(l.payer_mask, _t.payer_mask) as said from bank_line l
    where l.bank_code = _t.bank_code and l.amount = _t.amount and l.currency = _t.currency
      and l.paid_at between _t.paid_at - interval '2 minutes' and _t.paid_at + interval '2 minutes'
      and (l.account_no is null or _t.account_no is null or l.account_no = _t.account_no)
      and not exists (select 1 from bank_sighting s where s.line_id = l.id and s.source = _t.source)
  ) c;
  if same = 1 then return 'TRANSFER_TIED ' || line; end if;
  return case when same > 1 or unsure > 0 then 'TRANSFER_UNCLEAR' end;
end $$;

-- Whether a QR takes a payment made at that time.
create function qr_refusal(_qr text, _paid_at timestamptz) returns text language sql as $$
  select case when q.status = 'PAID' then 'QR_PAID_BEFORE' when _paid_at > least(q.expires_at, coalesce(q.closed_at, 'infinity')) then 'QR_CLOSED' end
  from qr q where q.id = _qr
$$;

-- The old door for confirmations refuses what another telling has brought already.
create or replace function guard_qr_payment(_rows text[]) returns text[] language sql as $$
  select array_agg(coalesce(transfer_fit(('QR', ((r.row).line).bank_code, null, 'BAHT', ((r.row).line).bank_reference, ((r.row).line).amount,
      ((r.row).line).payer_bank, ((r.row).line).payer_mask, ((r.row).line).payer_sealed, ((r.row).line).reference1, ((r.row).line).paid_at)::transfer_row),
    qr_refusal((r.row).qr_id, ((r.row).line).paid_at)) order by r.o)
  from (select u.text::qr_payment_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

create function guard_transfer_credit(_rows text[]) returns text[] language plpgsql as $$
declare said text[] := '{}'; r transfer_credit_row; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_credit_row;
    code := transfer_fit(r.transfer);
    if r.use_line is not null and code = 'TRANSFER_TIED ' || r.use_line
        and exists (select 1 from bank_line l where l.id = r.use_line and l.state = 'UNMATCHED') then
      code := null;
    elsif r.use_line is not null and code is distinct from 'TRANSFER_SEEN' then
      code := 'TRANSFER_CHANGED';
    end if;
    if code is null and r.slip_id is not null then code := slip_refusal(r.slip_id); end if;
    if code is null and r.qr_id is not null and r.channel = 'QR' then code := qr_refusal(r.qr_id, (r.transfer).paid_at); end if;
    said := said || array[code];
  end loop;
  return said;
end $$;

create function guard_transfer_park(_rows text[]) returns text[] language sql as $$
  select array_agg(transfer_fit((u.text::transfer_park_row).transfer) order by u.o) from unnest(_rows) with ordinality u(text, o)
$$;

-- A place on a line that was taken by a likeness is given to the one that bears the line's reference.
create function guard_transfer_tie(_rows text[]) returns text[] language plpgsql as $$
declare said text[] := '{}'; r transfer_tie_row; held text; code text; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_tie_row; code := null; held := null;
    if exists (select 1 from bank_sighting s where s.source = (r.transfer).source and s.bank_code = (r.transfer).bank_code
        and s.bank_reference = (r.transfer).bank_reference and s.state <> 'AGAIN') then
      code := 'TRANSFER_SEEN';
    else
      select s.tied_by into held from bank_sighting s where s.line_id = r.line_id and s.source = (r.transfer).source;
      if held is not null and not (r.tied_by = 'REFERENCE' and held = 'FIT') then code := 'TRANSFER_CHANGED'; end if;
    end if;
    said := said || array[code];
  end loop;
  return said;
end $$;

create function guard_transfer_ask(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (select 1 from bank_sighting s where s.source = (r.t).source and s.bank_code = (r.t).bank_code
      and s.bank_reference = (r.t).bank_reference and s.state <> 'AGAIN') then 'TRANSFER_SEEN' end order by r.o)
  from (select (u.text::transfer_ask_row).transfer as t, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

create function sighting_put(_t transfer_row, _line bigint, _tied_by text, _now timestamptz) returns void language sql as $$
  insert into bank_sighting (source, bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at, seen_at, line_id, tied_by, state)
  values (_t.source, _t.bank_code, _t.bank_reference, _t.account_no, _t.currency, _t.amount, _t.payer_bank, _t.payer_mask, _t.payer_sealed, _t.reference1,
    _t.paid_at, _now, _line, _tied_by, case when _line is null then 'ASK' else 'TIED' end)
  on conflict (source, bank_code, bank_reference) do update set line_id = excluded.line_id, tied_by = excluded.tied_by, state = excluded.state
$$;

create function line_put(_t transfer_row, _state text, _likely bigint[], _reason text, _now timestamptz) returns bigint language plpgsql as $$
declare line bigint;
begin
  insert into bank_line (bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1, paid_at, received_at, state, likely_member_id, likely_members, reason)
  values (_t.bank_code, _t.bank_reference, _t.account_no, _t.currency, _t.amount, _t.payer_bank, _t.payer_mask, _t.payer_sealed, _t.reference1, _t.paid_at, _now,
    _state, case when cardinality(_likely) = 1 then _likely[1] end, coalesce(_likely, '{}'), _reason)
  returning id into line;
  perform sighting_put(_t, line, 'FIRST', _now);
  return line;
end $$;

create function write_transfer_credit(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r transfer_credit_row; line bank_line; i int; fresh bigint;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_credit_row;
    if r.use_line is null then
      fresh := line_put(r.transfer, 'CREDITED', '{}', null, _now);
    else
      fresh := r.use_line;
      update bank_line set state = 'CREDITED' where id = r.use_line;
      perform sighting_put(r.transfer, r.use_line,
        case when (select l.bank_reference from bank_line l where l.id = r.use_line) = (r.transfer).bank_reference then 'REFERENCE' else 'FIT' end, _now);
    end if;
    select * into line from bank_line where id = fresh;
    update qr set status = 'PAID', closed_at = _now where qr.id = r.qr_id and (r.channel = 'QR' or status = 'OPEN');
    insert into deposit (id, member_id, channel, bank_code, bank_reference, qr_id, amount, from_stranger, entry_id, created_at)
      values (r.deposit_id, r.member_id, r.channel, line.bank_code, line.bank_reference, r.qr_id, line.amount, r.from_stranger, _entries[i], _now);
    if r.slip_id is not null then perform slip_decide(r.slip_id, 'SUCCESS', null, _now); end if;
    perform statement_add(array[(r.member_id, r.deposit_id, 'deposit', 'SUCCESS', line.bank_code, 'wallet', line.amount)::statement_row], _now);
    perform outbox_money(array[r.member_id], array[jsonb_strip_nulls(jsonb_build_object(
      'kind', 'deposit', 'id', r.deposit_id, 'status', 'SUCCESS', 'minor', line.amount, 'qrcodeId', r.qr_id))], _now);
  end loop;
end $$;

create function write_transfer_park(_rows text[], _entries bigint[], _now timestamptz) returns void language sql as $$
  select line_put((u.text::transfer_park_row).transfer, 'UNMATCHED', (u.text::transfer_park_row).likely, (u.text::transfer_park_row).reason, _now) from unnest(_rows) u(text)
$$;

create function write_transfer_tie(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r transfer_tie_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_tie_row;
    update bank_sighting set line_id = null, tied_by = null, state = case source when 'SLIP' then 'ASK' else 'AGAIN' end
      where line_id = r.line_id and source = (r.transfer).source;
    perform sighting_put(r.transfer, r.line_id, r.tied_by, _now);
    if r.slip_id is not null then perform slip_decide(r.slip_id, 'FAILED', 'DUPLICATE_REFERENCE', _now); end if;
    update qr set status = 'PAID', closed_at = _now from bank_line l
      where qr.id = r.qr_id and qr.status = 'OPEN' and l.id = r.line_id and l.state = 'CREDITED';
    update bank_line set likely_member_id = r.likely, likely_members = array[r.likely]
      where id = r.line_id and state = 'UNMATCHED' and r.likely is not null and likely_members = '{}';
  end loop;
end $$;

create function write_transfer_ask(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r transfer_ask_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::transfer_ask_row;
    perform sighting_put(r.transfer, null, null, _now);
    if r.slip_id is not null then perform slip_decide(r.slip_id, 'REVIEW', null, _now); end if;
  end loop;
end $$;

insert into ledger_companion values
  ('transfer_credit', 'guard_transfer_credit', 'write_transfer_credit'),
  ('transfer_park', 'guard_transfer_park', 'write_transfer_park'),
  ('transfer_tie', 'guard_transfer_tie', 'write_transfer_tie'),
  ('transfer_ask', 'guard_transfer_ask', 'write_transfer_ask');

grant select on bank_sighting to krapao_app;
grant select, insert, update on bank_feed to krapao_app;
grant select, insert on bank_account_digits to krapao_app;
