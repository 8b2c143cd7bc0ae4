import type { risk } from '@krapao/contract/operator';
import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import type { Db } from '../../platform/database/db.ts';
import { findAssessment, listNames } from './queries.ts';
import { contradicted, type RiskPart } from './score.ts';

type RiskView = Static<typeof risk.Risk>;

const money = (minor: number | null, currency: Currency): number | null =>
  minor === null ? null : fromMinor(BigInt(minor), currency);

/** What a partner executed twice; a server of an earlier release stores a transfer as a withdrawal, with its kind. */
const partnersRow = ({ withdrawal, transfer }: RiskPart) => ({
  withdrawal: null,
  transfer: transfer ?? null,
  ...(withdrawal && contradicted(withdrawal.includes(':') ? withdrawal : `withdrawal:${withdrawal}`)),
});

/** A score as operators see it: amounts in the currency, other members by name. */
export async function riskView(
  db: Db,
  { score, parts }: { score: number; parts: RiskPart[] },
  currency: Currency,
): Promise<RiskView> {
  const ids = [...new Set(parts.flatMap((part) => part.members))];
  const names = new Map(ids.length > 0 ? (await listNames(db, ids)).map(({ id, name }) => [id, name]) : []);
  return {
    score,
    parts: parts.map((part) => ({
      ...part,
      ...partnersRow(part),
      amount: money(part.amount, currency),
      usual: money(part.usual, currency),
      members: part.members.map((id) => ({ id, name: names.get(id) ?? id })),
    })),
  };
}

/** What was known and decided when a withdrawal was requested; null for one that was never assessed. */
export async function assessmentView(
  db: Db,
  withdrawalId: string,
  currency: Currency,
): Promise<Static<typeof risk.Assessment> | null> {
  const row = await findAssessment(db, withdrawalId);
  if (!row) return null;
  return {
    ...(await riskView(db, row, currency)),
    reasons: row.reasons,
    reviewScore: row.review_score,
    holdScore: row.hold_score,
    automaticMax: fromMinor(row.automatic_max, currency),
    automaticDayMax: fromMinor(row.automatic_day_max, currency),
    dayTotal: fromMinor(row.day_total, currency),
  };
}
