import { kyc } from '@krapao/contract/operator';
import { type Actor, type AuditEntry, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { findCurrency, lockMember } from '../members/read.ts';
import {
  type CheckRow,
  findCheck,
  listDocuments,
  lockCheck,
  refuseDocuments,
  requestDocuments,
  verify,
} from './queries.ts';

export interface KycOperatorDeps {
  pool: Pool;
  clock: Clock;
}

const DOCUMENTS_MAX = 50;

const time = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

async function viewOf(db: Db, memberId: bigint) {
  const check = await findCheck(db, memberId);
  const documents = await listDocuments(db, memberId, DOCUMENTS_MAX);
  return {
    state: check?.state ?? null,
    round: check?.round ?? 0,
    wanted: check?.wanted ?? [],
    refusal: check?.refusal ?? null,
    requestedBy: check?.requested_by ?? null,
    requestedAt: time(check?.requested_at),
    submittedAt: time(check?.submitted_at),
    decidedBy: check?.decided_by ?? null,
    decidedAt: time(check?.decided_at),
    documents: documents.map(({ id, kind, received_at }, at) => ({
      id: String(id),
      kind,
      receivedAt: received_at.toISOString(),
      isReplaced: documents.slice(0, at).some((newer) => newer.kind === kind),
    })),
  };
}

type Seen = { round: number; state: CheckRow['state'] | null };

/**
 * Changes the check of a member and writes the audit row in one transaction. Throws NO_DATA without the member and
 * ROW_CHANGED when the check is not the one the caller saw, or `write` returns null for it.
 */
async function change(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  { pool, clock }: KycOperatorDeps,
  { id, seen, actor }: { id: string; seen: Seen; actor: Actor },
  write: (
    tx: PoolClient,
    who: { memberId: bigint; by: string; now: Date },
  ) => Promise<Omit<AuditEntry, 'subject' | 'before'> | null>,
) {
  return inTransaction(pool, async (tx) => {
    const member = await lockMember(tx, id);
    if (!member) throw refuse('NO_DATA');
    const check = await lockCheck(tx, member.id);
    const isSeen = (check?.round ?? 0) === seen.round && (check?.state ?? null) === seen.state;
    const now = clock.now();
    const entry = isSeen ? await write(tx, { memberId: member.id, by: actor.name, now }) : null;
    if (!entry) throw refuse('ROW_CHANGED', { state: check?.state ?? 'NONE' });
    const before = check && { state: check.state, documents: check.wanted };
    await writeAudit(tx, actor, { ...entry, subject: entityRef('member', member.id), before }, now);
    return viewOf(tx, member.id);
  });
}

/** Serves the identity checks of members: requests for documents and the decisions about them. */
export function kycOperatorCalls(declare: OperatorDeclare, deps: KycOperatorDeps): void {
  declare(kyc.readKyc, async ({ params, refuse }) => {
    const id = /^\d{1,18}$/.test(params.id) ? BigInt(params.id) : null;
    if (id === null || !(await findCurrency(deps.pool, id))) throw refuse('NO_DATA');
    return viewOf(deps.pool, id);
  });
  declare(kyc.requestKyc, ({ params, body, actor, refuse }) =>
    change(refuse, deps, { ...params, seen: body.seen, actor }, async (tx, who) => {
      const { documents, reason } = body;
      await requestDocuments(tx, { ...who, wanted: documents });
      return { action: 'kyc.request', after: { state: 'REQUESTED', documents }, reason };
    }),
  );
  declare(kyc.verifyKyc, ({ params, body, actor, refuse }) =>
    change(refuse, deps, { ...params, seen: body.seen, actor }, async (tx, who) => {
      if (body.seen.state === 'VERIFIED') return null;
      await verify(tx, who);
      return { action: 'kyc.verify', after: { state: 'VERIFIED' }, reason: body.reason };
    }),
  );
  declare(kyc.refuseKyc, ({ params, body, actor, refuse }) =>
    change(refuse, deps, { ...params, seen: body.seen, actor }, async (tx, who) => {
      if (body.seen.state !== 'SUBMITTED') return null;
      const { documents, refusal } = body;
      await refuseDocuments(tx, { ...who, wanted: documents, refusal });
      return { action: 'kyc.refuse', after: { state: 'REFUSED', documents, refusal } };
    }),
  );
}
