import { type Pool, type PoolClient, type Sql, sql } from '../platform/database/db.ts';

/** One violated invariant, naming the row. */
export interface Finding {
  check: string;
  detail: string;
}

export interface Check {
  name: string;
  /** The first fifty rows that violate the invariant, as one text column `detail`. */
  sql: Sql<{ detail: string | null }, []>;
}

const CHECKS: readonly Check[] = [
  {
    name: 'balances of an asset sum to zero',
    sql: sql(`select 'asset ' || s.code || ' sums to ' || sum(a.balance) as detail
      from ledger_account a join ledger_asset s on s.id = a.asset group by s.code having sum(a.balance) <> 0 limit 50`),
  },
  {
    name: 'every entry balances in each asset',
    sql: sql(`select 'entry ' || p.entry_id || ' sums to ' || sum(p.amount) as detail
      from ledger_posting p join ledger_account a on a.id = p.account_id group by p.entry_id, a.asset having sum(p.amount) <> 0 limit 50`),
  },
  {
    name: 'every posting belongs to an entry, every entry to a batch and has postings',
    sql: sql(`select 'posting of account ' || p.account_id || ' names missing entry ' || p.entry_id as detail
        from ledger_posting p left join ledger_entry e on e.id = p.entry_id where e.id is null
      union all
      select 'entry ' || e.id || ' has no postings' from ledger_entry e
        where not exists (select 1 from ledger_posting p where p.entry_id = e.id)
      union all
      select 'entry ' || e.id || ' (' || e.reference || ') names missing batch ' || e.batch_id from ledger_entry e
        where not exists (select 1 from ledger_batch b where b.id = e.batch_id) limit 50`),
  },
  {
    name: 'a balance is the sum of its postings',
    sql: sql(`select 'account ' || a.id || ' (' || a.kind || ') shows ' || a.balance || ', postings say ' || coalesce(sum(p.amount), 0) as detail
      from ledger_account a left join ledger_posting p on p.account_id = a.id group by a.id having a.balance <> coalesce(sum(p.amount), 0) limit 50`),
  },
  {
    name: 'the chain of balances is unbroken',
    sql: sql(`select 'account ' || account_id || ', entry ' || entry_id || ': ' || before || ' + ' || amount || ' is not ' || balance_after as detail
      from (select account_id, entry_id, amount, balance_after,
              coalesce(lag(balance_after) over (partition by account_id order by entry_id, leg), 0) as before
            from ledger_posting) c where before + amount <> balance_after limit 50`),
  },
  {
    name: 'no account of a member is below zero',
    sql: sql(`select 'account ' || id || ' of member ' || member_id || ' stands at ' || balance as detail
      from ledger_account where member_id is not null and balance < 0 limit 50`),
  },
  {
    name: 'hold accounts hold exactly the open holds',
    sql: sql(`select 'hold account ' || a.id || ' holds ' || a.balance || ', open holds say ' || coalesce(sum(h.amount), 0) as detail
      from ledger_account a left join ledger_hold h on h.hold_account = a.id and h.state = 'OPEN'
      where a.kind = 'hold' group by a.id having a.balance <> coalesce(sum(h.amount), 0) limit 50`),
  },
  {
    name: 'every entry is as it was written',
    sql: sql(`select 'entry ' || e.id || ' (' || e.reference || ') was changed' as detail
      from ledger_entry e
      join (select entry_id, string_agg(account_id || ':' || amount || ':' || balance_after || ',', '' order by leg) as legs
            from ledger_posting group by entry_id) p on p.entry_id = e.id
      where sha256(convert_to(ledger_entry_text(e.id, e.kind, e.reference, e.member_id, e.hold_key, e.created_at, p.legs), 'UTF8')) <> e.digest limit 50`),
  },
  {
    name: 'the chain of batches is unbroken',
    sql: sql(`select 'batch ' || b.id || ' does not follow from the one before and its ' || b.entries || ' entries' as detail
      from (select id, entries, hash, lag(hash) over (order by id) as before from ledger_batch) b
      left join (select batch_id, count(*) as entries, string_agg(digest, ''::bytea order by id) as digests
                 from ledger_entry group by batch_id) e on e.batch_id = b.id
      where coalesce(e.entries, 0) <> b.entries
        or b.hash <> case when b.before is null then sha256('krapao ledger'::bytea)
                          else sha256(b.before || coalesce(e.digests, ''::bytea)) end limit 50`),
  },
];

/**
 * Verifies the ledger and returns its violations. Reads one snapshot, so it may run under load. An empty list means:
 * postings sum to zero, every balance is the sum of its postings, and no row was changed, added or removed outside
 * the ledger.
 */
export async function verifyLedger(pool: Pool, extra: readonly Check[] = []): Promise<Finding[]> {
  const client: PoolClient = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0');
    // Each check reads whole tables. Without table statistics the planner may choose nested loops that never end.
    await client.query('set local enable_nestloop = off');
    const findings: Finding[] = [];
    for (const check of [...CHECKS, ...extra]) {
      const result = await client.query(check.sql);
      for (const row of result.rows) findings.push({ check: check.name, detail: row.detail ?? '' });
    }
    await client.query('commit');
    return findings;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
