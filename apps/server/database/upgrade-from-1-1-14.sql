-- Brings the tables of version 1.1.14 to the baseline. Every statement may run on a database that has it already.

-- Renames tables and columns. A view with the former names stays for servers of 1.1.14 that still run; the next
-- release drops it.
do $$
declare
  renamed record;
  item record;
begin
  create temporary table renamed_column (table_name text, former text, name text) on commit drop;
  insert into renamed_column values
    ('assignment', 'claimed_at', 'assigned_at'),
    ('assignment', 'thing', 'subject'),
    ('console_columns', 'room', 'page_name'),
    ('console_view', 'room', 'page_name'),
    ('transfer_evidence', 'line_id', 'bank_transaction_id');
  for renamed in
    select r.former, r.name
    from (values
      ('act_alone', 'small_action'),
      ('bank_line', 'bank_transaction'),
      ('bank_sighting', 'transfer_evidence'),
      ('claim', 'assignment'),
      ('deposit_claim', 'payment_report'),
      ('desk_columns', 'console_columns'),
      ('desk_view', 'console_view'),
      ('ended_wish', 'ended_intent')
    ) r(former, name)
    join pg_class c on c.oid = to_regclass(r.former) and c.relkind = 'r'
  loop
    execute format('alter table %I rename to %I', renamed.former, renamed.name);
    execute format('create view %I as select * from %I', renamed.former, renamed.name);
    -- The view grants what the table grants.
    for item in
      select distinct lower(p.privilege_type) || coalesce(' (' || quote_ident(p.column_name) || ')', '') as privilege
      from (
        select privilege_type, null as column_name from information_schema.role_table_grants
        where table_schema = 'public' and table_name = renamed.name and grantee = 'krapao_app'
        union all
        select privilege_type, column_name from information_schema.role_column_grants
        where table_schema = 'public' and table_name = renamed.name and grantee = 'krapao_app'
      ) p
    loop
      execute format('grant %s on %I to krapao_app', item.privilege, renamed.former);
    end loop;
    for item in select * from renamed_column c where c.table_name = renamed.name loop
      execute format('alter table %I rename column %I to %I', renamed.name, item.former, item.name);
    end loop;
    -- Constraints, indexes and sequences are named after the table.
    for item in
      select conname as former, renamed.name || substr(conname, length(renamed.former) + 1) as name
      from pg_constraint
      where conrelid = renamed.name::regclass and starts_with(conname, renamed.former || '_')
    loop
      execute format('alter table %I rename constraint %I to %I', renamed.name, item.former, item.name);
    end loop;
    for item in
      select c.relname as former, renamed.name || substr(c.relname, length(renamed.former) + 1) as name, c.relkind
      from pg_class c
      where starts_with(c.relname, renamed.former || '_') and c.relkind in ('i', 'S')
        and (c.oid in (select indexrelid from pg_index where indrelid = renamed.name::regclass)
          or c.oid in (select objid from pg_depend where refobjid = renamed.name::regclass))
    loop
      execute format('alter %s %I rename to %I', case item.relkind when 'i' then 'index' else 'sequence' end,
        item.former, item.name);
    end loop;
  end loop;
  drop table renamed_column;
end $$;

-- Operators' saved columns and filters follow the names of the console's columns.
update console_columns set shown = array_replace(shown, 'claim', 'assignment') where 'claim' = any(shown);
update console_columns
  set shown = array_replace(shown, 'lines', 'transactions')
  where page_name in ('reports', 'doubts') and 'lines' = any(shown);
update console_view
  set address = regexp_replace(
    regexp_replace(regexp_replace(address, '(^|&)claimed=', '\1assigned='), '(^|&)claimant=', '\1assignee='),
    '((^|&)cols=([^&]*(,|%2C))?)claim(?=,|%2C|&|$)', '\1assignment')
  where address like '%claim%';

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
  if coalesce(to_regtype('desk_bank_transaction_row'), to_regtype('operator_bank_transaction_row')) is null then
    create type desk_bank_transaction_row as (
      act desk_act_row, bank_transaction_id bigint, state text, member_id bigint, deposit_id text
    );
    create type desk_evidence_row as (
      act desk_act_row, evidence_id bigint, bank_transaction_id bigint, member_id bigint, deposit_id text
    );
  end if;
  if to_regtype('payment_report_row') is null then
    create type payment_report_row as (id text, member_id bigint, amount bigint);
  end if;
  if to_regtype('coupon_redemption_row') is null then
    create type coupon_redemption_row as (coupon_id text, member_id bigint, at timestamptz);
  end if;
  if to_regtype('intent_end_row') is null then
    create type intent_end_row as (member_id bigint, call text, key text, answer text, ids text[]);
    create type intent_rest_row as (ids text[]);
  end if;
  if to_regtype('withdrawal_hold_row') is null then
    create type withdrawal_hold_row as (
      id text, member_id bigint, bank_account_id bigint, bank_code text, amount bigint, only_one boolean,
      must_review boolean, unplayed bigint, unbet_needed bigint, unbet_since timestamptz, automatic_max bigint,
      automatic_day_max bigint
    );
  end if;
end $$;

-- Operators' actions have new names throughout: a server of 1.1.14 that still runs refuses them.
do $$
declare former record;
begin
  for former in
    select oid::regprocedure as routine from pg_proc
    where pronamespace = 'public'::regnamespace and proname ~ '^((guard|write)_)?desk_'
  loop
    execute format('drop function %s cascade', former.routine);
  end loop;
end $$;
delete from ledger_companion where starts_with(name, 'desk_');
drop type if exists desk_line_row, desk_reading_row, desk_sighting_row;

-- Renames types, then columns of tables and attributes of types.
do $$
declare renamed record;
begin
  for renamed in
    select relname as name, case relname when 'desk_act_row' then 'operator_action_row'
      else replace(relname, 'desk_', 'operator_') end as new_name
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'c' and starts_with(relname, 'desk_')
  loop
    execute format('alter type %I rename to %I', renamed.name, renamed.new_name);
  end loop;
  for renamed in
    select c.relname as owner, c.relkind, former.name, former.new_name from (values
      ('alert', 'thing', 'subject'),
      ('approval', 'thing', 'subject'),
      ('audit', 'thing', 'subject'),
      ('manual_entry_row', 'thing', 'subject'),
      ('operator_action_row', 'claim_after', 'assigned_after'),
      ('operator_action_row', 'thing', 'subject'),
      ('operator_report_row', 'line_id', 'bank_transaction_id'),
      ('operator_return_row', 'line_id', 'bank_transaction_id'),
      ('payout_return', 'line_id', 'bank_transaction_id'),
      ('reconciliation_difference', 'our_thing', 'our_subject'),
      ('transfer_credit_row', 'use_line', 'use_bank_transaction_id'),
      ('transfer_tie_row', 'line_id', 'bank_transaction_id'),
      -- Of every type that has it.
      (null, 'act', 'action')
    ) as former (owner, name, new_name)
    join pg_attribute a on a.attname = former.name
    join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace
      and (c.relname = former.owner or former.owner is null and c.relkind = 'c')
  loop
    execute format(
      case renamed.relkind when 'c' then 'alter type %I rename attribute %I to %I'
        else 'alter table %I rename column %I to %I' end,
      renamed.owner, renamed.name, renamed.new_name
    );
  end loop;
end $$;
alter index if exists transfer_evidence_line rename to transfer_evidence_bank_transaction;
do $$
declare renamed record;
begin
  for renamed in
    select conrelid::regclass as owner, conname as former, replace(conname, '_line_id_',
      '_bank_transaction_id_') as name
    from pg_constraint
    where conname in ('payout_return_line_id_fkey', 'transfer_evidence_line_id_fkey')
  loop
    execute format('alter table %s rename constraint %I to %I', renamed.owner, renamed.former, renamed.name);
  end loop;
end $$;
alter index if exists approval_thing rename to approval_subject;
alter index if exists audit_thing rename to audit_subject;
alter index if exists console_view_operator_id_room_name_key
  rename to console_view_operator_id_page_name_name_key;

-- Requests for approval that wait name the bank transaction as before.
update approval
  set payload = payload - 'line' || jsonb_build_object('transaction', payload -> 'line')
  where action = 'withdrawal.return' and state = 'PENDING' and payload ? 'line';
