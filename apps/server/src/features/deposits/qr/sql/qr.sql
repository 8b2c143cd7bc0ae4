-- Returns why a QR does not accept a payment made at that time: QR_PAID_BEFORE or QR_CLOSED; null when it accepts it.
create or replace function qr_refusal(_qr text, _paid_at timestamptz) returns text language sql as $$
  select case
    when q.status = 'PAID' then 'QR_PAID_BEFORE'
    when _paid_at > least(q.expires_at, coalesce(q.closed_at, 'infinity')) then 'QR_CLOSED'
  end
  from qr q
  where q.id = _qr
$$;
