-- Withdrawals are written in batches, nearly all of them of money that was played: one question a batch finds the rest.

create function coin_unplay(_member bigint, _amount bigint) returns void language plpgsql as $$
declare rest bigint := _amount; part bigint; d coin_day;
begin
  for d in select * from coin_day c where c.member_id = _member order by c.day desc loop
    part := least(rest, greatest(d.deposited - d.unplayed, 0));
    continue when part = 0;
    update coin_day set unplayed = unplayed + part, is_open = true where member_id = d.member_id and day = d.day;
    rest := rest - part;
    exit when rest = 0;
  end loop;
  perform graphile_worker.add_job('coins.reckon', job_key := 'coins.reckon');
end $$;

create function coin_withdrawn_batch() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform coin_unplay(w.member_id, w.amount) from (
    select a.member_id, u.amount from added a join withdrawal_unplayed u on u.withdrawal_id = a.id
    where a.status = 'REVIEW' and u.amount > 0 order by a.id) w;
  return null;
end $$;

drop trigger coin_withdrawn on withdrawal;
create trigger coin_withdrawn after insert on withdrawal referencing new table as added
  for each statement execute function coin_withdrawn_batch();
