import { randomInt } from 'node:crypto';
import { bonuses as contract, exports } from '@krapao/contract/operator';
import { type Actor, actorName, writeAudit } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { newId } from '../../platform/ids.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, findPendingOf, takeApproval } from '../approvals/read.ts';
import { exportCodes, findSingle, hasBatch, insertBatch, listBatches, revokeBatch } from './codes-queries.ts';

type CodeDeps = ExportDeps & { settings: Settings };

const ACTION = 'promotion.batch';
/** Nothing that is taken for another when it is read aloud or from paper. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
/** 12 of 31 letters: 59 bits. */
const LENGTH = 12;

const newCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** So many codes, no two alike. */
function newCodes(count: number): string[] {
  const codes = new Set<string>();
  while (codes.size < count) codes.add(newCode());
  return [...codes];
}

interface Payload {
  code: string;
  /** Created with the batch, so that a pending request contains no codes before its approval. */
  count: number | null;
  codes: string[] | null;
}

async function make(
  refuse: Refuse<'NO_DATA'>,
  deps: CodeDeps,
  tx: PoolClient,
  actor: Actor,
  { code, count, codes }: Payload,
  reason: string | null,
): Promise<void> {
  const bonusId = await findSingle(tx, code);
  if (!bonusId) throw refuse('NO_DATA');
  const now = deps.clock.now();
  const id = newId('PB', now);
  const wanted = codes ?? newCodes(count!);
  const stored = await insertBatch(tx, { id, bonusId, by: actorName(actor), now, reason }, wanted);
  if (stored !== wanted.length) throw new Refusal('INVALID_REQUEST', { field: 'codes' });
  const auditEntry = {
    action: ACTION,
    subject: entityRef('bonus', code),
    after: { batch: id, count: stored },
    reason,
  };
  await writeAudit(tx, actor, auditEntry, now);
}

/** Codes that pay are made by two. */
export const codeActions = (deps: CodeDeps): CheckedAction[] => [
  {
    name: ACTION,
    permission: 'approval.money',
    madeWith: ['promotion.manage'],
    carryOut: (refuse, request, actor) =>
      inTransaction(deps.pool, async (tx) => {
        await takeApproval(refuse, tx, request.id, actor, deps.clock.now());
        await make(refuse, deps, tx, actor, request.payload as Payload, request.reason);
        return { state: 'DONE' };
      }),
  },
];

/** Answers the calls about codes for one person each. */
export function codeCalls(declare: OperatorDeclare, deps: CodeDeps): void {
  const { pool } = deps;
  declare(contract.listBatches, async ({ params, refuse }) => {
    const bonusId = await findSingle(pool, params.code);
    if (!bonusId) throw refuse('NO_DATA');
    const [batches, approval] = await Promise.all([
      listBatches(pool, bonusId),
      findPendingOf(pool, entityRef('bonus', params.code), ACTION),
    ]);
    return {
      batches: batches.map((row) => ({
        id: row.id,
        madeBy: row.made_by,
        madeAt: row.made_at.toISOString(),
        reason: row.reason,
        codes: row.codes,
        used: row.used,
        revokedAt: row.revoked_at?.toISOString() ?? null,
      })),
      approval,
    };
  });
  declare(contract.makeBatch, ({ params: { code }, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const { count = null, codes = null, reason } = body;
      if ((count === null) === (codes === null)) throw new Refusal('INVALID_REQUEST', { field: 'count' });
      if (!(await findSingle(tx, code))) throw refuse('NO_DATA');
      const payload = { code, count, codes };
      return decideOrRequest(refuse, deps, tx, actor, {
        action: ACTION,
        subject: entityRef('bonus', code),
        payload,
        summary: { code, count: count ?? codes!.length },
        reason,
        needsChecker: true,
        state: 'UNCHANGED',
        perform: async () => {
          await make(refuse, deps, tx, actor, payload, reason);
          return 'DONE';
        },
      });
    }),
  );
  declare(contract.revokeBatch, async ({ params: { id }, body, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const now = deps.clock.now();
      const revoked = await revokeBatch(tx, id, actorName(actor), now);
      if (!revoked) throw refuse((await hasBatch(tx, id)) ? 'ROW_CHANGED' : 'NO_DATA');
      const auditEntry = {
        action: 'promotion.revoke',
        subject: entityRef('bonus', revoked.code),
        after: { batch: id },
      };
      await writeAudit(tx, actor, { ...auditEntry, reason: body.reason }, now);
    });
    return { message: 'OK' };
  });
  declare(exports.exportCodes, ({ params, query, actor, reply }) =>
    sendExport(deps, { actor, reply, name: 'codes', ...params, filters: query }, exportCodes(query.batch)),
  );
}
