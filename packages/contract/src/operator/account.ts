/** Signing in, the caller's own account and sessions. */
import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { operatorCall } from './call.ts';
import { PERMISSIONS } from './permissions.ts';
import { Closed, Done, Nullable, OneOf, Text, Timestamp } from './schemas.ts';

const Code = Type.String({
  pattern: '^\\d{6}$',
  maxLength: 6,
  description: 'Six digits of the second factor.',
});
const Password = Text(200);
/** An operator's password; ASVS 6.2.1 requires 12 characters for administration. */
const NewPassword = Text(200, 12);

export const Me = Closed(
  {
    name: Type.String(),
    role: Type.String(),
    permissions: Type.Array(OneOf(PERMISSIONS)),
    sandbox: Type.Boolean({ description: 'Whether any partner is the sandbox.' }),
    makerChecker: Type.Boolean(),
    idleSeconds: Type.Integer({
      description: 'In how many seconds the session ends unless a call marked as user input comes before.',
    }),
  },
  { $id: 'Me' },
);

export const OperatorSession = Closed(
  {
    id: Type.String(),
    createdAt: Timestamp,
    seenAt: Timestamp,
    address: Type.String(),
    device: Nullable(Type.String()),
    current: Type.Boolean(),
  },
  { $id: 'OperatorSession' },
);

export const login = call({
  method: 'POST',
  path: '/api/operator/login',
  access: 'public',
  summary: 'Sign in with password and second factor; sets the session cookie',
  body: Closed({ name: Text(60, 1), password: Password, code: Code }),
  reply: Me,
  refusals: ['UNAUTHORIZED', 'REQUEST_LIMIT', 'WRONG_CREDENTIAL', 'INACTIVE_USER'],
});

export const readEnrolment = call({
  method: 'POST',
  path: '/api/operator/enrolment',
  access: 'public',
  summary: 'What a one-time enrolment is for: the name, and the secret for the authenticator',
  body: Closed({ token: Text(100, 1) }),
  reply: Closed({ name: Type.String(), otpauth: Type.String() }),
  refusals: ['UNAUTHORIZED', 'REQUEST_LIMIT', 'ENROLMENT_INVALID'],
});

export const enrol = call({
  method: 'POST',
  path: '/api/operator/enrol',
  access: 'public',
  summary: 'Use the enrolment: choose a password, prove the second factor',
  body: Closed({ token: Text(100, 1), password: NewPassword, code: Code }),
  reply: Done,
  refusals: ['UNAUTHORIZED', 'REQUEST_LIMIT', 'ENROLMENT_INVALID', 'WRONG_CREDENTIAL'],
});

export const readMe = operatorCall({
  method: 'GET',
  path: '/api/operator/me',
  permission: null,
  summary: 'Who is signed in and what they may do',
  reply: Me,
});

export const logout = operatorCall({
  method: 'POST',
  path: '/api/operator/logout',
  permission: null,
  summary: 'End this session',
  reply: Done,
});

export const changePassword = operatorCall({
  method: 'POST',
  path: '/api/operator/password',
  permission: null,
  summary: 'Change the own password; ends the other sessions',
  body: Closed({ oldPassword: Password, newPassword: NewPassword, code: Code }),
  reply: Done,
  refusals: ['REQUEST_LIMIT', 'WRONG_CREDENTIAL'],
});

export const listMySessions = operatorCall({
  method: 'GET',
  path: '/api/operator/sessions',
  permission: null,
  summary: 'The own sessions that still count',
  reply: Closed({ sessions: Type.Array(OperatorSession) }),
});

export const endMySession = operatorCall({
  method: 'DELETE',
  path: '/api/operator/sessions/{id}',
  permission: null,
  summary: 'End one of the own sessions',
  params: Closed({ id: Text(60, 1) }),
  reply: Done,
  refusals: ['NO_DATA'],
});
