import { type CallDeclaration, refusalsOf } from '@krapao/contract/shared';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import type { Refuse } from '../refusal.ts';
import { callDeclarer } from './declare.ts';
import { createHttpServer } from './server.ts';

const { Object: Shape, String: Text } = Type;
const open = {
  method: 'GET',
  path: '/api/thing/{name}',
  access: 'public',
  summary: 'Refuses with the code in its body',
  params: Shape({ name: Text() }),
  reply: Shape({}),
  refusals: ['NO_DATA'],
} as const satisfies CallDeclaration;
const keyed = {
  method: 'POST',
  path: '/api/keyed',
  access: 'member',
  summary: 'A money call',
  idempotent: true,
  reply: Shape({}),
  refusals: ['MONEY_NOT_ENOUGH'],
} as const satisfies CallDeclaration;

/** A server, and how it declares calls. */
async function serve(nodeEnv: string) {
  const config = readConfig({ NODE_ENV: nodeEnv, SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' });
  const app = await createHttpServer(config);
  const declare = callDeclarer(app, {
    sessions: {
      member: () => Promise.reject(new Error('no member')),
      refusal: async () => null,
      expired: async () => [],
    },
    settings: { get: (() => false) as never },
    security: { identify: () => undefined },
    isBlocked: () => false,
  });
  return { app, declare };
}
const { app, declare } = await serve('test');
/** A helper that needs a code which `open` does not declare. */
function spend(refuse: Refuse<'MONEY_NOT_ENOUGH'>): never {
  throw refuse('MONEY_NOT_ENOUGH');
}
declare(open, ({ params, refuse }) => {
  if (params.name === 'missing') throw refuse('NO_DATA');
  if (params.name === 'malformed') throw refuse('INVALID_REQUEST');
  // @ts-expect-error: a code that the call does not declare
  if (params.name === 'undeclared') throw refuse('NO_BANK');
  // @ts-expect-error: a helper may refuse with more than the call declares
  return spend(refuse);
});
declare(keyed, ({ refuse }) => {
  refuse('IDEMPOTENCY_CONFLICT');
  refuse('INVALID_USER_2');
  return spend(refuse);
});

test.each([
  ['missing', 404, 'NO_DATA'],
  ['malformed', 400, 'INVALID_REQUEST'],
])('a declared or common code is answered: %s', async (name, status, message) => {
  const reply = await app.inject({ method: 'GET', url: `/api/thing/${name}` });
  expect([reply.statusCode, reply.json()]).toEqual([status, { message }]);
});

test.each(['undeclared', 'other'])('in tests an undeclared code is a fault: %s', async (name) => {
  const reply = await app.inject({ method: 'GET', url: `/api/thing/${name}` });
  expect([reply.statusCode, reply.json().message]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
});

test('elsewhere an undeclared code is answered as it is', async () => {
  const { app: other, declare: declareThere } = await serve('development');
  declareThere(open, ({ refuse }) => {
    // @ts-expect-error: a helper may refuse with more than the call declares
    return spend(refuse);
  });
  const reply = await other.inject({ method: 'GET', url: '/api/thing/other' });
  expect([reply.statusCode, reply.json()]).toEqual([400, { message: 'MONEY_NOT_ENOUGH' }]);
});

test('what a declaration implies is listed once, after its own codes', () => {
  expect(refusalsOf(keyed)).toEqual([
    'MONEY_NOT_ENOUGH',
    'IDEMPOTENCY_CONFLICT',
    'PROVIDER_UNAVAILABLE',
    'invalid-token',
    'INVALID_USER_1',
    'INVALID_USER_2',
    'INVALID_USER_3',
    'INVALID_USER_4',
    'INACTIVE_USER',
    'INVALID_IP',
    'KEY_MISSING',
    'KEY_INVALID',
    'gone',
    'INVALID_REQUEST',
    'REQUEST_LIMIT',
    'INTERNAL_SERVER_ERROR',
  ]);
});
