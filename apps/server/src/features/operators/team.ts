import { operators } from '@krapao/contract/operator';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, takeApproval } from '../approvals/read.ts';
import {
  endOperatorSessions,
  findOperator,
  findRole,
  getOperatorOrThrow,
  listLimits,
  listOperators,
  writeRoleOf,
  writeStatus,
} from './queries.ts';
import { limitsOf, roleActions, roleCalls } from './roles.ts';
import { idleSince, type SignInDeps } from './sign-in.ts';

function statusCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool, clock } = deps;
  declare(operators.setOperatorStatus, async ({ params, body, actor, refuse }) => {
    if (params.name === actor.name) throw refuse('UNAUTHORIZED');
    await inTransaction(pool, async (tx) => {
      const row = await getOperatorOrThrow(refuse, tx, params.name);
      if (row.status === 'INVITED') throw refuse('ROW_CHANGED', { state: row.status });
      await writeStatus(tx, row.id, body.status);
      if (body.status === 'SUSPENDED') await endOperatorSessions(tx, row.id, {}, clock.now());
      const auditEntry = {
        action: 'operator.status',
        subject: entityRef('operator', row.name),
        before: { status: row.status },
      };
      await writeAudit(
        tx,
        actor,
        { ...auditEntry, after: { status: body.status }, reason: body.reason },
        clock.now(),
      );
    });
    return { message: 'OK' };
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
