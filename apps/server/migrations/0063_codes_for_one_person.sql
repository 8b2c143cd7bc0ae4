-- A promotion may be received by codes for one person each, made in batches, instead of by its own.
alter table bonus add column single_codes boolean not null default false;

create table promotion_batch (
  id text primary key,
  bonus_id bigint not null references bonus,
  made_by text not null,
  made_at timestamptz not null,
  reason text,
  revoked_at timestamptz,
  revoked_by text
);
create index promotion_batch_of_bonus on promotion_batch (bonus_id, id);

create table promotion_code (
  code text primary key,
  batch_id text not null references promotion_batch,
  -- The run it was used up by.
  run_id text unique references bonus_run,
  used_at timestamptz
);
create index promotion_code_of_batch on promotion_code (batch_id, code);

create type promotion_code_start_row as (run bonus_start_row, code text);

create function guard_promotion_code_start(_rows text[]) returns text[] language plpgsql as $$
declare r promotion_code_start_row; said text[] := '{}'; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::promotion_code_start_row;
    said := array_append(said, coalesce((guard_bonus_start(array[(r.run)::text]))[1],
      case when not exists (select 1 from promotion_code c join promotion_batch b on b.id = c.batch_id
        where c.code = r.code and c.run_id is null and b.revoked_at is null and b.bonus_id = (r.run).bonus_id) then 'NO_PROMOTION' end));
  end loop;
  return said;
end $$;

create function write_promotion_code_start(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare r promotion_code_start_row; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::promotion_code_start_row;
    perform write_bonus_start(array[(r.run)::text], array[_entries[i]], _now);
    update promotion_code set run_id = (r.run).id, used_at = _now where code = r.code;
  end loop;
end $$;

insert into ledger_companion values ('promotion_code_start', 'guard_promotion_code_start', 'write_promotion_code_start');

grant select, insert on promotion_batch, promotion_code to krapao_app;
grant update (revoked_at, revoked_by) on promotion_batch to krapao_app;

-- Codes are handed out as a file.
update operator_role set permissions = permissions || '{export.read}'::text[], updated_at = now()
  where code = 'marketing' and not 'export.read' = any(permissions);
