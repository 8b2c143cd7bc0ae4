import { operators } from '@krapao/contract/operator';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, takeApproval } from '../approvals/read.ts';
import { endLinksMadeBy } from './enrolment.ts';
import {
  endOperatorSessions,
  findOperator,
  findRole,
  getOperatorOrThrow,
  listLimits,
  listOperators,
  type OperatorRow,
  writeRoleOf,
  writeStatus,
} from './queries.ts';
import { limitsOf, roleActions, roleCalls } from './roles.ts';
import { idleSince, type SignInDeps } from './sign-in.ts';

/** What must still be so when the checker agrees to the end of a suspension. */
interface StatusPayload {
  name: string;
  role: string;
}

async function changeStatus(
  deps: SignInDeps,
  tx: PoolClient,
  actor: Actor,
  row: OperatorRow,
  status: 'ACTIVE' | 'SUSPENDED',
  reason: string | null,
): Promise<string> {
  const now = deps.clock.now();
  await writeStatus(tx, row.id, status);
  if (status === 'SUSPENDED') await endOperatorSessions(tx, row.id, {}, now);
  const endedLinks = status === 'SUSPENDED' ? await endLinksMadeBy(tx, row.id) : {};
  const auditEntry = {
    action: 'operator.status',
    subject: entityRef('operator', row.name),
    before: { status: row.status },
    after: { status, ...endedLinks },
  };
  await writeAudit(tx, actor, { ...auditEntry, reason }, now);
  return status;
}

/** Ends a suspension. Throws ROW_CHANGED when the operator is not suspended or has another role since it was requested. */
async function reactivate(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  deps: SignInDeps,
  tx: PoolClient,
  actor: Actor,
  { name, role }: StatusPayload,
  reason: string | null,
): Promise<string> {
  const row = await getOperatorOrThrow(refuse, tx, name);
  if (row.status !== 'SUSPENDED' || row.role !== role) throw refuse('ROW_CHANGED', { state: row.status });
  return changeStatus(deps, tx, actor, row, 'ACTIVE', reason);
}

function statusCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool, clock } = deps;
  declare(operators.setOperatorStatus, ({ params, body: { status, reason }, actor, refuse }) => {
    if (params.name === actor.name) throw refuse('UNAUTHORIZED');
    return inTransaction(pool, async (tx) => {
      const row = await getOperatorOrThrow(refuse, tx, params.name);
      if (row.status === 'INVITED' && status === 'ACTIVE') throw refuse('ROW_CHANGED', { state: row.status });
      if (status === 'SUSPENDED')
        return { state: await changeStatus(deps, tx, actor, row, status, reason), approval: null };
      if (row.status === status) return { state: status, approval: null };
      const payload: StatusPayload = { name: row.name, role: row.role };
      return decideOrRequest(refuse, deps, tx, actor, {
        action: 'operator.status',
        subject: entityRef('operator', row.name),
        payload,
        summary: { ...payload, from: row.status, to: status },
        reason,
        needsChecker: true,
        state: row.status,
        perform: () => reactivate(refuse, deps, tx, actor, payload, reason),
      });
    });
  });
  declare(operators.endOperatorSessions, async ({ params, body, actor, refuse }) => {
    const ended = await inTransaction(pool, async (tx) => {
      const row = await getOperatorOrThrow(refuse, tx, params.name);
      const count = await endOperatorSessions(tx, row.id, {}, clock.now());
      const auditEntry = {
        action: 'operator.session-end',
        subject: entityRef('operator', row.name),
        after: { ended: count },
      };
      await writeAudit(tx, actor, { ...auditEntry, reason: body.reason }, clock.now());
      return count;
    });
    return { ended };
  });
  declare(operators.listOperators, async () => {
    const [rows, limits] = await Promise.all([
      listOperators(pool, clock.now(), idleSince(deps)),
      listLimits(pool),
    ]);
    const team = rows.map((row) => ({
      name: row.name,
      role: row.role,
      status: row.status,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
      sessions: row.sessions,
      limits: limitsOf(limits, entityRef('operator', row.name)),
    }));
    return { operators: team };
  });
}

interface RoleOfPayload {
  name: string;
  role: string;
}

async function changeRoleOf(
  refuse: Refuse<'NO_DATA'>,
  deps: SignInDeps,
  tx: PoolClient,
  actor: Actor,
  { name, role }: RoleOfPayload,
  reason: string | null,
) {
  const row = await getOperatorOrThrow(refuse, tx, name);
  if (!(await findRole(tx, role))) throw refuse('NO_DATA');
  await writeRoleOf(tx, row.id, role);
  const auditEntry = {
    action: 'operator.role',
    subject: entityRef('operator', name),
    before: { role: row.role },
    after: { role },
  };
  await writeAudit(tx, actor, { ...auditEntry, reason }, deps.clock.now());
}

/** Access changes need two operators: the action of each of these requests after its approval. */
export function accessActions(deps: SignInDeps): CheckedAction[] {
  const { pool, clock } = deps;
  return [
    {
      name: 'operator.role',
      permission: 'approval.access',
      madeWith: ['operator.manage'],
      current: async ({ payload }) => {
        const row = await findOperator(pool, (payload as RoleOfPayload).name);
        return { from: row?.role ?? null };
      },
      carryOut: (refuse, request, actor) =>
        inTransaction(pool, async (tx) => {
          await changeRoleOf(refuse, deps, tx, actor, request.payload as RoleOfPayload, request.reason);
          await takeApproval(refuse, tx, request.id, actor, clock.now());
          return { state: 'DONE' };
        }),
    },
    {
      name: 'operator.status',
      permission: 'approval.access',
      madeWith: ['operator.manage'],
      carryOut: (refuse, request, actor) =>
        inTransaction(pool, async (tx) => {
          const payload = request.payload as StatusPayload;
          const state = await reactivate(refuse, deps, tx, actor, payload, request.reason);
          await takeApproval(refuse, tx, request.id, actor, deps.clock.now());
          return { state };
        }),
    },
    ...roleActions(deps),
  ];
}

function roleOfCall(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool } = deps;
  declare(operators.setOperatorRole, ({ params, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const row = await getOperatorOrThrow(refuse, tx, params.name);
      if (!(await findRole(tx, body.role))) throw refuse('NO_DATA');
      const payload = { name: params.name, role: body.role };
      return decideOrRequest(refuse, deps, tx, actor, {
        action: 'operator.role',
        subject: entityRef('operator', params.name),
        payload,
        summary: { name: params.name, from: row.role, to: body.role },
        reason: body.reason,
        needsChecker: true,
        state: row.role,
        perform: async () => {
          await changeRoleOf(refuse, deps, tx, actor, payload, body.reason);
          return 'DONE';
        },
      });
    }),
  );
}

/** Answers the calls about operators and their roles. */
export function teamCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  statusCalls(declare, deps);
  roleOfCall(declare, deps);
  roleCalls(declare, deps);
}
