-- A withdrawal is written while everybody waits for the ledger, so what is kept beside it must earn its place.
-- Neither members nor their bank accounts can be deleted by the application; that the account is the member's is now
-- asked in the statement that reads the account anyway, not by two triggers and two row locks a withdrawal.
alter table withdrawal drop constraint withdrawal_member_id_fkey, drop constraint withdrawal_bank_account_id_fkey;
-- The payout worker alone goes by this one; open withdrawals are found by withdrawal_open.
drop index withdrawal_queue;
create index withdrawal_queue on withdrawal (created_at) where status = 'QUEUED';
-- Only the proof of the books asks for open holds, and it reads all of them.
drop index ledger_hold_open;

create or replace function write_withdrawal(_rows text[], _entries bigint[], _now timestamptz) returns void language plpgsql as $$
declare parsed withdrawal_row[]; queued boolean; written int;
begin
  select array_agg(r::withdrawal_row order by o) into parsed from unnest(_rows) with ordinality u(r, o);
  with decided as (
    select p.*, p.amount <= p.automatic_max and p.amount + coalesce((
        select sum(w.amount) from withdrawal w where w.member_id = p.member_id and w.automatic and w.status <> 'FAILED'
          and w.created_at > _now - interval '24 hours'), 0) <= p.automatic_day_max as automatic
    from unnest(parsed) p
  ), added as (
    insert into withdrawal (id, member_id, bank_account_id, amount, status, automatic, created_at, updated_at, held_until)
    select d.id, d.member_id, a.id, d.amount, case when d.automatic then 'QUEUED' else 'REVIEW' end, d.automatic, _now, _now,
      case when a.cool_until > _now then a.cool_until end
    from decided d join bank_account a on a.id = d.bank_account_id and a.member_id = d.member_id
    returning automatic
  )
  select bool_or(automatic), count(*) into queued, written from added;
  if written <> cardinality(parsed) then raise foreign_key_violation using message = 'a withdrawal to an account that is not the member''s'; end if;
  perform statement_add(array_agg((p.member_id, p.id, 'withdraw', 'PENDING', 'wallet', p.bank_code, p.amount)::statement_row), _now) from unnest(parsed) p;
  if queued then perform graphile_worker.add_job('withdrawals.pay', job_key := 'withdrawals.pay'); end if;
end $$;
