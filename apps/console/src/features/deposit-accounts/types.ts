import type { Reply } from '../../platform/api.ts';

export type Channel = Reply<'GET /api/operator/deposit-accounts'>['channels'][number];
