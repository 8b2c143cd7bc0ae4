export { listEndpoints, lockEndpoint } from './endpoint-queries.ts';
export { rotateEndpointSecret, setEndpointState, skipRest } from './endpoints.ts';
export { lockWebhooks, REPLAY_MAX, replayDeliveries } from './queue-queries.ts';
