-- Accounts that cannot be found by their visible digits yet are read without looking at all others

-- digits_indexed: whether bank_account_digits has the account's row. Existing rows get true without being rewritten.
alter table bank_account add column digits_indexed boolean not null default true;
alter table bank_account alter column digits_indexed set default false;
update bank_account a
  set digits_indexed = false
  where not exists (select 1 from bank_account_digits d where d.bank_account_id = a.id);
create index bank_account_to_index on bank_account (id) where not digits_indexed;
