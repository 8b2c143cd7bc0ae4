import { sql } from '../../platform/database/db.ts';

/** The statement must add up to the wallet; for the proof of the books. A hold is money of a row not yet final. */
export const STATEMENT_CHECK = {
  name: 'a statement adds up to its wallet',
  sql: sql(`select 'member ' || m.id || ': statement says ' || coalesce(s.sum, 0) || ', wallet holds ' || a.balance as detail
    from member m join ledger_account a on a.id = m.wallet_account
    left join (
      select member_id, sum(case
        when status = 'FAILED' then 0
        when type in ('deposit', 'bonus') then case when status = 'SUCCESS' then amount else 0 end
        when type in ('withdraw', 'finish_bonus') then -amount
        when source = 'wallet' then -amount
        when target = 'wallet' then case when status = 'SUCCESS' then amount else 0 end
        else 0 end) as sum
      from statement group by member_id) s on s.member_id = m.id
    where a.balance <> coalesce(s.sum, 0) limit 50`),
};
