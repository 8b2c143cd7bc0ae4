-- Adds statement rows in the given order, numbered after the member's last row.
create or replace function statement_add(_rows statement_row[], _now timestamptz) returns void language sql as $$
  insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
  select r.member_id,
    coalesce((select max(s.number) from statement s where s.member_id = r.member_id), 0)
      + row_number() over (partition by r.member_id order by r.position),
    r.id, r.type, r.status, r.source, r.target, r.amount, _now, _now
  from unnest(_rows) with ordinality r(member_id, id, type, status, source, target, amount, position)
$$;

-- Moves statement rows to a later status. Rows in a final status stay as they are.
create or replace function statement_set(_ids text[], _status text, _now timestamptz) returns void language sql as $$
  update statement
  set status = _status, updated_at = _now
  where id = any(_ids) and status not in ('SUCCESS', 'FAILED')
$$;

-- Returns what a bonus run is called in a language: the title of the terms it was granted under, the name of the
-- prize of its coupon, or what invites and refunds are called. Null where the language has no text.
create or replace function bonus_run_name(_run text, _language text) returns text language sql stable as $$
  select coalesce(
    nullif(v.row -> 'title' ->> _language, ''),
    nullif(p.name ->> _language, ''),
    case r.kind
      when 'invite' then
        case _language when 'th' then 'โบนัสชวนเพื่อน' when 'la' then 'ໂບນັດຊວນໝູ່' else 'Invite bonus' end
      when 'refund' then
        case _language when 'th' then 'คืนยอดเสีย' when 'la' then 'ຄືນຍອດເສຍ' else 'Cashback' end
    end)
  from bonus_run r
  left join bonus_version v on v.bonus_id = r.bonus_id and v.version = r.bonus_version
  left join coupon c on r.kind = 'luckydraw' and c.member_id = r.member_id and c.run_id = r.id
  left join prize p on p.id = c.prize_id
  where r.id = _run
$$;

-- Returns what a statement row came from, in a language: the name of its run, which for a row about a run's end is
-- the member's that ended at that moment; the row's own text where that is not known.
create or replace function statement_description(
  _member bigint, _id text, _type text, _kind text, _text text, _at timestamptz, _language text
) returns text language sql stable as $$
  select case when _kind is not null then coalesce(
    bonus_run_name(
      case _type
        when 'finish_bonus' then (
          select r.id
          from bonus_run r
          where r.member_id = _member and r.ended_at = _at and r.state <> 'PLAIN')
        else _id
      end,
      _language),
    _text) end
$$;
