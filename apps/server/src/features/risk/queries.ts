import type { ReviewReason } from '@krapao/contract/operator';
import type { Currency } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';
import type { RiskPart } from './score.ts';

export interface AssessmentRow {
  score: number;
  parts: RiskPart[];
  reasons: ReviewReason[];
  review_score: number;
  hold_score: number;
  automatic_max: bigint;
  automatic_day_max: bigint;
  day_total: bigint;
}

/** What was known of a withdrawal when it was requested, and what that decided. */
export async function findAssessment(db: Db, withdrawalId: string): Promise<AssessmentRow | undefined> {
  const result = await db.query(
    `select score, parts, reasons, review_score, hold_score, automatic_max, automatic_day_max, day_total
     from risk_assessment where withdrawal_id = $1`,
    [withdrawalId],
  );
  return result.rows[0];
}

/** Names of members. */
export async function listNames(db: Db, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  return (await db.query('select id::text as id, name from member where id = any($1::bigint[])', [ids])).rows;
}

export interface StoredEvidence {
  id: string;
  evidence: Record<string, unknown>;
  currency: Currency;
}

/** Evidence of the withdrawals after an id, which sort by the time they were made. */
export async function pageEvidence(db: Db, afterId: string, limit: number): Promise<StoredEvidence[]> {
  const result = await db.query(
    `select r.withdrawal_id as id, r.evidence, m.currency
     from risk_assessment r join withdrawal w on w.id = r.withdrawal_id join member m on m.id = w.member_id
     where r.withdrawal_id > $1 order by r.withdrawal_id limit $2`,
    [afterId, limit],
  );
  return result.rows;
}

/** How many withdrawals were made since a moment. */
export async function countWithdrawals(db: Db, since: Date): Promise<number> {
  const result = await db.query('select count(*)::int as count from withdrawal where created_at > $1', [
    since,
  ]);
  return result.rows[0]!.count;
}

export interface TrialRow {
  id: string;
  member_id: bigint;
  member_name: string;
  amount: bigint;
  currency: Currency;
  created_at: Date;
}

/** Withdrawals by their ids. */
export async function listByIds(db: Db, ids: readonly string[]): Promise<TrialRow[]> {
  const result = await db.query(
    `select w.id, w.member_id, m.name as member_name, w.amount, m.currency, w.created_at
     from withdrawal w join member m on m.id = w.member_id where w.id = any($1)`,
    [ids],
  );
  return result.rows;
}
