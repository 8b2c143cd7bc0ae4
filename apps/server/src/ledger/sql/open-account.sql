-- Opens an account and returns its id; returns the id of the existing one where it is open already. Without a member
-- it is a system account, which may go below zero.
create or replace function ledger_open_account(
  _asset smallint, _kind text, _member bigint, _slot text, _now timestamptz
) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare found_id bigint;
begin
  if _member is null then
    insert into ledger_account (asset, kind, allow_negative, created_at)
      values (_asset, _kind, true, _now)
      on conflict (kind, asset) where member_id is null do nothing
      returning id into found_id;
    if found_id is null then
      select id into strict found_id from ledger_account where kind = _kind and asset = _asset and member_id is null;
    end if;
  else
    insert into ledger_account (asset, kind, member_id, slot_code, allow_negative, created_at)
      values (_asset, _kind, _member, _slot, false, _now)
      on conflict (member_id, kind, coalesce(slot_code, '')) where member_id is not null do nothing
      returning id into found_id;
    if found_id is null then
      select id into strict found_id from ledger_account
        where member_id = _member and kind = _kind and coalesce(slot_code, '') = coalesce(_slot, '')
          and asset = _asset;
    end if;
  end if;
  return found_id;
end $$;

revoke all on function ledger_open_account from public;
grant execute on function ledger_open_account to krapao_app;
