-- Rejects every change of existing ledger rows: the ledger is append-only.
create or replace function ledger_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger rows are never changed: post a correcting entry' using errcode = 'restrict_violation';
end $$;

-- Keeps entries append-only, whichever role writes.
create or replace trigger ledger_entry_append_only
  before update or delete or truncate on ledger_entry for each statement
  execute function ledger_append_only();

-- Keeps postings append-only.
create or replace trigger ledger_posting_append_only
  before update or delete or truncate on ledger_posting for each statement
  execute function ledger_append_only();

-- Keeps batches, and so the hash chain, append-only.
create or replace trigger ledger_batch_append_only
  before update or delete or truncate on ledger_batch for each statement
  execute function ledger_append_only();
