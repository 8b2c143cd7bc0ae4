import { HOUR_MS } from '@krapao/contract/durations';
import type { overview, Permission } from '@krapao/contract/operator';
import type { ErrorCode, RefusalsOf } from '@krapao/contract/shared';
import type { OperatorActionRow, Outcome } from '../../ledger/index.ts';
import {
  type Actor,
  type AuditEntry,
  actorName,
  auditJson,
  writeAudit,
  writeMemberAudit,
} from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import type { EntityRef } from '../../platform/entity-ref.ts';
import { newId } from '../../platform/ids.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import { type ApprovalRow, endApproval, findPending, insertApproval, lapseApprovals } from './queries.ts';

export { requireWithinLimit } from './operator-limits.ts';
export type { ApprovalRow } from './queries.ts';
export {
  countPending as countApprovals,
  findApproval,
  findNewest as findNewestRequest,
  findPending as findPendingOf,
  lapseForPassword,
  lapseRequestsOf,
  reopenApproval,
} from './queries.ts';
export { mostAlone, recordSmallAction } from './small-actions.ts';

/** Codes with which the ledger refuses what an operator does. */
export type PostingCode = 'MONEY_NOT_ENOUGH' | 'ROW_CHANGED' | 'NOT_CLAIMED';

/** The action of a kind of request after its approval. */
export interface CheckedAction {
  name: string;
  /** What the checker must be allowed. */
  permission: 'approval.money' | 'approval.access';
  /** What the maker must be allowed, any of these; a request lapses once its maker may no more, unless it stays until it is decided. Empty: members make it. */
  madeWith: readonly Permission[];
  /** The subjects that one of these permissions suffices for; those left out suffice for every subject. */
  onlyFor?: Readonly<Partial<Record<Permission, readonly EntityRef[]>>>;
  /** Checks the state again and does it, using the request up in the same transaction. */
  carryOut: (
    refuse: Refuse<RefusalsOf<typeof overview.approve>>,
    request: ApprovalRow,
    actor: Actor,
  ) => Promise<{ state: string; undoSeconds?: number }>;
  /** What is in force now of what the request would change, by the names of its summary. */
  current?: (request: ApprovalRow) => Promise<Record<string, unknown>>;
}

interface Deps {
  clock: Clock;
  settings: Settings;
}

/**
 * Uses a request up inside the transaction that carries it out; throws APPROVAL_LAPSED when it counts no more. The caller
 * has locked the subject, as those who request do first, see operator_refusal.
 */
export async function takeApproval(
  refuse: Refuse<'APPROVAL_LAPSED'>,
  tx: PoolClient,
  id: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  if (!(await endApproval(tx, id, { state: 'APPROVED', checkerId: actor.id, note: null, now })))
    throw refuse('APPROVAL_LAPSED');
}

export interface Intent {
  action: string;
  subject: EntityRef;
  /** What the action needs later, as JSON. */
  payload: object;
  /** What the checker is shown: what will change. */
  summary: Record<string, unknown>;
  reason: string | null;
}

/** Requests a second approval; throws APPROVAL_PENDING with the first request when there is one already. */
export async function requestApproval(
  refuse: Refuse<'APPROVAL_PENDING'>,
  deps: Deps,
  tx: PoolClient,
  actor: Actor,
  intent: Intent,
): Promise<string> {
  const now = deps.clock.now();
  const id = newId('AP', now);
  await lapseApprovals(tx, now, intent.subject);
  const isFirst = await insertApproval(tx, {
    ...intent,
    id,
    payload: auditJson(intent.payload)!,
    summary: auditJson(intent.summary)!,
    maker: { operatorId: actor.id },
    madeAt: now,
    lapsesAt: new Date(now.getTime() + deps.settings.get('desk.approvalHours') * HOUR_MS),
  });
  if (!isFirst)
    throw refuse('APPROVAL_PENDING', { approval: await findPending(tx, intent.subject, intent.action) });
  const auditEntry = {
    action: 'approval.request',
    subject: intent.subject,
    after: { approval: id, asks: intent.action, ...intent.summary },
  };
  await writeAudit(tx, actor, { ...auditEntry, reason: intent.reason }, now);
  return id;
}

/** Records a member's request, which any permitted operator decides; false when one of the kind is pending already. */
export async function requestForMember(
  deps: Deps,
  tx: PoolClient,
  member: { id: bigint; address: string },
  intent: Intent,
): Promise<boolean> {
  const now = deps.clock.now();
  const id = newId('AP', now);
  await lapseApprovals(tx, now, intent.subject);
  const isFirst = await insertApproval(tx, {
    ...intent,
    id,
    payload: auditJson(intent.payload)!,
    summary: auditJson(intent.summary)!,
    maker: { memberId: member.id },
    madeAt: now,
    lapsesAt: new Date(now.getTime() + deps.settings.get('desk.approvalHours') * HOUR_MS),
  });
  if (!isFirst) return false;
  const after = { approval: id, asks: intent.action, ...intent.summary };
  await writeMemberAudit(tx, member, { action: 'approval.request', subject: intent.subject, after }, now);
  return true;
}

/** Withdraws a member's own pending request of one kind; does nothing when none is pending. */
export async function withdrawForMember(
  tx: PoolClient,
  member: { id: bigint; address: string },
  about: { action: string; subject: EntityRef },
  now: Date,
): Promise<void> {
  const id = await findPending(tx, about.subject, about.action);
  if (!id || !(await endApproval(tx, id, { state: 'WITHDRAWN', checkerId: null, note: null, now }))) return;
  const auditEntry = { action: 'approval.withdraw', subject: about.subject };
  await writeMemberAudit(tx, member, { ...auditEntry, before: { approval: id, asks: about.action } }, now);
}

/** Runs an action at once, or requests a second approval where one is needed and the installation has two operators. */
export async function decideOrRequest(
  refuse: Refuse<'APPROVAL_PENDING'>,
  deps: Deps,
  tx: PoolClient,
  actor: Actor,
  intent: Intent & { needsChecker: boolean; state: string; perform: () => Promise<string> },
): Promise<{ state: string; approval: string | null }> {
  if (intent.needsChecker && deps.settings.get('desk.makerChecker'))
    return { state: intent.state, approval: await requestApproval(refuse, deps, tx, actor, intent) };
  return { state: await intent.perform(), approval: null };
}

/** An operator's action as attached writes take it: they write its audit row and use up its approval. */
export function actionRow(
  actor: Actor,
  auditEntry: AuditEntry,
  under: { at: Date; approvalId?: string | null; assignedAfter?: Date | null },
): OperatorActionRow {
  return {
    operatorId: actor.id,
    actor: actorName(actor),
    role: actor.role,
    action: auditEntry.action,
    subject: auditEntry.subject,
    before: auditJson(auditEntry.before),
    after: auditJson(auditEntry.after),
    reason: auditEntry.reason || null,
    address: actor.address,
    approvalId: under.approvalId ?? null,
    assignedAfter: under.assignedAfter ?? null,
    at: under.at,
  };
}

/**
 * Throws why the ledger did not carry an action out. What another has changed meanwhile is ROW_CHANGED with the state
 * that the subject has now. `Code` names what else the guard of the attached write refuses with.
 */
export async function requirePosted<Code extends ErrorCode = never>(
  refuse: Refuse<PostingCode | Code>,
  outcome: Outcome,
  stateNow: () => Promise<string | undefined>,
): Promise<void> {
  if (outcome.state === 'posted') return;
  if (outcome.state === 'insufficient') throw refuse('MONEY_NOT_ENOUGH');
  const code = outcome.state === 'refused' ? outcome.body.message : 'ROW_CHANGED';
  if (code === 'ROW_CHANGED') throw refuse('ROW_CHANGED', { state: await stateNow() });
  throw refuse(code as Code | 'NOT_CLAIMED');
}
