import type { Reply } from '../../platform/api.ts';

/** One member as their page shows them. */
export type Member = Reply<'GET /api/operator/members/{id}'>;
/** Their numbers in full, once requested. */
export type Revealed = Reply<'POST /api/operator/members/{id}/reveal'>;
