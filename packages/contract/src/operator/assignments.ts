import { operatorCall } from './call.ts';
import type { Permission } from './permissions.ts';
import { Assignment, Closed, Done, Id } from './schemas.ts';

/** Whose assignments a list is filtered by: the caller's, none, those of other operators. */
export const ASSIGNMENT_FILTERS = ['mine', 'nobody', 'others'] as const;

/**
 * Declares taking and releasing a queue's rows.
 * @param path of the queue; the calls are `{path}/{id}/claim` and `/release`
 * @param subject what a row is, as the summaries name it: "a slip"
 */
export const assignmentCalls = <const P extends string>(
  path: P,
  permission: Permission,
  subject: string,
) => ({
  take: operatorCall({
    method: 'POST',
    path: `${path}/{id}/claim` as const,
    permission,
    summary: `Take ${subject}; a repeat keeps it longer`,
    params: Closed({ id: Id }),
    reply: Assignment,
    refusals: ['NO_DATA', 'ROW_CHANGED', 'CLAIMED'],
  }),
  release: operatorCall({
    method: 'POST',
    path: `${path}/{id}/release` as const,
    permission,
    summary: `Release ${subject} assigned to the caller`,
    params: Closed({ id: Id }),
    reply: Done,
  }),
});
