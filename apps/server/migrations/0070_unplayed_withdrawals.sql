-- Money paid in and withdrawn again without having been bet waits for an operator, and takes its unspent coins back.

create table withdrawal_unplayed (
  -- Noted just before the withdrawal is asked for.
  withdrawal_id text primary key,
  -- How much of it was not bet; 0: a provider did not tell.
  amount bigint not null check (amount >= 0)
);

-- What leaves unplayed counts as if it had not been paid in, the newest day first; what comes back is paid in again.
create function coin_withdrawn() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare rest bigint; part bigint; d coin_day;
begin
  select u.amount into rest from withdrawal_unplayed u where u.withdrawal_id = new.id;
  if coalesce(rest, 0) = 0 then return null; end if;
  for d in select * from coin_day c where c.member_id = new.member_id order by c.day desc loop
    part := least(rest, case tg_op when 'INSERT' then greatest(d.deposited - d.unplayed, 0) else d.unplayed end);
    continue when part = 0;
    update coin_day set unplayed = unplayed + case tg_op when 'INSERT' then part else -part end, is_open = true
      where member_id = d.member_id and day = d.day;
    rest := rest - part;
    exit when rest = 0;
  end loop;
  perform graphile_worker.add_job('coins.reckon', job_key := 'coins.reckon');
  return null;
end $$;
create trigger coin_withdrawn after insert on withdrawal for each row when (new.status = 'REVIEW') execute function coin_withdrawn();
create trigger coin_withdrawn_not after update of status on withdrawal for each row
  when (new.status = 'FAILED' and old.status <> 'FAILED') execute function coin_withdrawn();

grant select, insert, delete on withdrawal_unplayed to krapao_app;
