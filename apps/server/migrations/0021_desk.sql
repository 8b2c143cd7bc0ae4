-- How operators act on what waits: claims, requests for a second person, and the row that explains an act to the
-- ledger's companions.

-- A queue row is taken before it is acted on; it frees itself when nothing happened for some minutes.
create table claim (
  thing text primary key,
  operator_id bigint not null references operator,
  claimed_at timestamptz not null,
  touched_at timestamptz not null
);

-- One open request an action and thing; whoever made it never decides it.
create table approval (
  id text primary key,
  action text not null,
  thing text not null,
  -- What the act needs, and what the checker is shown.
  payload jsonb not null,
  summary jsonb not null,
  reason text,
  maker_id bigint not null references operator,
  state text not null check (state in ('PENDING', 'APPROVED', 'REFUSED', 'WITHDRAWN', 'LAPSED')),
  made_at timestamptz not null,
  lapses_at timestamptz not null,
  checker_id bigint references operator,
  checked_at timestamptz,
  note text,
  check (checker_id is null or checker_id <> maker_id)
);
create unique index approval_pending on approval (action, thing) where state = 'PENDING';
create index approval_made on approval (made_at desc);

create table member_note (
  id bigint generated always as identity primary key,
  member_id bigint not null references member,
  operator_id bigint not null references operator,
  text text not null,
  written_at timestamptz not null
);
create index member_note_of on member_note (member_id, id);

-- Who acts, on what word: written into the audit trail by the transaction of the act. `approval_id` is the request
-- this act carries out; `claim_after` demands that the operator has claimed the thing since then.
create type desk_act_row as (
  operator_id bigint, actor text, role text, action text, thing text, before jsonb, after jsonb, reason text,
  address text, approval_id text, claim_after timestamptz, at timestamptz
);

-- Why an act may not happen now, or null. Rows are locked in the order thing, approval, claim, here and in the calls.
create function desk_refusal(_act desk_act_row) returns text language plpgsql as $$
begin
  if _act.approval_id is not null then
    perform 1 from approval a where a.id = _act.approval_id and a.state = 'PENDING' and a.lapses_at > _act.at for update;
    if not found then return 'APPROVAL_LAPSED'; end if;
  end if;
  return null;
end $$;
create function desk_unclaimed(_act desk_act_row) returns text language plpgsql as $$
begin
  if _act.claim_after is not null then
    perform 1 from claim c where c.thing = _act.thing and c.operator_id = _act.operator_id and c.touched_at > _act.claim_after for update;
    if not found then return 'NOT_CLAIMED'; end if;
  end if;
  return null;
end $$;

create function desk_write(_acts desk_act_row[], _now timestamptz) returns void language plpgsql as $$
begin
  insert into audit (at, actor, role, action, thing, before, after, reason, address)
    select _now, a.actor, a.role, a.action, a.thing, a.before, a.after, a.reason, a.address from unnest(_acts) a;
  update approval p set state = 'APPROVED', checker_id = a.operator_id, checked_at = _now
    from unnest(_acts) a where p.id = a.approval_id;
  -- Other requests about a thing that has come to its end ask for nothing any more.
  update approval p set state = 'LAPSED' from unnest(_acts) a
    where p.thing = a.thing and p.state = 'PENDING' and a.thing ~ '^(withdrawal|unmatched|transfer):';
  delete from claim c using unnest(_acts) a where c.thing = a.thing;
end $$;

-- Open consoles hear that something changed; the next read is the truth.
create function desk_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('desk', tg_argv[0]);
  return null;
end $$;
create function desk_arrived() returns trigger language plpgsql as $$
begin
  perform pg_notify('desk', tg_argv[0] || ' new');
  return null;
end $$;
create trigger desk_changed after update on withdrawal for each statement execute function desk_changed('withdrawals');
create trigger desk_arrived after insert on withdrawal for each row when (new.status = 'REVIEW') execute function desk_arrived('withdrawals');
create trigger desk_changed after update on bank_line for each statement execute function desk_changed('unmatched');
create trigger desk_arrived after insert on bank_line for each row when (new.state = 'UNMATCHED') execute function desk_arrived('unmatched');
create trigger desk_changed after insert on deposit for each statement execute function desk_changed('deposits');
create trigger desk_arrived after insert on approval for each row execute function desk_arrived('approvals');
create trigger desk_changed after update on approval for each statement execute function desk_changed('approvals');
create trigger desk_arrived after insert on alert for each row execute function desk_arrived('alerts');
create trigger desk_changed after update on alert for each statement execute function desk_changed('alerts');
create trigger desk_changed after update of state on provider_transfer for each row
  when (old.state is distinct from new.state and 'UNKNOWN' in (old.state, new.state)) execute function desk_changed('transfers');
create trigger desk_changed after insert or update or delete on claim for each statement execute function desk_changed('claims');

grant select, insert, update on approval to krapao_app;
grant select, insert, update, delete on claim to krapao_app;
grant select, insert on member_note to krapao_app;

create index withdrawal_made on withdrawal (created_at);
create index withdrawal_of on withdrawal (member_id, created_at);
create index deposit_made on deposit (created_at);
create index provider_transfer_made on provider_transfer (created_at);
create index provider_transfer_of on provider_transfer (member_id, created_at);
create index member_made on member (created_at);
