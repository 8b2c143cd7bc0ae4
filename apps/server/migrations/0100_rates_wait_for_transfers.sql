-- A changed rate reaches a game account only when nothing of it is anywhere: a transfer on its way is worth what it was
-- begun at.

create function game_rate_waits() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.credits <> 0 or old.outstanding <> 0
    or exists (select 1 from ledger_account a where a.id = old.mirror_account and a.balance <> 0)
    or exists (select 1 from provider_transfer t where t.member_id = old.member_id and t.slot_code = old.slot_code
      and t.state in ('RESERVED', 'UNKNOWN'))
  then new.rate_micro := old.rate_micro; end if;
  return new;
end $$;
-- It fires with the row locked, behind whoever begins a transfer.
create trigger game_rate_waits before update of rate_micro on game_account
  for each row when (old.rate_micro is distinct from new.rate_micro) execute function game_rate_waits();

-- As before, and no transfer at another rate than the account's: until it is written, the rate stays.
create or replace function guard_transfer_intent(_rows text[]) returns text[] language plpgsql as $$
declare parsed transfer_intent_row[]; said text[];
begin
  select array_agg(u.text::transfer_intent_row order by u.o) into parsed from unnest(_rows) with ordinality u(text, o);
  with rates as (
    select g.member_id, g.slot_code, g.rate_micro::numeric / case m.currency when 'LAK' then 100000000 else 1000000 end as worth
    from game_account g join member m on m.id = g.member_id
    where (g.member_id, g.slot_code) in (select p.member_id, p.slot_code from unnest(parsed) p)
    order by g.member_id, g.slot_code for share of g)
  select array_agg(case
      when exists (select 1 from ended_wish e where e.id = p.id) then 'WISH_ENDED'
      when p.direction = 'IN' and exists (select 1 from bonus_run b where b.member_id = p.member_id and b.state = 'ACTIVE'
        and not bonus_takes(b.games, p.slot_code)) then 'BONUS_REMAINING'
      when p.amount <> case p.direction when 'IN' then ceil(p.credits * r.worth) else floor(p.credits * r.worth) end
        then 'RATE_CHANGED' end order by p.ordinality)
    into said from unnest(parsed) with ordinality p
    left join rates r on r.member_id = p.member_id and r.slot_code = p.slot_code;
  return said;
end $$;
