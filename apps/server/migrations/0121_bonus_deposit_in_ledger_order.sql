-- Whether a deposit may back a run: as before, and what was withdrawn after it is told by the order of the ledger's
-- entries, because deposit and withdrawal may carry the clocks of two servers. Those never differ by a day, which keeps
-- the search short.
create or replace function bonus_deposit_fits(_deposit text, _member bigint) returns boolean language sql stable as $$
  select exists (select 1 from deposit d where d.id = _deposit and d.member_id = _member and d.reversal_id is null
    and not exists (select 1 from bonus_run r where r.deposit_id = d.id)
    and not exists (select 1 from withdrawal w left join ledger_hold h on h.key = 'withdrawal:' || w.id
      where w.member_id = d.member_id and w.created_at >= d.created_at - interval '1 day' and w.status <> 'FAILED'
        and coalesce(h.opened_by > d.entry_id, w.created_at >= d.created_at)))
$$;
