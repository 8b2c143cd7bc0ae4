import type { PartnerName } from '@krapao/contract/operator';
import type { Db } from '../../platform/database/db.ts';

/** Calls to one partner within one minute. */
export interface MinuteCounts {
  calls: number;
  failed: number;
  /** Whole milliseconds, as is the slowest. */
  totalMs: number;
  maxMs: number;
}

/** Adds to the counts of a minute, which other servers add to as well. */
export async function addMinute(
  db: Db,
  partner: PartnerName,
  minute: Date,
  counts: MinuteCounts,
): Promise<void> {
  const sql = `insert into partner_minute as p (partner, minute, calls, failed, total_ms, max_ms) values ($1, $2, $3, $4, $5, $6)
    on conflict (partner, minute) do update set calls = p.calls + excluded.calls, failed = p.failed + excluded.failed,
      total_ms = p.total_ms + excluded.total_ms, max_ms = greatest(p.max_ms, excluded.max_ms)`;
  const { calls, failed, totalMs, maxMs } = counts;
  await db.query(sql, [partner, minute, calls, failed, BigInt(totalMs), maxMs]);
}

/** How one partner answered since a time. */
export interface PartnerRow {
  partner: string;
  calls: number;
  failed: number;
  average_ms: number;
  max_ms: number;
  last_failed: Date | null;
}

/** How each partner that was called since a time has answered. */
export async function listPartners(db: Db, since: Date): Promise<PartnerRow[]> {
  const sql = `select partner, coalesce(sum(calls), 0)::int as calls, coalesce(sum(failed), 0)::int as failed,
      coalesce(sum(total_ms) / nullif(sum(calls), 0), 0)::int as average_ms, coalesce(max(max_ms), 0)::int as max_ms,
      max(minute) filter (where failed > 0) as last_failed
    from partner_minute where minute >= $1 group by partner order by partner`;
  return (await db.query(sql, [since])).rows;
}

/** Deletes counts before a time. */
export async function deleteMinutes(db: Db, before: Date): Promise<void> {
  await db.query('delete from partner_minute where minute < $1', [before]);
}

/** A watched account, and when its feed last answered. */
export interface FeedRow {
  bank_code: string;
  account_no: string;
  heard_at: Date;
}

/** The watched accounts in the order operators keep them. */
export async function listFeeds(db: Db): Promise<FeedRow[]> {
  const sql = `select d.bank_code, d.account_no, f.heard_at
    from bank_feed f join deposit_account d on d.id = f.deposit_account_id order by d.position, d.id`;
  return (await db.query(sql)).rows;
}

/** An agent at a game provider, as games name it. */
export interface Agent {
  adapter: string;
  agent: string;
}

/** The agents of open games. */
export async function listAgents(db: Db): Promise<Agent[]> {
  return (await db.query('select distinct adapter, agent from slot where is_open order by adapter, agent'))
    .rows;
}

/** Stores what was read of a partner's credit. */
export async function saveCredit(
  db: Db,
  { partner, agent, credit, now }: { partner: PartnerName; agent: string; credit: string; now: Date },
): Promise<void> {
  await db.query(
    `insert into partner_credit (partner, agent, credit, read_at) values ($1, $2, $3, $4)
     on conflict (partner, agent) do update set credit = excluded.credit, read_at = excluded.read_at
       where partner_credit.read_at <= excluded.read_at`,
    [partner, agent, credit, now],
  );
}

/** Deletes the credit of all but these, each named `partner:agent`, and returns the names of what it deleted. */
export async function deleteCredits(db: Db, kept: readonly string[]): Promise<string[]> {
  const sql = `delete from partner_credit where not (partner || ':' || agent = any($1))
    returning partner || ':' || agent as name`;
  return (await db.query(sql, [kept])).rows.map(({ name }) => name!);
}

/** What was last read of a partner's credit. */
export interface CreditRow {
  partner: string;
  agent: string;
  credit: string;
  read_at: Date;
}

/** The credit at all partners that report it. */
export async function listCredits(db: Db): Promise<CreditRow[]> {
  return (
    await db.query('select partner, agent, credit::text, read_at from partner_credit order by partner, agent')
  ).rows;
}
