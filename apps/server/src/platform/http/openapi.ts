import swagger from '@fastify/swagger';
import type { CallDeclaration } from '@krapao/contract/shared';
import { APP_VERSION, ERROR_CODES } from '@krapao/contract/shared';
import type { FastifyInstance } from 'fastify';

/** The OpenAPI document of the calls that follow, served at /docs. */
export async function documentCalls(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Krapao member API',
        version: APP_VERSION,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: { member: { type: 'http', scheme: 'bearer' } },
        schemas: {
          Refusal: {
            type: 'object',
            required: ['message'],
            properties: {
              message: { type: 'string', enum: [...ERROR_CODES] },
              data: { type: 'object', additionalProperties: true },
            },
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const call = (route.config as { call?: CallDeclaration } | undefined)?.call;
      if (!call) return { schema: { ...schema, hide: true }, url };
      const method = String(route.method).toLowerCase();
      const refusal = {
        description: `Refused: ${(call.refusals ?? []).join(', ') || 'see Refusal'}`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      };
      return {
        url,
        schema: {
          ...schema,
          operationId: `${method}${url.replace(/[^A-Za-z0-9]+(\w)?/g, (_match, letter: string | undefined) => letter?.toUpperCase() ?? '')}`,
          tags: [url.split('/')[2] ?? 'api'],
          security: call.access === 'member' ? [{ member: [] }] : [],
          response: { ...(schema.response as object), '4XX': refusal },
        } as never,
      };
    },
  });
  app.get('/docs', { schema: { hide: true } as never }, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(app.swagger())),
  );
}
