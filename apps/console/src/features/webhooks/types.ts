import type { Reply } from '../../platform/api.ts';

export type Endpoint = Reply<'GET /api/operator/webhooks'>['webhooks'][number];
export type Delivery = Reply<'GET /api/operator/webhooks/{id}/deliveries'>['deliveries'][number];
