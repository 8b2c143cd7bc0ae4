-- Gift links: each attempt to take a voucher is kept before the gift service is asked for it, so that a lost answer
-- loses nothing and a voucher is taken for one member only.

create table gift_redemption (
  -- Also the id of its statement row and of its deposit.
  id text primary key,
  member_id bigint not null references member,
  code text not null,
  -- SENT and UNKNOWN: our wallet may have the money. FAILED: the service has said that it has not.
  state text not null check (state in ('SENT', 'UNKNOWN', 'DONE', 'FAILED')),
  -- What the look beforehand promised, and what our wallet received.
  expected bigint not null check (expected > 0),
  amount bigint check (amount > 0),
  asked integer not null default 0,
  reason text,
  created_at timestamptz not null,
  -- Real time by the database: of the first call, and of the last one that may still be on its way.
  sent_at timestamptz not null default now(),
  tried_at timestamptz not null default now(),
  check ((state = 'DONE') = (amount is not null))
);
-- A voucher that was taken, or may have been, is never tried for anybody again.
create unique index gift_redemption_code on gift_redemption (code) where state <> 'FAILED';
create index gift_redemption_open on gift_redemption (tried_at) where state in ('SENT', 'UNKNOWN');
create index gift_redemption_member on gift_redemption (member_id, created_at desc);

create type gift_intent_row as (id text, member_id bigint, code text, expected bigint);
create type gift_end_row as (id text, member_id bigint, code text, state text, amount bigint, reason text);

create function guard_gift_intent(_rows text[]) returns text[] language sql as $$
  select array_agg(case when exists (
      select 1 from gift_redemption g where g.code = (r.row).code and g.state <> 'FAILED'
    ) then 'TRUELINK_DUPLICATE' end order by r.o)
  from (select u.text::gift_intent_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
$$;

create function write_gift_intent(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed gift_intent_row[];
begin
  select array_agg(r::gift_intent_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  insert into gift_redemption (id, member_id, code, state, expected, created_at)
    select p.id, p.member_id, p.code, 'SENT', p.expected, _now from unnest(parsed) p;
  perform statement_add(array_agg((p.member_id, p.id, 'deposit', 'PENDING', 'gift', 'wallet', p.expected)::statement_row), _now)
    from unnest(parsed) p;
end $$;

-- An attempt ends once, whoever learns its end first.
create function guard_gift_end(_rows text[]) returns text[] language sql as $$
  select array_agg(case when g.state not in ('SENT', 'UNKNOWN') then 'REQUEST_LIMIT' end order by r.o)
  from (select u.text::gift_end_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
  join gift_redemption g on g.id = (r.row).id
$$;

create function write_gift_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed gift_end_row[];
begin
  select array_agg(r::gift_end_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  update gift_redemption g set state = p.state, amount = p.amount, reason = p.reason from unnest(parsed) p where g.id = p.id;
  insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
    select p.id, p.member_id, 'GIFT', 'gift', p.code, p.amount, false, e.id, _now
    from unnest(parsed) with ordinality p join unnest(_entries) with ordinality e(id, o) on e.o = p.ordinality where p.state = 'DONE';
  update statement s set amount = p.amount from unnest(parsed) p where s.id = p.id and p.state = 'DONE';
  perform statement_set(array_agg(p.id), 'SUCCESS', _now) from unnest(parsed) p where p.state = 'DONE';
  perform statement_set(array_agg(p.id), 'FAILED', _now) from unnest(parsed) p where p.state = 'FAILED';
  perform outbox_money(array_agg(p.member_id), array_agg(jsonb_build_object('kind', 'deposit', 'id', p.id,
      'status', case p.state when 'DONE' then 'SUCCESS' else 'FAILED' end, 'minor', coalesce(p.amount, g.expected))), _now)
    from unnest(parsed) p join gift_redemption g on g.id = p.id;
end $$;

insert into ledger_companion values
  ('gift_intent', 'guard_gift_intent', 'write_gift_intent'),
  ('gift_end', 'guard_gift_end', 'write_gift_end');

grant select on gift_redemption to krapao_app;
grant update (state, asked, tried_at) on gift_redemption to krapao_app;
