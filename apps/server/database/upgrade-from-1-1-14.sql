-- Brings the tables of version 1.1.14 to the baseline. Every statement may run on a database that has it already.

create table if not exists routine_file (
  path text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
create table if not exists routine_set (
  sha256 text primary key,
  applied_at timestamptz not null default now()
);

alter table payout
  add column if not exists watched_since timestamptz,
  add column if not exists watch_asked_at timestamptz,
  add column if not exists refused_code text;
alter table provider_transfer
  add column if not exists watched_since timestamptz,
  add column if not exists watch_asked_at timestamptz,
  add column if not exists ended_turn bigint;
alter table gift_redemption
  add column if not exists watched_since timestamptz,
  add column if not exists watch_asked_at timestamptz;
grant update (watched_since, watch_asked_at) on gift_redemption to krapao_app;
create index if not exists payout_watched on payout (watched_since) where watched_since is not null;
create index if not exists provider_transfer_watched on provider_transfer (watched_since)
  where watched_since is not null;
create index if not exists gift_redemption_watched on gift_redemption (watched_since)
  where watched_since is not null;

-- Watches the orders released in the last days.
update payout
  set watched_since = now()
  where state = 'REJECTED' and touched_at > now() - interval '3 days' and watched_since is null;
update provider_transfer
  set watched_since = now()
  where state = 'FAILED' and touched_at > now() - interval '3 days' and watched_since is null;
update gift_redemption
  set watched_since = now()
  where state = 'FAILED' and created_at > now() - interval '3 days' and watched_since is null;

alter table approval add column if not exists lapsed_because text check (lapsed_because = 'MAKER');

create sequence if not exists game_turn;
grant usage on sequence game_turn to krapao_app;
alter table game_account
  add column if not exists asked_turn bigint,
  add column if not exists reserved_at timestamptz not null default now();
do $$
begin
  if to_regtype('game_reading_row') is null then
    create type game_reading_row as (
      member_id bigint, slot_code text, credits bigint, outstanding bigint, asked_at timestamptz, turn bigint,
      mirror_account bigint, mirror_version bigint
    );
    create type desk_game_reading_row as (act desk_act_row, reading game_reading_row);
  end if;
  if to_regtype('withdrawal_hold_row') is null then
    create type withdrawal_hold_row as (
      id text, member_id bigint, bank_account_id bigint, bank_code text, amount bigint, only_one boolean,
      must_review boolean, unplayed bigint, unbet_needed bigint, unbet_since timestamptz, automatic_max bigint,
      automatic_day_max bigint
    );
  end if;
end $$;

-- Renames columns of tables and attributes of types.
do $$
declare renamed record;
begin
  for renamed in
    select former.*, c.relkind from (values
      ('alert', 'thing', 'subject'),
      ('approval', 'thing', 'subject'),
      ('audit', 'thing', 'subject'),
      ('claim', 'thing', 'subject'),
      ('desk_act_row', 'thing', 'subject'),
      ('manual_entry_row', 'thing', 'subject'),
      ('reconciliation_difference', 'our_thing', 'our_subject')
    ) as former (owner, name, new_name)
    join pg_class c on c.oid = to_regclass(former.owner)
    join pg_attribute a on a.attrelid = c.oid and a.attname = former.name
  loop
    execute format(
      case renamed.relkind when 'c' then 'alter type %I rename attribute %I to %I'
        else 'alter table %I rename column %I to %I' end,
      renamed.owner, renamed.name, renamed.new_name
    );
  end loop;
end $$;
alter index if exists approval_thing rename to approval_subject;
alter index if exists audit_thing rename to audit_subject;

-- Routines whose parameters were renamed.
drop function if exists desk_ended(text[]);
