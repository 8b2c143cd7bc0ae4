import type { MemberApi } from '@krapao/contract/member';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api.ts';

export type Session = MemberApi['GET /api/account/sessions']['reply']['sessions'][number];

/** Where the member is logged in, this device first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => api('GET /api/account/sessions'),
});
