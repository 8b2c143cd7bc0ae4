/** The risk score of members and withdrawals: its parts, and what other settings would have decided. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import {
  ActionReply,
  Closed,
  Currency,
  MemberRef,
  Money,
  Nullable,
  OneOf,
  Reason,
  Text,
  Timestamp,
} from './schemas.ts';

/** What a score is made of; each part has a setting for its points. */
export const RISK_PARTS = [
  'SHARED_ACCOUNT',
  'SHARED_DEVICE',
  'SHARED_ADDRESS',
  'UNPLAYED',
  'SLIPS_REFUSED',
  'PAID_TWICE',
  'INVITER_RING',
  'BONUS_HOPPING',
  'SUDDEN_STAKES',
  'MANY_NETWORKS',
  'UNUSUAL_AMOUNT',
] as const;
export type RiskPartCode = (typeof RISK_PARTS)[number];

/** Why a withdrawal waits for an operator, or for a new bank account's cooling-off period (COOLING). */
export const REVIEW_REASONS = [
  'SCORE',
  'HELD',
  'UNPLAYED',
  'UNPLAYED_UNKNOWN',
  'UNVERIFIED',
  'AMOUNT',
  'DAY',
  'COOLING',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** What the thresholds make of a score: nothing, a review, or a review that one operator alone cannot approve. */
export const RISK_OUTCOMES = ['pass', 'review', 'held'] as const;

export const RiskScore = Type.Integer({ minimum: 0, maximum: 100 });

export const RiskPart = Closed({
  code: OneOf(RISK_PARTS),
  points: Type.Integer(),
  count: Nullable(
    Type.Integer({
      description: 'Members, slips, bonuses or networks; days or withdrawals compared with.',
    }),
  ),
  amount: Nullable(Money),
  usual: Nullable(Type.Number({ description: "The amount the member's own history leads one to expect." })),
  members: Type.Array(MemberRef, { description: 'The other members it is about, at most twenty.' }),
  withdrawal: Nullable(Type.String({ description: 'The withdrawal it is about.' })),
  transfer: Nullable(Type.String({ description: 'The game transfer it is about.' })),
});

export const Risk = Closed({ score: RiskScore, parts: Type.Array(RiskPart) });

export const Assessment = Closed({
  score: RiskScore,
  parts: Type.Array(RiskPart),
  reasons: Type.Array(OneOf(REVIEW_REASONS), {
    description: 'Why it waits; without one but COOLING it was sent to the bank automatically.',
  }),
  reviewScore: Type.Integer({ description: 'The settings that decided then.' }),
  holdScore: Type.Integer(),
  automaticMax: Money,
  automaticDayMax: Money,
  dayTotal: Type.Number({ description: 'Paid to the member automatically in the 24 hours before.' }),
});

/** How the settings of the score sort the withdrawals of a period. */
const TrialCounts = Closed({ review: Type.Integer(), held: Type.Integer(), alerts: Type.Integer() });

export const tryRiskSettings = operatorCall({
  method: 'POST',
  path: '/api/operator/risk/trial',
  permission: 'risk.manage',
  summary:
    "What other settings of the score would have decided about the last 30 days' withdrawals, by what was known when each was requested; changes nothing",
  body: Closed({
    values: Type.Record(Text(60), Type.Unknown(), {
      additionalProperties: false,
      description: 'Settings whose key begins with risk., each with the value to try.',
    }),
  }),
  reply: Closed({
    from: Timestamp,
    assessed: Type.Integer({ description: 'Withdrawals with a score.' }),
    unassessed: Type.Integer({
      description: 'Withdrawals of an earlier release, or sent again: they have none.',
    }),
    now: TrialCounts,
    tried: TrialCounts,
    withdrawals: Type.Array(
      Closed({
        id: Type.String(),
        member: MemberRef,
        amount: Money,
        currency: Currency,
        createdAt: Timestamp,
        scoreNow: RiskScore,
        scoreTried: RiskScore,
        outcomeNow: OneOf(RISK_OUTCOMES),
        outcomeTried: OneOf(RISK_OUTCOMES),
      }),
      {
        description:
          'Those the tried settings decide otherwise, then those they stop as before; at most 100.',
      },
    ),
  }),
  refusals: ['INVALID_REQUEST'],
});

export const changeRiskSetting = operatorCall({
  method: 'PUT',
  path: '/api/operator/risk-settings/{key}',
  permission: 'risk.manage',
  summary: 'Request a change of a setting of the score, as changing a setting does; NO_DATA for any other',
  params: Closed({ key: Text(60, 1) }),
  body: Closed({ value: Type.Unknown(), version: Type.Integer(), reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED', 'APPROVAL_PENDING'],
});
