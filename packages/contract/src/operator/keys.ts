/** API keys, with which a program calls the operator API in the place of the operator who made it. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import { PERMISSIONS } from './permissions.ts';
import { Closed, Done, Id, Nullable, OneOf, Reason, Text, Timestamp } from './schemas.ts';

export const OperatorKey = Closed(
  {
    id: Type.String(),
    name: Type.String(),
    permissions: Type.Array(OneOf(PERMISSIONS)),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    revokedAt: Nullable(Timestamp),
    lastUsedAt: Nullable(Timestamp),
    lastAddress: Nullable(Type.String()),
  },
  { $id: 'OperatorKey' },
);

const KeyName = Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,38}$', maxLength: 39 });

export const listKeys = operatorCall({
  method: 'GET',
  path: '/api/operator/keys',
  permission: null,
  summary: 'The own API keys, newest first, and what a new one may have',
  reply: Closed({ keys: Type.Array(OperatorKey), permissions: Type.Array(OneOf(PERMISSIONS)) }),
});

export const createKey = operatorCall({
  method: 'POST',
  path: '/api/operator/keys',
  permission: null,
  summary: 'Make an API key with some of the own permissions, none of those that need a person; shown once',
  body: Closed({
    name: KeyName,
    permissions: Type.Array(OneOf(PERMISSIONS), {
      minItems: 1,
      maxItems: PERMISSIONS.length,
      uniqueItems: true,
    }),
    days: Type.Integer({ minimum: 1, maximum: 365, description: 'Until it expires.' }),
    password: Text(200),
    code: Type.String({ pattern: '^\\d{6}$', maxLength: 6, description: 'Six digits of the second factor.' }),
  }),
  reply: Closed({
    id: Type.String(),
    key: Type.String({ description: 'Shown once.' }),
    expiresAt: Timestamp,
  }),
  refusals: ['UNAUTHORIZED', 'REQUEST_LIMIT', 'WRONG_CREDENTIAL', 'KEY_NAME_TAKEN', 'TOO_MANY_KEYS'],
});

export const revokeKey = operatorCall({
  method: 'DELETE',
  path: '/api/operator/keys/{id}',
  permission: null,
  summary: 'Revoke one of the own API keys, at once',
  params: Closed({ id: Id }),
  reply: Done,
  refusals: ['NO_DATA'],
});

export const revokeOperatorKeys = operatorCall({
  method: 'POST',
  path: '/api/operator/operators/{name}/keys/revoke',
  permission: 'operator.manage',
  summary: "Revoke all of an operator's API keys",
  params: Closed({ name: Text(60, 1) }),
  body: Closed({ reason: Reason }),
  reply: Closed({ revoked: Type.Integer() }),
  refusals: ['NO_DATA'],
});
