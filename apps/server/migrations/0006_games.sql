-- Games, the accounts members open in them, and money on its way to or from a provider.

create table slot (
  code text primary key,
  name text not null,
  category text not null check (category in ('slot', 'sport', 'lotto')),
  adapter text not null,
  -- The agent at the provider, and the name auto-login knows the game by.
  agent text not null,
  launch_name text not null unique,
  -- Wallet currency per credit, in millionths.
  rate_micro bigint not null check (rate_micro > 0),
  unknown_user_code text not null default 'NO_USER' check (unknown_user_code in ('NO_USER', 'NOT_AREASLOT', 'NOT_UFABET')),
  logo text not null,
  background text not null,
  web text,
  android text,
  ios text,
  is_open boolean not null default true,
  position integer not null
);

create table game_account (
  member_id bigint not null references member,
  slot_code text not null references slot,
  username text not null,
  password_sealed bytea not null,
  mirror_account bigint not null,
  -- OPENING while the provider has not yet said that the account exists.
  state text not null check (state in ('OPENING', 'ACTIVE')),
  -- A changed rate reaches an account once its balance is 0, so the rate of today is kept here.
  rate_micro bigint not null,
  -- Hundredths of a credit, as last reported.
  credits bigint not null default 0,
  outstanding bigint not null default 0,
  asked_at timestamptz,
  created_at timestamptz not null,
  primary key (member_id, slot_code),
  unique (slot_code, username)
);

create table provider_transfer (
  id text primary key,
  member_id bigint not null references member,
  slot_code text not null references slot,
  direction text not null check (direction in ('IN', 'OUT')),
  amount bigint not null check (amount > 0),
  credits bigint not null check (credits > 0),
  state text not null check (state in ('RESERVED', 'UNKNOWN', 'DONE', 'FAILED')),
  asked integer not null default 0,
  created_at timestamptz not null,
  touched_at timestamptz not null,
  -- Real time of sending, by the database: the grace given to a provider that says it has never seen the reference.
  sent_at timestamptz not null default now()
);
create index provider_transfer_open on provider_transfer (sent_at) where state in ('RESERVED', 'UNKNOWN');
create index provider_transfer_of_account on provider_transfer (member_id, slot_code, touched_at);

create type transfer_intent_row as (id text, member_id bigint, slot_code text, direction text, amount bigint, credits bigint);
create type transfer_end_row as (id text, member_id bigint, slot_code text, direction text, amount bigint, credits bigint, state text);
create type game_result_row as (member_id bigint, slot_code text, credits bigint, outstanding bigint, asked_at timestamptz, mirror_account bigint, mirror_version bigint);

create function write_transfer_intent(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed transfer_intent_row[];
begin
  select array_agg(r::transfer_intent_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  insert into provider_transfer (id, member_id, slot_code, direction, amount, credits, state, created_at, touched_at)
    select p.id, p.member_id, p.slot_code, p.direction, p.amount, p.credits, 'RESERVED', _now, _now from unnest(parsed) p;
  perform statement_add(array_agg((p.member_id, p.id, 'transfer', 'PENDING',
      case p.direction when 'IN' then 'wallet' else p.slot_code end, case p.direction when 'IN' then p.slot_code else 'wallet' end, p.amount)::statement_row), _now)
    from unnest(parsed) p;
end $$;

-- The transfer has ended, done or failed; a done one also moves the credits as last known.
create function write_transfer_end(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed transfer_end_row[];
begin
  select array_agg(r::transfer_end_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  update provider_transfer t set state = p.state, touched_at = _now from unnest(parsed) p where t.id = p.id;
  update game_account g set credits = greatest(g.credits + moved.credits, 0)
    from (select p.member_id, p.slot_code, sum(case p.direction when 'IN' then p.credits else -p.credits end)::bigint as credits
          from unnest(parsed) p where p.state = 'DONE' group by 1, 2) moved
    where g.member_id = moved.member_id and g.slot_code = moved.slot_code;
  perform statement_set(array_agg(p.id), 'SUCCESS', _now) from unnest(parsed) p where p.state = 'DONE';
  perform statement_set(array_agg(p.id), 'FAILED', _now) from unnest(parsed) p where p.state = 'FAILED';
  perform outbox_money(array_agg(p.member_id), array_agg(jsonb_build_object('kind', 'transfer', 'id', p.id,
      'status', case p.state when 'DONE' then 'SUCCESS' else 'FAILED' end, 'minor', p.amount)), _now)
    from unnest(parsed) p;
end $$;

-- A reading counts only if nothing moved since it was asked for: no transfer under way or ended meanwhile, no newer
-- reading, and the mirror still as it was when the difference was worked out.
create function guard_game_result(_rows text[]) returns text[] language sql as $$
  select array_agg(case
      when a.version <> (r.row).mirror_version then 'STALE'
      when g.asked_at > (r.row).asked_at then 'STALE'
      when exists (select 1 from provider_transfer t where t.member_id = (r.row).member_id and t.slot_code = (r.row).slot_code
        and (t.state in ('RESERVED', 'UNKNOWN') or t.touched_at >= (r.row).asked_at)) then 'STALE'
    end order by r.o)
  from (select u.text::game_result_row as row, u.o from unnest(_rows) with ordinality u(text, o)) r
  join ledger_account a on a.id = (r.row).mirror_account
  join game_account g on g.member_id = (r.row).member_id and g.slot_code = (r.row).slot_code
$$;

create function write_game_result(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
begin
  update game_account g set credits = p.credits, outstanding = p.outstanding, asked_at = p.asked_at
    from (select (r::game_result_row).* from unnest(_rows) r) p
    where g.member_id = p.member_id and g.slot_code = p.slot_code;
end $$;

insert into ledger_companion values
  ('transfer_intent', null, 'write_transfer_intent'),
  ('transfer_end', null, 'write_transfer_end'),
  ('game_result', 'guard_game_result', 'write_game_result');

grant select, insert, update on slot to krapao_app;
grant select, insert, update, delete on game_account to krapao_app;
grant select, update on provider_transfer to krapao_app;
