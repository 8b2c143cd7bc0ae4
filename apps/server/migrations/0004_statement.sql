-- The member's statement. Rows are numbered per member, so that page N is found by number and costs what page 1 costs.
-- Written only inside ledger batches, whose single writer makes the numbering safe.

create table statement (
  member_id bigint not null,
  number bigint not null,
  id text not null unique,
  type text not null check (type in ('deposit', 'bonus', 'finish_bonus', 'withdraw', 'transfer')),
  status text not null check (status in ('PENDING', 'PROCESSING', 'REVIEW', 'SUCCESS', 'FAILED')),
  source text not null,
  target text not null,
  amount bigint not null,
  reference_kind text check (reference_kind in ('bonus', 'promotion', 'invite', 'refund', 'luckydraw')),
  reference_text text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (member_id, number)
) with (fillfactor = 90);

create type statement_row as (member_id bigint, id text, type text, status text, source text, target text, amount bigint);

-- Adds rows in order, numbering them after the member's last one.
create function statement_add(_rows statement_row[], _now timestamptz) returns void language sql as $$
  insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
  select r.member_id,
    coalesce((select max(s.number) from statement s where s.member_id = r.member_id), 0) + row_number() over (partition by r.member_id order by r.o),
    r.id, r.type, r.status, r.source, r.target, r.amount, _now, _now
  from unnest(_rows) with ordinality r(member_id, id, type, status, source, target, amount, o)
$$;

-- Moves rows to a later state; a final row stays as it is.
create function statement_set(_ids text[], _status text, _now timestamptz) returns void language sql as $$
  update statement set status = _status, updated_at = _now where id = any(_ids) and status not in ('SUCCESS', 'FAILED')
$$;

-- Tells the members' screens: the wallet as it now is, and the row that changed.
create function outbox_money(_members bigint[], _notices jsonb[], _now timestamptz) returns void language sql as $$
  insert into outbox (member_id, event, payload, created_at)
    select distinct m.id, 'wallet', jsonb_build_object('balance', a.balance, 'version', a.version, 'currency', m.currency), _now
    from unnest(_members) u(id) join member m on m.id = u.id join ledger_account a on a.id = m.wallet_account
  union all
    select u.id, 'notice', u.notice, _now from unnest(_members, _notices) u(id, notice) where u.notice is not null
$$;

-- A manual entry of an operator: the statement row and the audit row beside the posting.
create type manual_entry_row as (statement statement_row, actor text, action text, thing text, reason text);
create function write_manual_entry(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed manual_entry_row[];
begin
  select array_agg(r::manual_entry_row) into parsed from unnest(_rows) r;
  perform statement_add(array_agg((p).statement), _now) from unnest(parsed) p where ((p).statement).id is not null;
  insert into audit (at, actor, action, thing, after, reason)
    select _now, p.actor, p.action, p.thing, jsonb_build_object('amount', (p.statement).amount, 'id', (p.statement).id), p.reason from unnest(parsed) p;
  perform outbox_money(array_agg(((p).statement).member_id), array_agg(null::jsonb), _now) from unnest(parsed) p;
end $$;
insert into ledger_companion values ('manual_entry', null, 'write_manual_entry');

grant select on statement to krapao_app;
