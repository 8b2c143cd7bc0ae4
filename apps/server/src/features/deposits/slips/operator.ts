import { exports, slips } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { type Actor, actorName, writeAudit } from '../../../platform/audit.ts';
import { entityRef } from '../../../platform/entity-ref.ts';
import type { Files } from '../../../platform/files.ts';
import { choicesOf } from '../../../platform/http/choices.ts';
import { summedPage } from '../../../platform/http/cursor.ts';
import type { OperatorDeclare, OperatorDoor } from '../../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../../platform/http/export-file.ts';
import { memberIdOf } from '../../../platform/http/list.ts';
import { maskedAccountNo } from '../../../platform/masks.ts';
import { type SearchDeps, searchOf } from '../../../platform/member-search.ts';
import type { Operator } from '../../../platform/operators.ts';
import type { Refuse } from '../../../platform/refusal.ts';
import { refuseAny } from '../../../platform/refuse-any.ts';
import type { Settings } from '../../../platform/settings.ts';
import { inTransaction } from '../../../platform/transaction.ts';
import { assignmentView, release, requireAssignment, takeAssignment } from '../../assignments/read.ts';
import type { MatchDeps } from '../matching/match.ts';
import { acceptSlip, type Decision, recheckSlip, refuseSlip } from './decisions.ts';
import {
  exportSlips,
  findSlip,
  listSlips,
  listUses,
  SLIP_KEYS,
  type SlipFilter,
  type SlipReviewRow,
} from './operator-queries.ts';

export interface SlipReviewDeps extends MatchDeps {
  settings: Settings;
  files: Files;
}

function rowView(deps: SlipReviewDeps, row: SlipReviewRow, operator: Operator) {
  const assignmentRow =
    row.assignment_operator === null
      ? null
      : {
          operator_id: row.assignment_operator,
          name: row.assignment_name!,
          touched_at: row.assignment_touched!,
        };
  return {
    id: row.id,
    member: { id: String(row.member_id), name: row.member_name },
    status: row.status,
    note: row.note,
    bankCode: row.bank_code,
    amount: row.amount === null || row.currency === null ? null : fromMinor(row.amount, row.currency),
    currency: row.currency,
    doubts: row.doubts,
    createdAt: row.created_at.toISOString(),
    assignment: assignmentView(deps, assignmentRow, operator.id),
  };
}

async function getSlipOrThrow(
  refuse: Refuse<'NO_DATA'>,
  deps: SlipReviewDeps,
  id: string,
): Promise<SlipReviewRow> {
  const row = await findSlip(deps.pool, id);
  if (!row) throw refuse('NO_DATA');
  return row;
}

async function detailView(deps: SlipReviewDeps, row: SlipReviewRow, operator: Operator) {
  const uses = await listUses(deps.pool, row.id);
  const parties: { name?: string; receiverName?: string } = row.payer_sealed
    ? JSON.parse(deps.secrets.decrypt('payer', row.payer_sealed))
    : {};
  return {
    ...rowView(deps, row, operator),
    sendingBank: row.sending_bank,
    transRef: row.trans_ref,
    account: row.account_no && maskedAccountNo(row.account_no),
    payer: row.payer_mask,
    payerName: parties.name || null,
    receiverName: parties.receiverName || null,
    paidAt: row.paid_at?.toISOString() ?? null,
    memberAccount:
      row.member_account_sealed &&
      maskedAccountNo(deps.secrets.decrypt('bank-account', row.member_account_sealed)),
    uses: uses.map((use) => ({
      kind: use.kind,
      id: use.id,
      member: use.member_id === null ? null : { id: String(use.member_id), name: use.member_name ?? '' },
      state: use.state,
      at: use.at.toISOString(),
    })),
  };
}

/** The slip, if it waits for a decision and it is assigned to this operator; and how the trail will name them. */
async function requireMine(
  refuse: Refuse<'ROW_CHANGED' | 'NO_DATA' | 'NOT_CLAIMED' | 'CLAIMED'>,
  deps: SlipReviewDeps,
  id: string,
  actor: Actor,
  reason: string,
): Promise<Decision> {
  const row = await getSlipOrThrow(refuse, deps, id);
  if (row.status !== 'REVIEW') throw refuse('ROW_CHANGED', { state: row.status });
  await inTransaction(deps.pool, (tx) => requireAssignment(refuse, deps, tx, entityRef('slip', id), actor));
  return { actor: actorName(actor), reason, role: actor.role, address: actor.address };
}

/** What a slip is now that it did not wait any more. */
async function changed(
  refuse: Refuse<'ROW_CHANGED' | 'NO_DATA'>,
  deps: SlipReviewDeps,
  id: string,
): Promise<never> {
  throw refuse('ROW_CHANGED', { state: (await getSlipOrThrow(refuse, deps, id)).status });
}

function decisionCalls(declare: OperatorDeclare, deps: SlipReviewDeps): void {
  declare(slips.acceptSlip, async ({ params, body, actor, refuse }) => {
    const decision = await requireMine(refuse, deps, params.id, actor, body.reason);
    const accepted = await acceptSlip(deps, params.id, decision);
    if (accepted === 'NO_FACTS') throw refuse('INVALID_SLIP');
    if (accepted === 'unclear') throw refuse('UNSTABLE_REFERENCE');
    if (accepted === 'GONE') return changed(refuse, deps, params.id);
    return { state: (await getSlipOrThrow(refuse, deps, params.id)).status, approval: null };
  });
  declare(slips.refuseSlip, async ({ params, body, actor, refuse }) => {
    const decision = await requireMine(refuse, deps, params.id, actor, body.reason);
    if (!(await refuseSlip(deps, params.id, body.code, decision))) return changed(refuse, deps, params.id);
    return { state: 'FAILED', approval: null };
  });
  declare(slips.checkSlip, async ({ params, body, actor, refuse }) => {
    const decision = await requireMine(refuse, deps, params.id, actor, body.reason);
    if (!(await recheckSlip(deps, params.id, decision))) return changed(refuse, deps, params.id);
    return { state: 'PENDING', approval: null };
  });
}

type ListQuery = Omit<Static<typeof slips.listSlips.query>, 'page' | 'limit'>;

const filterOf = (deps: SearchDeps, query: ListQuery): SlipFilter => ({
  status: choicesOf(query.status),
  memberId: memberIdOf(query.member),
  ...searchOf(deps, query.q),
});

/** Declares the operator calls of slips. */
export function slipReviewCalls(
  declare: OperatorDeclare,
  deps: SlipReviewDeps & ExportDeps & SearchDeps,
): void {
  const { pool, reads, clock } = deps;
  declare(exports.exportSlips, async ({ params, query, actor, reply }) => {
    const source = exportSlips(filterOf(deps, query), query.sort ?? 'waiting');
    return sendExport(deps, { actor, reply, name: 'slips', ...params, filters: query }, source);
  });
  declare(slips.listSlips, async ({ query, operator }) => {
    const filter = filterOf(deps, query);
    const { rows, page } = await summedPage(
      query,
      { keys: SLIP_KEYS, standard: 'waiting' },
      (slice, counted) => listSlips(reads, filter, slice, counted),
    );
    return { slips: rows.map((row) => rowView(deps, row, operator)), ...page };
  });
  declare(slips.readSlip, async ({ params, operator, refuse }) =>
    detailView(deps, await getSlipOrThrow(refuse, deps, params.id), operator),
  );
  declare(slips.takeSlip, async ({ params, actor, refuse }) => {
    const row = await getSlipOrThrow(refuse, deps, params.id);
    if (row.status !== 'REVIEW') throw refuse('ROW_CHANGED', { state: row.status });
    return inTransaction(pool, async (tx) => {
      const taken = await takeAssignment(refuse, deps, tx, entityRef('slip', row.id), actor);
      await writeAudit(tx, actor, { action: 'slip.claim', subject: entityRef('slip', row.id) }, clock.now());
      return taken;
    });
  });
  declare(slips.releaseSlip, ({ params, actor }) =>
    inTransaction(pool, async (tx) => {
      const subject = entityRef('slip', params.id);
      if (await release(tx, subject, actor))
        await writeAudit(tx, actor, { action: 'slip.release', subject }, clock.now());
      return { message: 'OK' };
    }),
  );
  decisionCalls(declare, deps);
}

/** GET /api/operator/slips/{id}/image: the picture as it was cleaned and stored. */
export function slipImageRoute(app: FastifyInstance, deps: SlipReviewDeps, door: OperatorDoor): void {
  app.get('/api/operator/slips/:id/image', { schema: { hide: true } as never }, async (request, reply) => {
    await door(request, 'operator', 'slip.read');
    const { id } = request.params as { id: string };
    const jpeg = await deps.files.read((await getSlipOrThrow(refuseAny, deps, id)).file);
    if (!jpeg) throw refuseAny('NO_DATA');
    return reply.type('image/jpeg').send(jpeg);
  });
}
