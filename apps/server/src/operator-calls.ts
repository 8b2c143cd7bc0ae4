import type { FastifyInstance } from 'fastify';
import { type ApprovalDeps, approvalCalls, approvalJobs } from './features/approvals/approvals.ts';
import type { CheckedAction } from './features/approvals/read.ts';
import { type SignInDeps, signInCalls } from './features/operators/sign-in.ts';
import { accessActions, teamCalls } from './features/operators/team.ts';
import type { OperatorCallDeps, OperatorDeclare, OperatorDoor } from './platform/http/declare-operator.ts';
import type { JobSet } from './platform/jobs.ts';

export type OperatorCallsDeps = SignInDeps & ApprovalDeps & OperatorCallDeps;

/** Where routes that answer no JSON are added: exports. */
export interface ConsoleRoutes {
  app: FastifyInstance;
  door: OperatorDoor;
}

/** Every kind of request that waits for a second person. */
const checkedActions = (deps: OperatorCallsDeps): CheckedAction[] => [...accessActions(deps)];

/** Every call of the console, in one list. */
export function declareOperatorCalls(
  declare: OperatorDeclare,
  deps: OperatorCallsDeps,
  _routes: ConsoleRoutes,
): void {
  signInCalls(declare, deps);
  teamCalls(declare, deps);
  approvalCalls(declare, deps, checkedActions(deps));
}

/** Jobs behind the console. */
export const operatorJobs = (deps: OperatorCallsDeps): JobSet => approvalJobs(deps);
