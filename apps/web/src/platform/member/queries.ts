import { HOUR_MS } from '@krapao/contract/durations';
import type { MemberApi } from '@krapao/contract/member';
import { ApiError } from '@krapao/ui/api/api-error.ts';
import { LiveQueryClient } from '@krapao/ui/api/live-query-client.ts';
import { type DataTag, type Query, type QueryKey, queryOptions, type Updater } from '@tanstack/react-query';
import { api } from '../api.ts';
import { onSessionEnd, sessionToken } from '../session.ts';
import { isUnanswered } from '../unanswered.ts';
import { takeEarlyWallet } from './early.ts';
import { newerWallet } from './wallet-merge.ts';

/** Repeats a failed request once, unless the server refused it, or it timed out: its minute would become two. */
const mayRefetch = (failed: number, error: Error): boolean =>
  failed < 1 &&
  (!(error instanceof ApiError) ||
    (isUnanswered(error) && (error.data.cause as Error | undefined)?.name !== 'TimeoutError'));

/**
 * What the member's screens share. A figure counts as fresh for 15 s; the live socket usually is faster. Without a
 * network questions fail at once instead of waiting, so that screens say so.
 */
export const queryClient = new LiveQueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: mayRefetch, networkMode: 'always', refetchOnReconnect: true },
  },
});
onSessionEnd(() => queryClient.clear());

/**
 * Replaces the cached value by the response to a change. A query in flight then may have been answered
 * before the change: it is sent again.
 */
export function takeResponse<T>(
  queryKey: DataTag<QueryKey, T, Error>,
  response: Updater<T | undefined, T | undefined>,
) {
  queryClient.setQueryData<T>(queryKey, response);
  const filters = { queryKey, exact: true };
  if (queryClient.isFetching(filters) > 0) queryClient.invalidateQueries({ ...filters, refetchType: 'all' });
}

/** First words of the keys whose answers the server words in the reader's language. */
const WORDED = new Set<unknown>([
  'banks',
  'banners',
  'bonus',
  'lookup',
  'notifications',
  'statement',
  'wallet',
  'wheel',
]);

/**
 * Reads all texts of the server again: at once for what is on the screen, the rest at its next use. A first
 * response in flight is in the former language; invalidating alone would accept it.
 */
export async function requestPersistence(): Promise<void> {
  const isWorded = ({ queryKey: [first] }: Query) => WORDED.has(first);
  await queryClient.cancelQueries({
    predicate: (query) => isWorded(query) && query.state.data === undefined,
  });
  await queryClient.invalidateQueries({ predicate: isWorded });
}

/** The wallet. A failed question leaves what was known, with its age in `dataUpdatedAt`. */
export const walletQuery = queryOptions({
  queryKey: ['wallet'],
  queryFn: async () => {
    const reply = await api('GET /api/wallet', { requested: takeEarlyWallet(sessionToken()) });
    return newerWallet(queryClient.getQueryData(['wallet']), reply);
  },
});
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: () => api('GET /api/account/profile'),
});
/** The identity check of the member. */
export const kycQuery = queryOptions({
  queryKey: ['kyc'],
  queryFn: () => api('GET /api/account/kyc'),
});
export const banksQuery = queryOptions({
  queryKey: ['banks'],
  queryFn: () => api('GET /api/lookup/banks'),
  staleTime: HOUR_MS,
});
export const depositQuery = queryOptions({
  queryKey: ['lookup', 'deposit'],
  queryFn: () => api('GET /api/lookup/deposit'),
});
export const withdrawQuery = queryOptions({
  queryKey: ['lookup', 'withdraw'],
  queryFn: () => api('GET /api/lookup/withdraw'),
  // A withdrawal begins and ends without a change of what it says otherwise.
  staleTime: 0,
});
export const conditionsQuery = queryOptions({
  queryKey: ['lookup', 'conditions'],
  queryFn: () => api('GET /api/lookup/conditions'),
});
/** The agreements, read once their revision was known: never the text of an earlier one. */
export const agreementsQuery = (revision: number | null) =>
  queryOptions({
    queryKey: ['lookup', 'agreements', revision],
    queryFn: () => api('GET /api/lookup/agreements'),
  });
/** News and banners of the home screen. It waits for them before it is drawn, so it reads once. */
export const homeBannersQuery = queryOptions({
  queryKey: ['banners', 'home'],
  queryFn: () => api('GET /api/home/banners'),
  retry: false,
});
export const bannersQuery = (place: 'invite' | 'refund') =>
  queryOptions({
    queryKey: ['banners', place],
    queryFn: () => api(`GET /api/${place}/banners`),
    retry: false,
  });
export const spinActiveQuery = queryOptions({
  queryKey: ['spinwheel', 'active'],
  queryFn: () => api('GET /api/spinwheel/active'),
});
export const activeBonusQuery = queryOptions({
  queryKey: ['bonus', 'active'],
  queryFn: () => api('GET /api/bonus/check/active'),
  // Play moves it without a word to this page.
  staleTime: 0,
});
export const limitsQuery = queryOptions({ queryKey: ['limits'], queryFn: () => api('GET /api/limits') });
export const qrQuery = (bankCode: string) =>
  queryOptions({
    queryKey: ['qrcode', bankCode],
    queryFn: async () => ({
      ...(await api('GET /api/qrcode/{bankCode}', { params: { bankCode } })),
      takenAt: Date.now(),
    }),
    staleTime: 0,
  });
export const slotAccountQuery = (slotCode: string) =>
  queryOptions({
    queryKey: ['slot-account', slotCode],
    queryFn: () => api('GET /api/wallet/account/{slotCode}', { params: { slotCode } }),
  });

export const STATEMENT_LIMIT = 10;
/** Which rows of the statement; none of the fields means all. */
type StatementFilter = Omit<MemberApi['POST /api/statement']['body'], 'page' | 'limit'>;
export const statementQuery = (page: number, filter: StatementFilter = {}) =>
  queryOptions({
    queryKey: ['statement', page, filter],
    queryFn: () => api('POST /api/statement', { body: { page, limit: STATEMENT_LIMIT, ...filter } }),
  });

/** One row by its id. */
export const statementRowQuery = (id: string) =>
  queryOptions({
    queryKey: ['statement', 'row', id],
    queryFn: () => api('POST /api/statement', { body: { page: 1, limit: 1, id } }),
  });

export const slipLookupQuery = queryOptions({
  queryKey: ['lookup', 'slip'],
  queryFn: () => api('GET /api/lookup/slip'),
});
export const SLIP_LIMIT = 10;
/** Under the statement's key: whatever changes the statement may have decided a slip. */
export const slipsQuery = (page: number) =>
  queryOptions({
    queryKey: ['statement', 'slips', page],
    queryFn: () => api('POST /api/statement/slip', { body: { page, limit: SLIP_LIMIT } }),
  });
