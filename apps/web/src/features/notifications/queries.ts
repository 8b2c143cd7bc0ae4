import type { MemberApi } from '@krapao/contract/member';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api.ts';

type ListReply = MemberApi['POST /api/notifications']['reply'];
export type Notification = ListReply['notifications'][number];
export type PushState = MemberApi['GET /api/push']['reply'];

export const NOTIFICATION_LIMIT = 20;

/** What happened to the member, newest first. */
export const notificationsQuery = (page: number) =>
  queryOptions({
    queryKey: ['notifications', page],
    queryFn: () => api('POST /api/notifications', { body: { page, limit: NOTIFICATION_LIMIT } }),
  });

/** What is brought to their browsers, and whether to this one. */
export const pushQuery = queryOptions({
  queryKey: ['push'],
  queryFn: () => api('GET /api/push'),
});
