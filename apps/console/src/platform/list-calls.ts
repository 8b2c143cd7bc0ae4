import { api, type Query } from './api.ts';
import { timesOfDays } from './days.ts';
import { counted } from './list-call.ts';
import { ANY } from './use-list.ts';

type Withdrawals = Query<'GET /api/operator/withdrawals'>;

/** All states, for lists whose server sends those that wait where none is named. */
export const UNMATCHED_STATES = ['UNMATCHED', 'CREDITED', 'RETURNED'] as const;
export const REPORT_STATES = ['PENDING', 'SUCCESS', 'FAILED'] as const;

const stateOf = (state: string, states: readonly string[]): string =>
  state === ANY ? states.join(',') : state || states[0]!;

/** A day in the address as the times of the payment. */
function paidTimesOf(day: string): Pick<Withdrawals, 'paidFrom' | 'paidTo'> {
  const { from, to } = timesOfDays(day, day);
  return { ...(from && { paidFrom: from }), ...(to && { paidTo: to }) };
}

/** The lists that can be stored as views: how each is read from the address of its page, and counted. */
export const LIST_CALLS = {
  withdrawals: counted({
    queryKey: ['withdrawals'],
    read: (query: Withdrawals) => api('GET /api/operator/withdrawals', { query }),
    filters: ['assigned', 'assignee', 'bank', 'risk', 'olderMinutes', 'amountMin', 'amountMax', 'q'],
    hasDays: true,
    valuesOf(get) {
      const status = get('status') || 'REVIEW';
      const sort = get('sort') || (status === 'REVIEW' ? 'createdAt' : '-createdAt');
      return {
        status: status === ANY ? undefined : status,
        sort: sort as NonNullable<Withdrawals['sort']>,
        ...paidTimesOf(get('paid')),
      };
    },
  }),
  deposits: counted({
    queryKey: ['deposits'],
    read: (query: Query<'GET /api/operator/deposits'>) => api('GET /api/operator/deposits', { query }),
    filters: ['q', 'channel', 'otherAccount', 'amountMin', 'amountMax'],
    hasDays: true,
  }),
  unmatched: counted({
    queryKey: ['unmatched'],
    read: (query: Query<'GET /api/operator/unmatched'>) => api('GET /api/operator/unmatched', { query }),
    filters: ['q', 'bank'],
    valuesOf: (get) => ({ state: stateOf(get('state'), UNMATCHED_STATES) }),
  }),
  reports: counted({
    queryKey: ['reports'],
    read: (query: Query<'GET /api/operator/reports'>) => api('GET /api/operator/reports', { query }),
    filters: ['q'],
    hasDays: true,
    valuesOf: (get) => ({ state: stateOf(get('state'), REPORT_STATES) }),
  }),
  doubts: counted({
    queryKey: ['doubts'],
    read: (query: Query<'GET /api/operator/doubts'>) => api('GET /api/operator/doubts', { query }),
  }),
  slips: counted({
    queryKey: ['slips'],
    read: (query: Query<'GET /api/operator/slips'>) => api('GET /api/operator/slips', { query }),
    filters: ['q', 'status'],
  }),
  transfers: counted({
    queryKey: ['transfers'],
    read: (query: Query<'GET /api/operator/transfers'>) => api('GET /api/operator/transfers', { query }),
    filters: ['q', 'state', 'game', 'member'],
    hasDays: true,
  }),
  members: counted({
    queryKey: ['members'],
    read: (query: Query<'GET /api/operator/members'>) => api('GET /api/operator/members', { query }),
    filters: ['q', 'status', 'source', 'tag', 'bank', 'kyc'],
    hasDays: true,
  }),
  differences: counted({
    queryKey: ['reconciliation', 'differences'],
    read: (query: Query<'GET /api/operator/reconciliation/differences'>) =>
      api('GET /api/operator/reconciliation/differences', { query }),
    filters: ['day', 'source', 'kind', 'state'],
  }),
  coupons: counted({
    queryKey: ['coupons', 'list'],
    read: (query: Query<'GET /api/operator/coupons'>) => api('GET /api/operator/coupons', { query }),
    filters: ['member', 'prize', 'batch', 'kind', 'state'],
  }),
  approvals: counted({
    queryKey: ['approvals'],
    read: (query: Query<'GET /api/operator/approvals'>) => api('GET /api/operator/approvals', { query }),
    filters: ['whose', 'action', 'amountMin', 'amountMax'],
    valuesOf(get) {
      const state = get('state') || 'PENDING';
      return { state: state === ANY ? undefined : state };
    },
  }),
  audit: counted({
    queryKey: ['audit'],
    read: (query: Query<'GET /api/operator/audit'>) => api('GET /api/operator/audit', { query }),
    filters: ['action', 'subject'],
    hasDays: true,
    valuesOf: (get) => ({ actor: get('q') || undefined }),
  }),
};
