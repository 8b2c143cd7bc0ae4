import { OUTSIDE_CALLS, type OutsideCall } from '@krapao/contract/outside';
import { APP_VERSION } from '@krapao/contract/shared';
import type { FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';

const media = (schema: TSchema, form?: true) => ({
  [form ? 'application/x-www-form-urlencoded' : 'application/json']: { schema },
});

const parameter = (name: string, where: 'path' | 'query', schema: TSchema, required: boolean) => ({
  name,
  in: where,
  required,
  schema,
});

function parametersOf(call: OutsideCall) {
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) =>
    parameter(match[1]!, 'path', { type: 'string' } as TSchema, true),
  );
  const { properties = {}, required = [] } = (call.query ?? {}) as Partial<TObject>;
  const inQuery = Object.entries(properties).map(([name, schema]) =>
    parameter(name, 'query', schema, (required as string[]).includes(name)),
  );
  return [...inPath, ...inQuery];
}

const operationOf = (call: OutsideCall) => ({
  operationId: `${call.dialect}-${call.name}`,
  summary: call.summary,
  description: `${call.by === 'product' ? `Below the partner's address: ${call.path}. ` : ''}Proved by: ${call.proof}`,
  tags: [call.dialect],
  security: [],
  parameters: parametersOf(call),
  ...(call.body ? { requestBody: { required: true, content: media(call.body, call.form) } } : {}),
  responses: {
    200: { description: 'Done', content: media(call.reply) },
    '4XX': { description: 'A definite no', content: media(call.refusal) },
  },
});

const itemsOf = (by: OutsideCall['by'], nameOf: (call: OutsideCall) => string) =>
  Object.fromEntries(
    OUTSIDE_CALLS.filter((call) => call.by === by).map((call) => [
      nameOf(call),
      { [call.method.toLowerCase()]: operationOf(call) },
    ]),
  );

/**
 * Builds the OpenAPI document of the partner adapters: `paths` are calls that partners make to the product,
 * `webhooks` those that the product makes to partners.
 */
export const adaptersDocument = () => ({
  openapi: '3.1.0',
  info: {
    title: 'Krapao adapters',
    version: APP_VERSION,
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  paths: itemsOf('partner', (call) => call.path),
  webhooks: itemsOf('product', (call) => `${call.dialect}${call.path}`),
});

/** Serves the adapters' document at /docs/adapters. */
export function documentAdapters(app: FastifyInstance): void {
  app.get('/docs/adapters', { schema: { hide: true } as never }, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(adaptersDocument())),
  );
}
