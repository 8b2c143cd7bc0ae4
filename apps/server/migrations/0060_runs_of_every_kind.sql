-- Invites, refunds and coupons start runs too: as bonuses do, or as plain money, which binds nothing and so waits for
-- nothing but a run under way.

create or replace function guard_bonus_start(_rows text[]) returns text[] language plpgsql as $$
declare r bonus_start_row; b bonus; said text[] := '{}'; code text; free boolean; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::bonus_start_row;
    code := null;
    free := r.bonus_id is null and r.success_percent = 0 and r.turnover_percent = 0;
    select * into b from bonus where id = r.bonus_id;
    if exists (select 1 from bonus_run a where a.member_id = r.member_id and a.state = 'ACTIVE') then code := 'BONUS_ALREADY_ACTIVE';
    elsif r.bonus_id is not null and (not b.is_open or b.version <> r.bonus_version) then code := 'STALE';
    elsif r.bonus_id is not null and (select count(*) from bonus_run c where c.member_id = r.member_id and c.bonus_id = r.bonus_id
        and c.started_at >= coalesce(r.received_since, '-infinity')) >= b.max_received then code := 'BONUS_MAX_CLAIMED';
    elsif b.quota is not null and (select count(*) from bonus_run c where c.bonus_id = r.bonus_id) >= b.quota then code := 'BONUS_FULL';
    elsif not free and bonus_remains(r.member_id, r.games) then code := 'BONUS_REMAINING';
    elsif r.deposit_id is not null and not bonus_deposit_fits(r.deposit_id, r.member_id) then code := 'STALE';
    elsif not free and member_total(r.member_id) <> r.seen_total then code := 'STALE';
    end if;
    said := array_append(said, code);
  end loop;
  return said;
end $$;
