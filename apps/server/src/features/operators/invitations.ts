import { operators } from '@krapao/contract/operator';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, takeApproval } from '../approvals/read.ts';
import { beginEnrolment, endLinksMadeBy, newEnrolment, type PendingEnrolment } from './enrolment.ts';
import { revokeKeys } from './key-queries.ts';
import {
  endOperatorSessions,
  findOperator,
  findRole,
  getOperatorOrThrow,
  insertOperator,
  inviteAgain,
  type OperatorRow,
} from './queries.ts';
import type { SignInDeps } from './sign-in.ts';

interface Invitation {
  name: string;
  role: string;
}
/** What opens the account, and who has the link. */
type Link = PendingEnrolment & { makerId: bigint | null };
/** What must still be so when the checker agrees. */
interface Reset extends Invitation {
  status: OperatorRow['status'];
}

async function invite(
  refuse: Refuse<'NO_DATA' | 'EXISTING_OPERATOR'>,
  deps: SignInDeps,
  tx: PoolClient,
  actor: Actor,
  { name, role, makerId, ...kept }: Invitation & Link,
  reason: string | null,
): Promise<string> {
  if (!(await findRole(tx, role))) throw refuse('NO_DATA');
  const now = deps.clock.now();
  if (!(await insertOperator(tx, { name, role, now }, beginEnrolment(deps, kept, makerId))))
    throw refuse('EXISTING_OPERATOR');
  const auditEntry = { action: 'operator.create', subject: entityRef('operator', name), after: { role } };
  await writeAudit(tx, actor, { ...auditEntry, reason }, now);
  return 'INVITED';
}

/** Throws ROW_CHANGED when they were suspended, let in, or given another role since it was requested. */
async function reset(
  refuse: Refuse<'ROW_CHANGED' | 'NO_DATA'>,
  deps: SignInDeps,
  tx: PoolClient,
  actor: Actor,
  { name, role, status, makerId, ...kept }: Reset & Link,
  reason: string | null,
): Promise<string> {
  const row = await getOperatorOrThrow(refuse, tx, name);
  if (row.status !== status || row.role !== role) throw refuse('ROW_CHANGED', { state: row.status });
  const now = deps.clock.now();
  await inviteAgain(tx, row.id, beginEnrolment(deps, kept, makerId));
  const ended = await endOperatorSessions(tx, row.id, {}, now);
  await revokeKeys(tx, row.id, null, now);
  const endedLinks = await endLinksMadeBy(tx, row.id);
  const auditEntry = { action: 'operator.reset', subject: entityRef('operator', name), before: { status } };
  const after = { status: 'INVITED', ended, ...endedLinks };
  await writeAudit(tx, actor, { ...auditEntry, after, reason }, now);
  return 'INVITED';
}

/**
 * Access to the console needs two operators. The maker has the link; it is not valid before a checker
 * has approved, who is never the operator whose password and phone it replaces.
 */
export function invitationActions(deps: SignInDeps): CheckedAction[] {
  const { pool, clock } = deps;
  return [
    {
      name: 'operator.create',
      permission: 'approval.access',
      madeWith: ['operator.manage'],
      carryOut: (refuse, request, actor) =>
        inTransaction(pool, async (tx) => {
          await takeApproval(refuse, tx, request.id, actor, clock.now());
          const intent = request.payload as Invitation & PendingEnrolment;
          const link = { ...intent, makerId: request.maker_id };
          return { state: await invite(refuse, deps, tx, actor, link, request.reason) };
        }),
    },
    {
      name: 'operator.reset',
      permission: 'approval.access',
      madeWith: ['operator.manage'],
      carryOut: (refuse, request, actor) => {
        if (request.subject === entityRef('operator', actor.name)) throw refuse('UNAUTHORIZED');
        return inTransaction(pool, async (tx) => {
          const intent = request.payload as Reset & PendingEnrolment;
          await getOperatorOrThrow(refuse, tx, intent.name);
          await takeApproval(refuse, tx, request.id, actor, clock.now());
          const link = { ...intent, makerId: request.maker_id };
          return { state: await reset(refuse, deps, tx, actor, link, request.reason) };
        });
      },
    },
  ];
}

/** The response to the maker: the link, and from when it is valid. */
const inviteReply = (token: string, expiresAt: Date, approval: string | null) => ({
  token,
  approval,
  expiresAt: approval === null ? expiresAt.toISOString() : null,
});

/** Answers the two calls that make a link into the console. */
export function invitationCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool } = deps;
  declare(operators.createOperator, ({ body: { reason, ...shown }, actor, refuse }) => {
    const { token, expiresAt, kept } = newEnrolment(deps);
    return inTransaction(pool, async (tx) => {
      if (!(await findRole(tx, shown.role))) throw refuse('NO_DATA');
      if (await findOperator(tx, shown.name)) throw refuse('EXISTING_OPERATOR');
      const { approval } = await decideOrRequest(refuse, deps, tx, actor, {
        action: 'operator.create',
        subject: entityRef('operator', shown.name),
        payload: { ...shown, ...kept },
        summary: shown,
        reason,
        needsChecker: true,
        state: 'NEW',
        perform: () => invite(refuse, deps, tx, actor, { ...shown, ...kept, makerId: actor.id }, reason),
      });
      return inviteReply(token, expiresAt, approval);
    });
  });
  declare(operators.resetOperator, ({ params, body: { reason }, actor, refuse }) => {
    if (params.name === actor.name) throw refuse('UNAUTHORIZED');
    const { token, expiresAt, kept } = newEnrolment(deps);
    return inTransaction(pool, async (tx) => {
      const { name, role, status } = await getOperatorOrThrow(refuse, tx, params.name);
      const intent: Reset & PendingEnrolment = { name, role, status, ...kept };
      const { approval } = await decideOrRequest(refuse, deps, tx, actor, {
        action: 'operator.reset',
        subject: entityRef('operator', name),
        payload: intent,
        summary: { name, role, from: status, to: 'INVITED' },
        reason,
        needsChecker: true,
        state: status,
        perform: () => reset(refuse, deps, tx, actor, { ...intent, makerId: actor.id }, reason),
      });
      return inviteReply(token, expiresAt, approval);
    });
  });
}
