import type { Reply } from '../../platform/api.ts';

/** One member as his page shows him. */
export type Member = Reply<'GET /api/operator/members/{id}'>;
/** His numbers in full, once they were asked for. */
export type Revealed = Reply<'POST /api/operator/members/{id}/reveal'>;
