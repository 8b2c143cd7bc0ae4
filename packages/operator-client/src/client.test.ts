import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as contract from '@krapao/contract/operator';
import type { CallDeclaration } from '@krapao/contract/shared';
import { afterEach, describe, expect, test } from 'vitest';
import { createOperatorClient, OperatorApiError, OperatorOutcomeUnknown } from './index.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A client in front of a real server that responds as configured. */
async function clientOf(listener: RequestListener) {
  server = createServer(listener);
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return createOperatorClient({ url: `http://127.0.0.1:${port}`, key: 'kop_1' });
}

const responding = (status: number, type: string, body: string | Uint8Array) =>
  clientOf((_, reply) => {
    reply.writeHead(status, { 'content-type': type });
    reply.end(body);
  });

const JSON_TYPE = 'application/json; charset=utf-8';
const XLSX = contract.exports.EXPORT_TYPES.xlsx;
const errorOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

test('a call carries its parameters, its body and the key, and resolves to the reply', async () => {
  const operators = await clientOf((request, reply) => {
    reply.setHeader('content-type', JSON_TYPE);
    reply.end(JSON.stringify([request.method, request.url, request.headers.authorization]));
  });
  expect(await operators('GET /api/operator/members/{id}', { params: { id: 'a/b' } })).toEqual([
    'GET',
    '/api/operator/members/a%2Fb',
    'Bearer kop_1',
  ]);
});

describe('an error', () => {
  test('is a refusal when the server names its code', async () => {
    const operators = await responding(429, JSON_TYPE, '{"message":"REQUEST_LIMIT","data":{"seconds":7}}');
    const error = await errorOf(operators('GET /api/operator/deposits'));
    expect(error).toBeInstanceOf(OperatorApiError);
    expect(error).toMatchObject({ code: 'REQUEST_LIMIT', status: 429, data: { seconds: 7 } });
  });

  test.each([
    [
      'a fault of the server',
      500,
      JSON_TYPE,
      '{"message":"INTERNAL_SERVER_ERROR","data":{"requestId":"r-1"}}',
    ],
    ['a server whose database is away', 503, JSON_TYPE, '{"message":"INTERNAL_SERVER_ERROR"}'],
    ['a proxy without the server', 502, 'text/html', '<html>bad gateway</html>'],
    ['a proxy that waited in vain', 504, 'text/html', ''],
    ['a refusal of a proxy', 403, 'text/html', '<html>forbidden</html>'],
    ['a refusal of another form', 400, JSON_TYPE, '{"error":"bad request"}'],
    ['the JSON null', 400, JSON_TYPE, 'null'],
    ['a success that is cut short', 200, JSON_TYPE, '{"deposits":['],
    ['a page instead of the reply', 200, 'text/html', '<html>log in</html>'],
  ])('is an unknown outcome after %s (%i)', async (_what, status, type, body) => {
    const operators = await responding(status, type, body);
    const error = await errorOf(operators('GET /api/operator/deposits'));
    expect(error).toBeInstanceOf(OperatorOutcomeUnknown);
    expect(error).toMatchObject({ status });
  });

  test('is an unknown outcome when the connection is lost, with its cause', async () => {
    const operators = await clientOf((request) => request.socket.destroy());
    const error = await errorOf(operators('GET /api/operator/deposits'));
    expect(error).toBeInstanceOf(OperatorOutcomeUnknown);
    expect(error).toMatchObject({ status: null, cause: expect.any(TypeError) });
  });

  test('of an unknown outcome carries what the server says of its fault', async () => {
    const operators = await responding(500, JSON_TYPE, '{"message":"X","data":{"requestId":"r-1"}}');
    expect(await errorOf(operators('GET /api/operator/deposits'))).toMatchObject({
      data: { requestId: 'r-1' },
    });
  });
});

describe('an export', () => {
  const params = { format: 'xlsx' } as const;

  test('is returned byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const operators = await responding(200, XLSX, bytes);
    const file = await operators('GET /api/operator/export/deposits.{format}', { params });
    expect([...file]).toEqual([...bytes]);
  });

  test.each(['text/html', JSON_TYPE])('is an unknown outcome when %s comes instead of it', async (type) => {
    const operators = await responding(200, type, '{}');
    const error = await errorOf(operators('GET /api/operator/export/deposits.{format}', { params }));
    expect(error).toBeInstanceOf(OperatorOutcomeUnknown);
  });

  test('is every call that the contract declares to return a file, and no other', () => {
    const declared = Object.values(contract)
      .flatMap((group) => Object.values(group) as unknown[])
      .filter((one): one is CallDeclaration => typeof one === 'object' && one !== null && 'path' in one);
    expect(declared.length).toBeGreaterThan(100);
    for (const { path, files } of declared)
      expect([path, path.startsWith('/api/operator/export/')]).toEqual([path, files !== undefined]);
  });

  test('carries bytes of each type that the contract declares', async () => {
    for (const type of Object.values(contract.exports.EXPORT_TYPES)) {
      const operators = await responding(200, type, 'a');
      expect(await operators('GET /api/operator/export/deposits.{format}', { params })).toEqual(
        new Uint8Array([97]),
      );
      server?.close();
    }
  });
});

test('the types leave out the calls that take a file as a form', async () => {
  const operators = await responding(200, JSON_TYPE, '{}');
  // @ts-expect-error A form cannot be sent as JSON.
  await operators('POST /api/operator/chat-file');
  await operators('GET /api/operator/deposits');
});
