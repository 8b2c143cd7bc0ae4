-- The planner made a plan of its own for nearly every statement of every batch, because it knows how long the arrays are;
-- with the settings that pin the plans it is always the same one. Half of what a small batch cost was that.
alter function ledger_post set plan_cache_mode = force_generic_plan;

-- As before; a function of this language keeps its plan from batch to batch on every version of PostgreSQL.
create or replace function guard_withdrawal(_rows text[]) returns text[] language plpgsql as $$
declare parsed withdrawal_row[]; said text[];
begin
  select array_agg(u.text::withdrawal_row order by u.o) into parsed from unnest(_rows) with ordinality u(text, o);
  select array_agg(case
      when exists (select 1 from ended_wish e where e.id = p.id) then 'WISH_ENDED'
      when p.one_open and exists (
        select 1 from withdrawal w where w.member_id = p.member_id and w.status in ('QUEUED', 'REVIEW', 'PROCESSING')
      ) then 'REQUEST_LIMIT' end order by p.ordinality)
    into said from unnest(parsed) with ordinality p;
  return said;
end $$;

-- Written by the desk's companion alone, from a row it has just locked; every other withdrawal paid for the check too.
alter table withdrawal drop constraint withdrawal_retry_of_fkey;
