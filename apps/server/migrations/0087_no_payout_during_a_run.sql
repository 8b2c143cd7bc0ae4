-- A refused withdrawal is not sent once more while a run of the member is under way, as none is asked for then.

create or replace function guard_desk_retry(_rows text[]) returns text[] language plpgsql as $$
declare r desk_retry_row; said text[] := '{}'; code text; member bigint; i int;
begin
  for i in 1 .. cardinality(_rows) loop
    r := _rows[i]::desk_retry_row;
    select w.member_id into member from withdrawal w join payout p on p.withdrawal_id = w.id
      where w.id = r.retry_of and w.status = 'FAILED' and p.state = 'REJECTED' for update of w;
    code := case when not found or exists (select 1 from withdrawal w where w.retry_of = r.retry_of) then 'ROW_CHANGED'
      when exists (select 1 from bonus_run b where b.member_id = member and b.state = 'ACTIVE') then 'BONUS_REMAINING' end;
    said := array_append(said, coalesce(code, desk_refusal(r.act)));
  end loop;
  return said;
end $$;
