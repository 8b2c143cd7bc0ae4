/** Operators and roles. */

import { Type } from 'typebox';
import { OPERATOR_STATUSES } from '../shared/statuses.ts';
import { operatorCall } from './call.ts';
import { PERMISSIONS } from './permissions.ts';
import { ActionReply, Closed, Currency, Nullable, OneOf, Reason, Text, Timestamp } from './schemas.ts';

/** What one operator may move manually at once and within 24 hours; both those of the role and of the person count. */
export const LIMIT_KINDS = ['pay', 'credit'] as const;
const Most = Nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000_000 }));
const Limits = Type.Array(
  Closed({ kind: OneOf(LIMIT_KINDS), currency: Currency, action: Most, day: Most }, { $id: 'OperatorLimit' }),
  { maxItems: 8, description: 'What is not named has no limit; null: none of this sort.' },
);
const RoleName = Text(60);

const OperatorName = Type.String({ pattern: '^[a-z][a-z0-9.-]{1,38}$', maxLength: 40 });
const nameParams = Closed({ name: Text(60, 1) });

export const OperatorRow = Closed(
  {
    name: Type.String(),
    role: Type.String(),
    status: OneOf(OPERATOR_STATUSES),
    createdAt: Timestamp,
    lastSeenAt: Nullable(Timestamp),
    sessions: Type.Integer({ description: 'Sessions that still count.' }),
    limits: Limits,
  },
  { $id: 'OperatorRow' },
);

const Enrolment = Closed(
  {
    token: Type.String({ description: 'Shown once; opens /enrol on the console.' }),
    approval: Nullable(
      Type.String({ description: 'The request that waits for a checker; the token opens nothing before.' }),
    ),
    // Null while a checker is awaited: its life counts from their yes.
    expiresAt: Nullable(Timestamp),
  },
  { $id: 'Enrolment' },
);

export const listOperators = operatorCall({
  method: 'GET',
  path: '/api/operator/operators',
  permission: 'operator.read',
  summary: 'All operators',
  reply: Closed({ operators: Type.Array(OperatorRow) }),
});

export const createOperator = operatorCall({
  method: 'POST',
  path: '/api/operator/operators',
  permission: 'operator.manage',
  summary:
    'Request to invite an operator; their one-time enrolment is valid once a second person has approved',
  body: Closed({ name: OperatorName, role: Text(40, 1), reason: Reason }),
  reply: Enrolment,
  refusals: ['NO_DATA', 'EXISTING_OPERATOR', 'APPROVAL_PENDING'],
});

export const resetOperator = operatorCall({
  method: 'POST',
  path: '/api/operator/operators/{name}/enrolment',
  permission: 'operator.manage',
  summary:
    'Request a new enrolment for an operator who lost password or phone; it is valid once a second person has approved, and their sessions end',
  params: nameParams,
  body: Closed({ reason: Reason }),
  reply: Enrolment,
  refusals: ['NO_DATA', 'UNAUTHORIZED', 'APPROVAL_PENDING', 'ROW_CHANGED'],
});

export const setOperatorStatus = operatorCall({
  method: 'POST',
  path: '/api/operator/operators/{name}/status',
  permission: 'operator.manage',
  summary:
    'Suspend an operator at once, or request the end of the suspension, which a second person decides; operators cannot suspend themselves',
  params: nameParams,
  body: Closed({ status: OneOf(['ACTIVE', 'SUSPENDED'] as const), reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'UNAUTHORIZED', 'ROW_CHANGED', 'APPROVAL_PENDING'],
});

export const setOperatorRole = operatorCall({
  method: 'POST',
  path: '/api/operator/operators/{name}/role',
  permission: 'operator.manage',
  summary: 'Request another role for an operator; a second person decides',
  params: nameParams,
  body: Closed({ role: Text(40, 1), reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'APPROVAL_PENDING'],
});

export const endOperatorSessions = operatorCall({
  method: 'POST',
  path: '/api/operator/operators/{name}/sessions/end',
  permission: 'operator.manage',
  summary: "End all of an operator's sessions",
  params: nameParams,
  body: Closed({ reason: Reason }),
  reply: Closed({ ended: Type.Integer() }),
  refusals: ['NO_DATA'],
});

export const listRoles = operatorCall({
  method: 'GET',
  path: '/api/operator/roles',
  permission: 'operator.read',
  summary: 'Roles and what each may do',
  reply: Closed({
    roles: Type.Array(
      Closed({
        code: Type.String(),
        name: Type.String({ description: 'Empty: the standard name of its code.' }),
        permissions: Type.Array(OneOf(PERMISSIONS)),
        limits: Limits,
        operators: Type.Integer({ description: 'Who has it.' }),
      }),
    ),
    currencies: Type.Array(Currency),
    permissions: Type.Array(OneOf(PERMISSIONS)),
  }),
});

export const setRole = operatorCall({
  method: 'PUT',
  path: '/api/operator/roles/{code}',
  permission: 'operator.manage',
  summary:
    'Request other permissions, limits or another name for a role, or a new role; a second person decides. What is left out stays',
  params: Closed({ code: Text(40, 1) }),
  body: Closed({
    permissions: Type.Array(OneOf(PERMISSIONS), { maxItems: 60 }),
    name: Type.Optional(RoleName),
    limits: Type.Optional(Limits),
    isNew: Type.Optional(
      Type.Boolean({ description: 'true: the role is to be added; a code in use is refused as CODE_TAKEN.' }),
    ),
    reason: Reason,
  }),
  reply: ActionReply,
  refusals: ['INVALID_REQUEST', 'CODE_TAKEN', 'APPROVAL_PENDING'],
});

export const removeRole = operatorCall({
  method: 'POST',
  path: '/api/operator/roles/{code}/remove',
  permission: 'operator.manage',
  summary: 'Request to remove an unassigned role; a second person decides',
  params: Closed({ code: Text(40, 1) }),
  body: Closed({ reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROLE_IN_USE', 'APPROVAL_PENDING'],
});

export const setOperatorLimits = operatorCall({
  method: 'PUT',
  path: '/api/operator/operators/{name}/limits',
  permission: 'operator.manage',
  summary: 'Request limits of one operator, beside those of their role; a second person decides',
  params: nameParams,
  body: Closed({ limits: Limits, reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'APPROVAL_PENDING'],
});
