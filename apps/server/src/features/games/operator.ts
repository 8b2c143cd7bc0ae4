import { exports, money } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Db } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { choicesOf } from '../../platform/http/choices.ts';
import { boundedTotals, countedOf, type PagingName, pageOf, sliceOf } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { memberIdOf, timesOf } from '../../platform/http/list.ts';
import { addJob } from '../../platform/jobs.ts';
import { type SearchDeps, searchOf } from '../../platform/member-search.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  type ApprovalRow,
  actionRow,
  type CheckedAction,
  type PostingCode,
  requestApproval,
  requirePosted,
} from '../approvals/read.ts';
import { transferEndItem } from './ledger.ts';
import type { GameDeps } from './move.ts';
import {
  exportForOperators,
  listForOperators,
  TRANSFER_KEYS,
  type TransferFilter,
} from './operator-queries.ts';
import { findAccount, findTransfer, lockTransfer, type TransferRow } from './queries.ts';

const isOpen = (row: TransferRow): boolean => row.state === 'RESERVED' || row.state === 'UNKNOWN';
const CREDIT_HUNDREDTHS = 100;

async function getUnknownOrThrow(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  db: Db,
  id: string,
): Promise<TransferRow> {
  const row = await findTransfer(db, id);
  if (!row) throw refuse('NO_DATA');
  if (row.state !== 'UNKNOWN') throw refuse('ROW_CHANGED', { state: row.state });
  return row;
}

interface Settlement {
  id: string;
  outcome: 'DONE' | 'FAILED';
  evidence: string;
}

/** Books the end of a transfer on the provider's evidence, exactly once: the resolver's end has the same reference. */
async function settle(
  refuse: Refuse<PostingCode | 'NO_DATA'>,
  deps: GameDeps,
  actor: Actor,
  { id, outcome: end, evidence }: Settlement,
  request: Pick<ApprovalRow, 'id' | 'maker'> | null,
): Promise<void> {
  const row = await getUnknownOrThrow(refuse, deps.pool, id);
  const account = await findAccount(deps.pool, row.member_id, row.slot_code);
  if (!account) throw new Error(`transfer ${id} has no game account`);
  const done = end === 'DONE';
  const auditEntry = {
    action: 'transfer.settle',
    subject: entityRef('transfer', id),
    before: { state: row.state },
    after: { state: end, amount: row.amount, currency: row.currency, maker: request?.maker },
    reason: evidence,
  };
  const rounding = await deps.systemAccount('rounding', row.currency);
  const action = actionRow(actor, auditEntry, { at: deps.clock.now(), approvalId: request?.id ?? null });
  const outcome = await deps.ledger.post(transferEndItem(row, account, done, rounding, action));
  await requirePosted(refuse, outcome, async () => (await findTransfer(deps.pool, id))?.state);
}

/** What of transfers waits for a second person. */
export function transferActions(deps: GameDeps): CheckedAction[] {
  return [
    {
      name: 'transfer.settle',
      permission: 'approval.money',
      madeWith: ['transfer.settle'],
      async carryOut(refuse, request, actor) {
        const settlement = request.payload as Settlement;
        await settle(refuse, deps, actor, settlement, request);
        return { state: settlement.outcome };
      },
    },
  ];
}

type ListQuery = Omit<Static<typeof money.listTransfers.query>, PagingName>;

const filterOf = (deps: SearchDeps, { state, ...query }: ListQuery): TransferFilter => ({
  ...timesOf(query),
  state: choicesOf(state, { OPEN: ['RESERVED', 'UNKNOWN'] }),
  game: choicesOf(query.game),
  memberId: memberIdOf(query.member),
  ...searchOf(deps, query.q),
});

/** Declares the operator calls of transfers to and from providers. */
export function transferOperatorCalls(
  declare: OperatorDeclare,
  deps: GameDeps & ExportDeps & SearchDeps,
): void {
  declare(exports.exportTransfers, async ({ params, query, actor, reply }) => {
    const source = exportForOperators(filterOf(deps, query), query.sort ?? '-createdAt');
    return sendExport(deps, { actor, reply, name: 'transfers', ...params, filters: query }, source);
  });
  declare(money.listTransfers, async ({ query }) => {
    const filter = filterOf(deps, query);
    const counted = countedOf(query);
    const slice = sliceOf(query, TRANSFER_KEYS, '-createdAt');
    const { rows: found, sums } = await listForOperators(deps.reads, filter, slice, counted);
    const { rows, turns } = pageOf(found, slice);
    return {
      transfers: rows.map((row) => ({
        id: row.id,
        member: { id: String(row.member_id), name: row.member_name },
        game: row.slot_code,
        gameName: row.slot_name,
        direction: row.direction,
        amount: fromMinor(row.amount, row.currency),
        currency: row.currency,
        credits: Number(row.credits) / CREDIT_HUNDREDTHS,
        state: row.state,
        asked: row.asked,
        createdAt: row.created_at.toISOString(),
        approval: row.approval,
      })),
      ...boundedTotals(sums, counted),
      ...turns,
    };
  });
  declare(money.checkTransfer, ({ params, actor, refuse }) =>
    inTransaction(deps.pool, async (tx) => {
      const row = await findTransfer(tx, params.id);
      if (!row) throw refuse('NO_DATA');
      if (!isOpen(row)) throw refuse('ROW_CHANGED', { state: row.state });
      await addJob(tx, 'transfers.resolve', { id: row.id }, { key: `transfers.resolve:${row.id}` });
      await writeAudit(
        tx,
        actor,
        { action: 'transfer.ask', subject: entityRef('transfer', row.id) },
        deps.clock.now(),
      );
      return { state: row.state, approval: null };
    }),
  );
  declare(money.settleTransfer, async ({ params, body, actor, refuse }) => {
    const row = await getUnknownOrThrow(refuse, deps.pool, params.id);
    const settlement = { id: row.id, ...body };
    if (!deps.settings.get('desk.makerChecker')) {
      await settle(refuse, deps, actor, settlement, null);
      return { state: body.outcome, approval: null };
    }
    return inTransaction(deps.pool, async (tx) => {
      // A request about a transfer that ends meanwhile would not lapse with it.
      await lockTransfer(tx, row.id);
      await getUnknownOrThrow(refuse, tx, row.id);
      const { id, member_id: member, slot_code: game, direction, currency } = row;
      const amount = fromMinor(row.amount, currency);
      const approval = await requestApproval(refuse, deps, tx, actor, {
        action: 'transfer.settle',
        subject: entityRef('transfer', id),
        payload: settlement,
        summary: { id, member, game, direction, amount, currency, to: body.outcome },
        reason: body.evidence,
      });
      return { state: row.state, approval };
    });
  });
}
