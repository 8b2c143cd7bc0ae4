/** What needs an operator's look, from the moment a rule noticed it until somebody has ended it or its cause is gone. */
import { Type } from 'typebox';
import { ALERT_KINDS, ALERT_STATES, type AlertKind } from './alert-kinds.ts';
import { ASSIGNMENT_FILTERS } from './assignments.ts';
import { operatorCall } from './call.ts';
import { counted, cursorPage } from './cursor.ts';
import { Closed, Done, Id, Nullable, OneOf, Reason, SeveralOf, sortBy, Text, Timestamp } from './schemas.ts';

export const AlertStateSchema = OneOf(ALERT_STATES);

export const Alert = Closed(
  {
    id: Type.String(),
    kind: OneOf(Object.keys(ALERT_KINDS) as AlertKind[]),
    subject: Type.String({ description: 'What it is about: a kind and an id, such as `withdrawal:WD1`.' }),
    detail: Type.String(),
    state: AlertStateSchema,
    openedAt: Timestamp,
    assignee: Nullable(Closed({ by: Type.String(), since: Timestamp, mine: Type.Boolean() })),
    closedAt: Nullable(Timestamp),
    closedBy: Nullable(Type.String({ description: '`operator:<name>`; `system`: it ended with its cause.' })),
    reason: Nullable(Type.String()),
    dismissed: Nullable(Closed({ by: Type.String(), at: Timestamp, reason: Type.String() })),
  },
  { $id: 'Alert' },
);

export const listAlerts = operatorCall({
  method: 'GET',
  path: '/api/operator/alerts',
  permission: 'today.read',
  summary: 'Alerts whose subjects the caller may open; without a state those that are not over',
  query: Closed({
    ...cursorPage,
    ...sortBy('openedAt'),
    state: Type.Optional(SeveralOf(ALERT_STATES)),
    kind: Type.Optional(SeveralOf(Object.keys(ALERT_KINDS))),
    assigned: Type.Optional(SeveralOf(ASSIGNMENT_FILTERS)),
  }),
  reply: Closed({ alerts: Type.Array(Alert), ...counted }),
});

const params = Closed({ id: Id });

export const takeAlert = operatorCall({
  method: 'POST',
  path: '/api/operator/alerts/{id}/take',
  permission: 'alert.close',
  summary: 'Investigate an alert; with `from`, in the place of the operator named',
  params,
  body: Closed({ from: Type.Optional(Text(80, 1)) }),
  reply: Done,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'CLAIMED'],
});

export const releaseAlert = operatorCall({
  method: 'POST',
  path: '/api/operator/alerts/{id}/release',
  permission: 'alert.close',
  summary: 'Release an alert the caller investigates; it is open again',
  params,
  reply: Done,
  refusals: ['NO_DATA'],
});

/** Declares a way to end an alert. */
const ending = <const Way extends 'resolve' | 'dismiss'>(way: Way, summary: string) =>
  operatorCall({
    method: 'POST',
    path: `/api/operator/alerts/{id}/${way}` as const,
    permission: 'alert.close',
    summary,
    params,
    body: Closed({ reason: Reason }),
    reply: Done,
    refusals: ['NO_DATA', 'ROW_CHANGED', 'CLAIMED'],
  });

export const resolveAlert = ending('resolve', 'Say that the cause of an alert has been seen to, and how');
export const dismissAlert = ending('dismiss', 'Say that an alert needs no action, and why');
