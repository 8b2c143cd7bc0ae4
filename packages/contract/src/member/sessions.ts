import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Closed, Message, Nullable, Text, Timestamp } from './schemas.ts';

export const login = call({
  method: 'POST',
  path: '/api/login',
  access: 'public',
  summary: 'Log in',
  body: Closed({ username: Text(40), password: Type.String({ maxLength: 200 }) }),
  reply: Closed({ token: Type.String() }),
  refusals: ['REQUEST_LIMIT', 'WRONG_CREDENTIAL', 'INACTIVE_USER', 'gone'],
});

export const logout = call({
  method: 'POST',
  path: '/api/logout',
  access: 'member',
  summary: 'End this session',
  reply: Message,
});

export const changePassword = call({
  method: 'PUT',
  path: '/api/account/changepwd',
  access: 'member',
  summary: 'Change the password and end other sessions',
  body: Closed({
    oldPassword: Type.String({ minLength: 1, maxLength: 200 }),
    newPassword: Type.String({ minLength: 1, maxLength: 200 }),
  }),
  reply: Message,
  refusals: ['WRONG_PASSWORD', 'WEAK_PASSWORD'],
});

export const listSessions = call({
  method: 'GET',
  path: '/api/account/sessions',
  access: 'member',
  summary: 'Where the member is logged in, this session first, then by last use; at most 100',
  reply: Closed({
    sessions: Type.Array(
      Closed(
        {
          id: Type.String(),
          isThis: Type.Boolean({ description: 'The calling session.' }),
          isNew: Type.Boolean({
            description: 'From a kind of device that the member had not used before, not confirmed since.',
          }),
          browser: Nullable(Type.String({ description: 'By its own name, as far as it says.' })),
          system: Nullable(Type.String({ description: 'The device or operating system, likewise.' })),
          address: Nullable(Type.String({ description: 'Where the login came from, its end masked.' })),
          createdAt: Timestamp,
          lastSeenAt: Type.String({ description: 'UTC, ISO 8601; to five minutes.' }),
        },
        { $id: 'Session' },
      ),
    ),
  }),
});

export const endOneSession = call({
  method: 'DELETE',
  path: '/api/account/sessions/{id}',
  access: 'member',
  summary: 'Log out one of the own sessions; one that has ended stays so',
  params: Closed({ id: Text(40) }),
  reply: Message,
  refusals: ['NO_DATA'],
});

export const confirmSession = call({
  method: 'POST',
  path: '/api/account/sessions/{id}/known',
  access: 'member',
  summary:
    'Say that a login from a new device was the own one; again changes nothing. UNAUTHORIZED for a session that waits to be confirmed itself',
  params: Closed({ id: Text(40) }),
  reply: Message,
  refusals: ['NO_DATA', 'UNAUTHORIZED'],
});

export const endOtherSessions = call({
  method: 'DELETE',
  path: '/api/account/sessions',
  access: 'member',
  summary: 'Log out everywhere but here',
  reply: Closed({ ended: Type.Integer({ minimum: 0 }) }),
});
