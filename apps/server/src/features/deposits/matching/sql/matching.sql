-- Compares two masked account numbers from the end, at the positions where both show a digit. Returns OTHER when a
-- digit differs, SAME when at least three digits agree, else UNSURE.
create or replace function mask_compare_positions(_a text, _b text) returns text language sql immutable as $$
  with t as (
    select reverse(regexp_replace(_a, '[^0-9xX*]', '', 'g')) as a,
      reverse(regexp_replace(_b, '[^0-9xX*]', '', 'g')) as b
  )
  select case when bool_or(p.x <> p.y) then 'OTHER' when count(*) >= 3 then 'SAME' else 'UNSURE' end
  from (
    select substr(t.a, i, 1) as x, substr(t.b, i, 1) as y
    from t, generate_series(1, least(length(t.a), length(t.b))) i
  ) p
  where p.x ~ '[0-9]' and p.y ~ '[0-9]'
$$;

-- The same result. Two masks with their digits at the same positions, as one bank prints them, are compared as text:
-- a popular amount has many transactions within two minutes, and they are compared under the ledger's lock.
create or replace function mask_compare(_a text, _b text) returns text language sql immutable as $$
  select case
    when translate(_a, '0123456789', '0000000000') is distinct from translate(_b, '0123456789', '0000000000')
      then mask_compare_positions(_a, _b)
    when _a <> _b then 'OTHER'
    when length(_a) - length(translate(_a, '0123456789', '')) >= 3 then 'SAME'
    else 'UNSURE'
  end
$$;

-- Decides under the ledger's lock how the evidence of a transfer relates to the known bank transactions. Returns
--   null               it is new
--   TRANSFER_SEEN      this source has given evidence of it that is not in state AGAIN
--   TRANSFER_TIED <n>  it is bank transaction n: the reference is the same, or it is the only one with the same bank,
--                      account, amount, currency and visible digits within two minutes
--   TRANSFER_UNCLEAR   it may be one of several transactions, or may be one whose visible digits are too few
create or replace function transfer_fit(_t transfer_row) returns text language plpgsql as $$
declare
  transaction_id bigint;
  same int;
  unsure int;
begin
  if exists (
      select 1
      from transfer_evidence e
      where e.source = _t.source and e.bank_code = _t.bank_code and e.bank_reference = _t.bank_reference
        and e.state <> 'AGAIN'
    ) then return 'TRANSFER_SEEN'; end if;
  select b.id into transaction_id from bank_transaction b where b.bank_code = _t.bank_code
    and b.bank_reference = _t.bank_reference;
  if found then return 'TRANSFER_TIED ' || transaction_id; end if;
  select count(*) filter (where c.payer = 'SAME'), count(*) filter (where c.payer = 'UNSURE'),
      min(c.id) filter (where c.payer = 'SAME')
    into same, unsure, transaction_id
    from (
      select b.id, mask_compare(b.payer_mask, _t.payer_mask) as payer
      from bank_transaction b
      where b.bank_code = _t.bank_code and b.amount = _t.amount and b.currency = _t.currency
        and b.paid_at between _t.paid_at - interval '2 minutes' and _t.paid_at + interval '2 minutes'
        and (b.account_no is null or _t.account_no is null or b.account_no = _t.account_no)
        and not exists (select 1 from transfer_evidence e where e.bank_transaction_id = b.id and e.source = _t.source)
    ) c;
  if same = 1 then return 'TRANSFER_TIED ' || transaction_id; end if;
  return case when same > 1 or unsure > 0 then 'TRANSFER_UNCLEAR' end;
end $$;

-- Returns the bank transaction that evidence may repeat although their times differ by more than two minutes; null
-- when there is none. It was credited to the member, even if the deposit was reversed since, or it is unmatched or
-- sent back and may be theirs: it names them, or it names no member and the visible digits agree. It has the same
-- bank, amount and currency, digits that do not differ, no other account of ours, no evidence of this source, and a
-- time at most 24 hours apart. A transfer made before the QR existed is no payment of that QR.
create or replace function booked_before(_t transfer_row, _member bigint, _qr text)
returns bigint language sql stable as $$
  select b.id
  from (
    select c.*
    from deposit d
    -- Each by its reference. Joined freely, the generic plan reads all transactions of the bank within these hours.
    cross join lateral (
      select *
      from bank_transaction b
      where b.bank_code = d.bank_code and b.bank_reference = d.bank_reference
      offset 0
    ) c
    where d.member_id = _member and d.amount = _t.amount and d.created_at > _t.paid_at - interval '48 hours'
    union all
    select u.*
    from bank_transaction u
    where u.state <> 'CREDITED' and u.amount = _t.amount
      and (_member = any(u.likely_members)
        or u.likely_members = '{}' and mask_compare(u.payer_mask, _t.payer_mask) = 'SAME')
  ) b
  where b.bank_code = _t.bank_code and b.currency = _t.currency
    and b.paid_at between _t.paid_at - interval '24 hours' and _t.paid_at + interval '24 hours'
    and (b.account_no is null or _t.account_no is null or b.account_no = _t.account_no)
    and mask_compare(b.payer_mask, _t.payer_mask) <> 'OTHER'
    and not exists (select 1 from transfer_evidence e where e.bank_transaction_id = b.id and e.source = _t.source)
    and not exists (select 1 from qr q where q.id = _qr and b.paid_at < q.created_at - interval '2 minutes')
  limit 1
$$;

-- Reports whether a transfer may be one whose money an operator has credited manually, because the member had
-- reported it and no bank transaction showed it: it has the amount of the report, was made at most 48 hours before
-- the report, and not after the credit. A QR made after the report is another payment.
create or replace function credited_by_report(_t transfer_row, _member bigint, _qr text)
returns boolean language sql stable as $$
  select exists (
    select 1
    from manual_entry e
    join payment_report r on r.id = e.key and r.member_id = e.member_id
    where e.member_id = _member and e.amount = _t.amount and e.direction = 'credit'
      and e.created_at > _t.paid_at - interval '2 minutes'
      and r.created_at < _t.paid_at + interval '48 hours'
      and not exists (select 1 from qr q where q.id = _qr and q.created_at > r.created_at))
$$;

-- Reports whether a transfer may be a payout that came back and whose return an operator has booked by its proof,
-- because no bank transaction showed it: it comes from the account of a member with such a return of its amount, was
-- made not before the withdrawal and not after the return. Banks name the account that was to be paid as the sender.
create or replace function credited_by_return(_t transfer_row, _member bigint)
returns boolean language sql stable as $$
  select exists (
    select 1
    from payout_return p
    join withdrawal w on w.id = p.withdrawal_id
    where p.member_id = _member and p.bank_transaction_id is null and p.amount = _t.amount
      and p.created_at > _t.paid_at - interval '2 minutes'
      and w.created_at < _t.paid_at + interval '2 minutes')
$$;

-- Writes the evidence: matched to a bank transaction, or in state ASK for an operator when `_transaction` is null.
-- Evidence of the same source, bank and reference is updated.
create or replace function evidence_put(_t transfer_row, _transaction bigint, _tied_by text, _now timestamptz)
returns void language sql as $$
  insert into transfer_evidence (
    source, bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1,
    paid_at, seen_at, bank_transaction_id, tied_by, state)
  values (
    _t.source, _t.bank_code, _t.bank_reference, _t.account_no, _t.currency, _t.amount, _t.payer_bank, _t.payer_mask,
    _t.payer_sealed, _t.reference1, _t.paid_at, _now, _transaction, _tied_by,
    case when _transaction is null then 'ASK' else 'TIED' end)
  on conflict (source, bank_code, bank_reference)
    do update set bank_transaction_id = excluded.bank_transaction_id, tied_by = excluded.tied_by,
      state = excluded.state
$$;

-- Detaches the evidence of a source from a bank transaction, to make room for the one with the transaction's
-- reference. The detached evidence is matched again; that of a slip waits for an operator.
create or replace function evidence_displace(_transaction bigint, _source text) returns void language sql as $$
  update transfer_evidence
  set bank_transaction_id = null, tied_by = null, state = case source when 'SLIP' then 'ASK' else 'AGAIN' end
  where bank_transaction_id = _transaction and source = _source
$$;

-- Writes a new bank transaction with its first evidence and returns its id. `_likely` are the members it may belong
-- to; `_reason` says why it was not credited.
create or replace function bank_transaction_put(
  _t transfer_row, _state text, _likely bigint[], _reason text, _now timestamptz
) returns bigint language plpgsql as $$
declare
  transaction_id bigint;
begin
  insert into bank_transaction (
      bank_code, bank_reference, account_no, currency, amount, payer_bank, payer_mask, payer_sealed, reference1,
      paid_at, received_at, state, likely_member_id, likely_members, reason)
    values (
      _t.bank_code, _t.bank_reference, _t.account_no, _t.currency, _t.amount, _t.payer_bank, _t.payer_mask,
      _t.payer_sealed, _t.reference1, _t.paid_at, _now, _state,
      case when cardinality(_likely) = 1 then _likely[1] end, coalesce(_likely, '{}'), _reason)
    returning id into transaction_id;
  perform evidence_put(_t, transaction_id, 'FIRST', _now);
  return transaction_id;
end $$;

-- Opens the alert about evidence that needs a decision.
create or replace function evidence_alerted() returns trigger language plpgsql as $$
begin
  perform alert_open('transfer-unclear', 'doubt:' || new.id, new.source || ' ' || new.bank_reference, new.seen_at);
  return null;
end $$;

-- Opens an alert about evidence that needs a decision.
create or replace trigger evidence_alerted
  after insert or update of state on transfer_evidence
  for each row when (new.state = 'ASK')
  execute function evidence_alerted();

-- Ends the alert about evidence that is decided or matched again.
create or replace trigger alert_cause_gone
  after update of state on transfer_evidence
  for each row when (old.state = 'ASK' and new.state <> 'ASK')
  execute function alert_cause_gone('transfer-unclear', 'doubt', 'id');

-- Notifies consoles of evidence that needs a decision.
create or replace trigger console_changed
  after insert or update of state on transfer_evidence
  for each row when (new.state = 'ASK')
  execute function console_changed('unmatched');

-- Alerts operators to evidence that needs a decision.
create or replace trigger console_arrived
  after insert or update of state on transfer_evidence
  for each row when (new.state = 'ASK')
  execute function console_arrived('reports');
