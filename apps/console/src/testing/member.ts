import type { OperatorApi } from '@krapao/contract/operator';
import { MEMBER } from './console-app.tsx';

/** A member as their page shows them. */
export const MEMBER_DETAIL: OperatorApi['GET /api/operator/members/{id}']['reply'] = {
  ...MEMBER,
  phone: '081•••5678',
  status: 'ACTIVE',
  currency: 'BAHT',
  source: 'friend',
  createdAt: '2026-11-01T06:00:00.000Z',
  wallet: 1000,
  account: null,
  tags: [],
  sourceNames: { th: 'เพื่อน', la: 'ໝູ່', en: 'A friend' },
  coins: 0,
  held: 0,
  inGames: 0,
  total: 1000,
  inviter: null,
  invited: 0,
  unknownInviteCode: null,
  exclusion: null,
  limits: [],
  flags: [],
  risk: { score: 0, parts: [] },
  hasPin: false,
  ageConfirmed: null,
  games: [],
  sessions: [],
  notes: [],
};

/** The identity check of a member of whom none was requested. */
export const NO_CHECK: OperatorApi['GET /api/operator/members/{id}/kyc']['reply'] = {
  state: null,
  round: 0,
  wanted: [],
  refusal: null,
  requestedBy: null,
  requestedAt: null,
  submittedAt: null,
  decidedBy: null,
  decidedAt: null,
  documents: [],
};
