-- Returns a time as the payload of an event writes it.
create or replace function webhook_time(_at timestamptz) returns text language sql immutable as $$
  select to_char(_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Writes an event of a member, where an endpoint wants its type and currency. `_data` is completed by the member's id
-- and currency.
create or replace function webhook_emit(_type text, _member bigint, _data jsonb, _now timestamptz)
returns void language sql security definer set search_path = public, pg_temp as $$
  insert into webhook_event (id, type, subject, currency, data, created_at, is_pending)
    select 'evt_' || replace(gen_random_uuid()::text, '-', ''), _type, 'member:' || m.id, m.currency,
      jsonb_build_object('memberId', m.id::text, 'currency', m.currency) || _data, _now, true
    from member m
    where m.id = _member
      and exists (
        select 1
        from webhook_endpoint e
        where e.removed_at is null and _type = any(e.events) and (e.currency is null or e.currency = m.currency))
$$;

-- Writes the events of requested withdrawals; one call for all rows of a statement, because a ledger batch adds many.
create or replace function webhook_withdrawals() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from webhook_endpoint e where e.removed_at is null and 'withdrawal.requested' = any(e.events)
  ) then
    perform webhook_emit('withdrawal.requested', a.member_id, jsonb_build_object(
        'withdrawalId', a.id, 'amountMinor', a.amount, 'status', a.status, 'retryOf', a.retry_of), a.created_at)
      from added a;
  end if;
  return null;
end $$;

-- Writes the event of a withdrawal that was paid or rejected.
create or replace function webhook_withdrawal_ended() returns trigger language plpgsql as $$
begin
  perform webhook_emit(
    case new.status when 'SUCCESS' then 'withdrawal.paid' else 'withdrawal.rejected' end, new.member_id,
    jsonb_build_object('withdrawalId', new.id, 'amountMinor', new.amount, 'status', new.status)
      || case new.status when 'FAILED' then jsonb_build_object('reason', new.reason) else '{}' end,
    new.updated_at);
  return null;
end $$;

-- Writes the event of a payout that the bank returned.
create or replace function webhook_withdrawal_returned() returns trigger language plpgsql as $$
begin
  perform webhook_emit('withdrawal.returned', new.member_id, jsonb_build_object(
    'withdrawalId', new.withdrawal_id, 'returnId', new.id, 'amountMinor', new.amount), new.created_at);
  return null;
end $$;

-- Writes the event of a credited deposit.
create or replace function webhook_deposit_credited() returns trigger language plpgsql as $$
begin
  perform webhook_emit('deposit.credited', new.member_id, jsonb_build_object(
    'depositId', new.id, 'amountMinor', new.amount, 'channel', new.channel, 'bankCode', new.bank_code,
    'bankReference', new.bank_reference), new.created_at);
  return null;
end $$;

-- Writes the event of a reversed deposit.
create or replace function webhook_deposit_reversed() returns trigger language plpgsql as $$
begin
  perform webhook_emit('deposit.reversed', new.member_id, jsonb_build_object(
    'depositId', new.deposit_id, 'reversalId', new.id, 'amountMinor', new.amount, 'reason', new.reason),
    new.created_at);
  return null;
end $$;

-- Writes the event of a member's registration.
create or replace function webhook_member_registered() returns trigger language plpgsql as $$
begin
  perform webhook_emit('member.registered', new.id, jsonb_build_object(
    'sourceCode', new.source_code, 'inviterId', new.inviter_id::text), new.created_at);
  return null;
end $$;

-- Writes the event of a member who is suspended, let in again or closed.
create or replace function webhook_member_status() returns trigger language plpgsql as $$
begin
  perform webhook_emit(
    case new.status
      when 'SUSPENDED' then 'member.suspended' when 'CLOSED' then 'member.closed' else 'member.reactivated' end,
    new.id, jsonb_build_object('status', new.status), now());
  return null;
end $$;

-- Writes the event of a finished transfer between wallet and game.
create or replace function webhook_transfer_finished() returns trigger language plpgsql as $$
begin
  perform webhook_emit('transfer.finished', new.member_id, jsonb_build_object(
    'transferId', new.id, 'slot', new.slot_code, 'amountMinor', new.amount,
    'direction', case new.direction when 'IN' then 'TO_GAME' else 'TO_WALLET' end,
    'status', case new.state when 'DONE' then 'SUCCESS' else 'FAILED' end), new.touched_at);
  return null;
end $$;

-- Writes the event of a received bonus.
create or replace function webhook_bonus_received() returns trigger language plpgsql as $$
begin
  perform webhook_emit('bonus.received', new.member_id, jsonb_build_object(
    'runId', new.id, 'kind', new.kind, 'name', new.label, 'amountMinor', new.granted, 'status', new.state,
    'expiresAt', webhook_time(new.expires_at)), new.started_at);
  return null;
end $$;

-- Writes the event of a finished bonus run.
create or replace function webhook_bonus_finished() returns trigger language plpgsql as $$
begin
  perform webhook_emit('bonus.finished', new.member_id, jsonb_build_object(
    'runId', new.id, 'kind', new.kind, 'name', new.label, 'amountMinor', new.granted, 'takenMinor', new.taken,
    'status', new.state), new.ended_at);
  return null;
end $$;

-- Reports requested withdrawals to webhooks.
create or replace trigger webhook_withdrawals
  after insert on withdrawal referencing new table as added
  for each statement execute function webhook_withdrawals();

-- Reports paid and rejected withdrawals to webhooks.
create or replace trigger webhook_withdrawal_ended
  after update of status on withdrawal
  for each row when (old.status <> new.status and new.status in ('SUCCESS', 'FAILED'))
  execute function webhook_withdrawal_ended();

-- Reports returned payouts to webhooks.
create or replace trigger webhook_withdrawal_returned
  after insert on payout_return
  for each row execute function webhook_withdrawal_returned();

-- Reports credited deposits to webhooks.
create or replace trigger webhook_deposit_credited
  after insert on deposit
  for each row execute function webhook_deposit_credited();

-- Reports reversed deposits to webhooks.
create or replace trigger webhook_deposit_reversed
  after insert on reversal
  for each row execute function webhook_deposit_reversed();

-- Reports registrations to webhooks.
create or replace trigger webhook_member_registered
  after insert on member
  for each row execute function webhook_member_registered();

-- Reports changed states of members to webhooks.
create or replace trigger webhook_member_status
  after update of status on member
  for each row when (old.status <> new.status)
  execute function webhook_member_status();

-- Reports finished transfers to webhooks.
create or replace trigger webhook_transfer_finished
  after update of state on provider_transfer
  for each row when (old.state <> new.state and new.state in ('DONE', 'FAILED'))
  execute function webhook_transfer_finished();

-- Reports received bonuses to webhooks.
create or replace trigger webhook_bonus_received
  after insert on bonus_run
  for each row execute function webhook_bonus_received();

-- Reports finished bonus runs to webhooks.
create or replace trigger webhook_bonus_finished
  after update of state on bonus_run
  for each row when (old.state = 'ACTIVE' and new.state <> 'ACTIVE')
  execute function webhook_bonus_finished();
