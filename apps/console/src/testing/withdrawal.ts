import type { OperatorApi } from '@krapao/contract/operator';
import { MEMBER } from './console-app.tsx';

type Row = OperatorApi['GET /api/operator/withdrawals']['reply']['withdrawals'][number];
type Detail = OperatorApi['GET /api/operator/withdrawals/{id}']['reply'];

/** When everything of these fixtures happened. */
export const AT = '2026-11-23T06:00:00.000Z';
export const WITHDRAWAL_ROW: Row = {
  id: 'WD1',
  member: MEMBER,
  amount: 2500,
  currency: 'BAHT',
  status: 'REVIEW',
  automatic: false,
  account: {
    bankCode: 'KBANK',
    bankName: 'กสิกรไทย',
    bankNameEn: 'Kasikornbank',
    bankColor: null,
    accountNo: 'xxx-x-x7890',
    accountName: 'SOMCHAI JAIDEE',
  },
  createdAt: AT,
  updatedAt: AT,
  heldUntil: null,
  unplayed: null,
  risk: { score: 0, outcome: 'pass' },
  returnedAt: null,
  assignment: null,
  approval: null,
  decision: null,
  decidedBy: null,
};
/** A part of a score without figures. */
export const PART = { count: null, amount: null, usual: null, members: [], withdrawal: null, transfer: null };
/** The assessment of an ordinary withdrawal. */
export const NOTHING_FOUND: NonNullable<Detail['assessment']> = {
  score: 0,
  parts: [],
  reasons: [],
  reviewScore: 30,
  holdScore: 70,
  automaticMax: 2000,
  automaticDayMax: 10_000,
  dayTotal: 0,
};
export const WITHDRAWAL: Detail = {
  ...WITHDRAWAL_ROW,
  assessment: { ...NOTHING_FOUND, reasons: ['AMOUNT'] },
  riskNow: { score: 0, parts: [] },
  flags: [],
  recent: [],
  notes: [],
  conversation: null,
  reason: null,
  proof: null,
  retryOf: null,
  retriedBy: null,
  resendTo: null,
  returnCandidates: [],
  needsChecker: false,
  memberSince: AT,
  paidBefore: 3,
  depositedSince: 1000,
  gameResultSince: -200,
  balanceAfter: 0,
  nameMatches: true,
  payout: null,
  history: [],
};
