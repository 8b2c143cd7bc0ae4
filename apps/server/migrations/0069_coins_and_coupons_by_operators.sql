-- Operators give coins and coupons, each wish once by the key their console made.

alter table coupon_batch add column key text;
alter table coupon_batch add column approval_id text references approval;
create unique index coupon_batch_key on coupon_batch (operator_id, key) where key is not null;

create table coin_grant (
  id text primary key,
  member_id bigint not null references member,
  operator_id bigint not null references operator,
  key text not null,
  coins bigint not null check (coins > 0),
  reason text not null,
  approval_id text references approval,
  entry_id bigint not null,
  created_at timestamptz not null,
  unique (operator_id, key)
);
create index coin_grant_of on coin_grant (member_id, created_at);

create type coin_grant_row as (act desk_act_row, id text, member_id bigint, key text, coins bigint);

create function guard_coin_grant(_rows text[]) returns text[] language plpgsql as $$
declare r coin_grant_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coin_grant_row;
    said := array_append(said, desk_refusal(r.act));
  end loop;
  return said;
end $$;

create function write_coin_grant(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r coin_grant_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::coin_grant_row;
    insert into coin_grant (id, member_id, operator_id, key, coins, reason, approval_id, entry_id, created_at)
      select r.id, r.member_id, coalesce(a.maker_id, (r.act).operator_id), r.key, r.coins, (r.act).reason, a.id, _entries[i], _now
      from (select 1) one left join approval a on a.id = (r.act).approval_id;
    perform desk_write(array[r.act], _now);
  end loop;
end $$;

insert into ledger_companion values ('coin_grant', 'guard_coin_grant', 'write_coin_grant');

-- Open consoles hear of coupons claimed and of wheels published.
create trigger desk_changed after insert or update on wheel for each statement execute function desk_changed('wheels');
create trigger desk_changed after update on coupon for each statement execute function desk_changed('coupons');

grant select on coin_grant to krapao_app;
