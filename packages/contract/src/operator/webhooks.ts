/** Endpoints of other systems that receive events, and the deliveries to them. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import { counted, cursorPage } from './cursor.ts';
import {
  between,
  Closed,
  Currency,
  Done,
  Id,
  Moment,
  Nullable,
  OneOf,
  Reason,
  SeveralOf,
  SeveralTexts,
  Text,
  Timestamp,
} from './schemas.ts';
import { WEBHOOK_EVENT_TYPES } from './webhook-events.ts';

export const DELIVERY_STATES = ['WAITING', 'DELIVERED', 'GIVEN_UP', 'SKIPPED'] as const;
const DeliveryState = OneOf(DELIVERY_STATES);

const EventType = OneOf(WEBHOOK_EVENT_TYPES);
const endpoint = {
  url: Text(500, 1),
  description: Text(120, 1),
  events: Type.Array(EventType, { minItems: 1, maxItems: WEBHOOK_EVENT_TYPES.length, uniqueItems: true }),
  currency: Nullable(Currency),
};

export const WebhookEndpoint = Closed(
  {
    id: Type.String(),
    ...endpoint,
    state: OneOf(['ENABLED', 'DISABLED'] as const),
    disabledReason: Nullable(
      Type.String({ description: 'FAILING or GONE: the server disabled it; else what an operator wrote.' }),
    ),
    failingSince: Nullable(Timestamp),
    succeededAt: Nullable(Timestamp),
    formerSecretUntil: Nullable(Timestamp),
    createdBy: Type.String(),
    createdAt: Timestamp,
    waiting: Type.Integer({ description: 'Deliveries that are still to be made.' }),
    oldestWaitingAt: Nullable(Timestamp),
  },
  { $id: 'WebhookEndpoint' },
);

const Secret = Type.String({ description: 'Signs deliveries; shown once.' });
const params = Closed({ id: Id });

export const listWebhooks = operatorCall({
  method: 'GET',
  path: '/api/operator/webhooks',
  permission: 'webhook.read',
  summary: 'All webhook endpoints with what waits for them',
  reply: Closed({ webhooks: Type.Array(WebhookEndpoint), events: Type.Array(EventType) }),
});

export const createWebhook = operatorCall({
  method: 'POST',
  path: '/api/operator/webhooks',
  permission: 'webhook.manage',
  summary: 'Add an endpoint; the reply carries its secret, which is not shown again',
  body: Closed({ ...endpoint, reason: Reason }),
  reply: Closed({ id: Type.String(), secret: Secret }),
  refusals: ['WEBHOOK_URL', 'TOO_MANY_WEBHOOKS'],
});

export const changeWebhook = operatorCall({
  method: 'PUT',
  path: '/api/operator/webhooks/{id}',
  permission: 'webhook.manage',
  summary:
    'Change address, description or filter of an endpoint, where it is still as `seen` if that is sent; what waits goes to the new address',
  params,
  body: Closed({
    ...endpoint,
    reason: Reason,
    seen: Type.Optional(Closed(endpoint)),
  }),
  reply: Done,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'WEBHOOK_URL'],
});

export const setWebhookState = operatorCall({
  method: 'POST',
  path: '/api/operator/webhooks/{id}/state',
  permission: 'webhook.manage',
  summary:
    'Disable an endpoint, or enable it again; what happens while it is disabled is skipped and can be replayed',
  params,
  body: Closed({ state: OneOf(['ENABLED', 'DISABLED'] as const), reason: Reason }),
  reply: Done,
  refusals: ['NO_DATA'],
});

export const rotateWebhookSecret = operatorCall({
  method: 'POST',
  path: '/api/operator/webhooks/{id}/secret',
  permission: 'webhook.manage',
  summary: 'Give an endpoint a new secret, shown once; for 24 hours the former one signs too',
  params,
  body: Closed({ reason: Reason }),
  reply: Closed({ secret: Secret, formerSecretUntil: Timestamp }),
  refusals: ['NO_DATA'],
});

export const testWebhook = operatorCall({
  method: 'POST',
  path: '/api/operator/webhooks/{id}/test',
  permission: 'webhook.manage',
  summary: 'Send an endpoint, also a disabled one, an event of type `webhook.test`, once',
  params,
  reply: Closed({ deliveryId: Type.String() }),
  refusals: ['NO_DATA'],
});

export const replayWebhook = operatorCall({
  method: 'POST',
  path: '/api/operator/webhooks/{id}/replay',
  permission: 'webhook.manage',
  summary:
    'Deliver again what happened in a time range, under the same ids and in order; 10,000 events at most',
  params,
  body: Closed({
    from: Moment,
    to: Moment,
    states: Type.Array(OneOf(['DELIVERED', 'GIVEN_UP', 'SKIPPED'] as const), {
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
    }),
    reason: Reason,
  }),
  reply: Closed({ replayed: Type.Integer() }),
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const removeWebhook = operatorCall({
  method: 'POST',
  path: '/api/operator/webhooks/{id}/remove',
  permission: 'webhook.manage',
  summary: 'Remove an endpoint with its deliveries',
  params,
  body: Closed({ reason: Reason }),
  reply: Done,
  refusals: ['NO_DATA'],
});

export const WebhookDelivery = Closed(
  {
    id: Type.String(),
    eventId: Type.String(),
    type: Type.String(),
    subject: Type.String(),
    state: DeliveryState,
    happenedAt: Timestamp,
    nextAt: Nullable(Timestamp),
    endedAt: Nullable(Timestamp),
    attempts: Type.Integer(),
    status: Nullable(Type.Integer({ description: 'HTTP status of the last attempt; null: no response.' })),
    failure: Nullable(Type.String()),
    latencyMs: Nullable(Type.Integer()),
  },
  { $id: 'WebhookDelivery' },
);

export const listWebhookDeliveries = operatorCall({
  method: 'GET',
  path: '/api/operator/webhooks/{id}/deliveries',
  permission: 'webhook.read',
  summary: 'What was and will be delivered to an endpoint, newest first',
  params,
  query: Closed({
    ...cursorPage,
    ...between,
    state: Type.Optional(SeveralOf(DELIVERY_STATES)),
    type: Type.Optional(SeveralTexts(40)),
  }),
  reply: Closed({ deliveries: Type.Array(WebhookDelivery), ...counted }),
  refusals: ['NO_DATA'],
});

export const readWebhookDelivery = operatorCall({
  method: 'GET',
  path: '/api/operator/webhook-deliveries/{id}',
  permission: 'webhook.read',
  summary: 'One delivery with its body and every attempt',
  params,
  reply: Closed({
    delivery: WebhookDelivery,
    body: Type.String(),
    attempts: Type.Array(
      Closed({
        at: Timestamp,
        status: Nullable(Type.Integer()),
        failure: Nullable(Type.String()),
        latencyMs: Type.Integer(),
        response: Type.String({ description: 'The first 512 bytes.' }),
      }),
    ),
  }),
  refusals: ['NO_DATA'],
});

export const replayWebhookDelivery = operatorCall({
  method: 'POST',
  path: '/api/operator/webhook-deliveries/{id}/replay',
  permission: 'webhook.manage',
  summary: 'Deliver one event again, under the same id',
  params,
  reply: Done,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});
