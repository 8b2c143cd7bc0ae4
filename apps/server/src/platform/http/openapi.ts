import swagger from '@fastify/swagger';
import type { CallDeclaration } from '@krapao/contract/shared';
import { APP_VERSION, ERROR_CODES, OPERATOR_CODES, refusalsOf } from '@krapao/contract/shared';
import type { FastifyInstance } from 'fastify';
import { curlOf } from './examples.ts';

/** Whose calls a document describes, and how they prove who they are. */
const READERS = {
  member: {
    title: 'Krapao member API',
    scheme: { type: 'http', scheme: 'bearer' },
    keyScheme: null,
    codes: ERROR_CODES as readonly string[],
    tagAt: 2,
  },
  operator: {
    title: "Krapao operators' API",
    scheme: { type: 'apiKey', in: 'cookie', name: 'operator-session' },
    /** Opens the calls that need a permission. */
    keyScheme: { type: 'http', scheme: 'bearer', description: 'An API key, `kop_…`.' },
    codes: [...ERROR_CODES, ...OPERATOR_CODES] as readonly string[],
    tagAt: 3,
  },
} as const;

/** A form with a file, as the document shows it. */
const formOf = (parts: NonNullable<CallDeclaration['multipart']>) => ({
  consumes: ['multipart/form-data'],
  body: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(parts).map(([name, { description, isFile }]) => [
        name,
        { type: 'string', description, ...(isFile ? { format: 'binary' } : {}) },
      ]),
    ),
    required: Object.keys(parts).filter((name) => parts[name]!.isFile),
  },
});

/** The OpenAPI document of the calls that follow, served at /docs. */
export async function documentCalls(
  app: FastifyInstance,
  reader: keyof typeof READERS = 'member',
): Promise<void> {
  const { title, scheme, keyScheme, codes, tagAt } = READERS[reader];
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: APP_VERSION,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: { [reader]: scheme, ...(keyScheme && { key: keyScheme }) },
        schemas: {
          Refusal: {
            type: 'object',
            required: ['message'],
            properties: {
              message: { type: 'string', enum: [...codes] },
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
      const refusals = refusalsOf(call);
      const refusal = {
        description: `Refused: ${refusals.join(', ')}`,
        content: {
          'application/json': {
            schema: {
              allOf: [{ $ref: '#/components/schemas/Refusal' }],
              properties: { message: { enum: refusals } },
            },
          },
        },
      };
      return {
        url,
        schema: {
          ...schema,
          ...(call.multipart ? formOf(call.multipart) : {}),
          operationId: `${method}${url.replace(/[^A-Za-z0-9]+(\w)?/g, (_match, letter: string | undefined) => letter?.toUpperCase() ?? '')}`,
          tags: [url.split('/')[tagAt] ?? 'api'],
          security:
            call.access === 'public'
              ? []
              : [{ [reader]: [] }, ...(keyScheme && call.permission ? [{ key: [] }] : [])],
          ...(keyScheme && { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(call) }] }),
          response: { ...(schema.response as object), '4XX': refusal },
        } as never,
      };
    },
  });
  app.get('/docs', { schema: { hide: true } as never }, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(app.swagger())),
  );
}
