-- What an operator gives or takes without a second person adds up: many small acts are checked like a large one.

create table act_alone (
  operator_id bigint not null references operator,
  -- The act, by its maker's key or its thing.
  reference text not null,
  member_id bigint not null references member,
  -- Whether it goes to many members at once; such acts add up over all of them too.
  is_batch boolean not null,
  direction text not null check (direction in ('credit', 'debit')),
  unit text not null check (unit in ('BAHT', 'LAK', 'COIN')),
  -- Minor units, or coins.
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  primary key (operator_id, reference, member_id)
);
create index act_alone_at on act_alone (operator_id, at);

grant select, insert on act_alone to krapao_app;

-- A withdrawal sent once more is the one it repeats: its notes come along, and the coins that its refusal had given
-- back go with it again.
create or replace function coin_withdrawn() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare rest bigint; part bigint; d coin_day;
begin
  if tg_op = 'INSERT' and new.retry_of is not null then
    insert into withdrawal_unplayed (withdrawal_id, amount)
      select new.id, u.amount from withdrawal_unplayed u where u.withdrawal_id = new.retry_of;
    insert into withdrawal_unbet (withdrawal_id, needed, since)
      select new.id, u.needed, u.since from withdrawal_unbet u where u.withdrawal_id = new.retry_of;
  end if;
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
create trigger coin_withdrawn_again after insert on withdrawal for each row when (new.retry_of is not null) execute function coin_withdrawn();

insert into withdrawal_unbet (withdrawal_id, needed, since)
  select w.id, u.needed, u.since from withdrawal w join withdrawal_unbet u on u.withdrawal_id = w.retry_of on conflict do nothing;
