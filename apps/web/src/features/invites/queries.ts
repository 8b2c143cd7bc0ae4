import { queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api.ts';

export const INVITE_LIMIT = 10;

export const invitesQuery = (page: number) =>
  queryOptions({
    queryKey: ['invites', page],
    queryFn: () => api('POST /api/invite', { body: { page, limit: INVITE_LIMIT } }),
  });
