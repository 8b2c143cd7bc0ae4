import { money } from '@krapao/contract/operator';
import { fromMinor, toMinor } from '@krapao/contract/shared';
import { type Actor, writeAudit } from '../../../platform/audit.ts';
import type { Db } from '../../../platform/database/db.ts';
import { entityRef } from '../../../platform/entity-ref.ts';
import { countedPage } from '../../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../../platform/http/declare-operator.ts';
import type { ExportDeps } from '../../../platform/http/export-file.ts';
import { addJob } from '../../../platform/jobs.ts';
import type { Refuse } from '../../../platform/refusal.ts';
import { inTransaction } from '../../../platform/transaction.ts';
import {
  actionRow,
  type CheckedAction,
  type PostingCode,
  requestApproval,
  requirePosted,
} from '../../approvals/read.ts';
import { giftEndItem } from './ledger.ts';
import { GIFT_KEYS, listOpenGiftsForOperators } from './operator-queries.ts';
import { findGift, type GiftRow, lockGift } from './queries.ts';
import type { GiftDeps } from './settle.ts';

const SHOWN = 4;
/** A voucher's code is worth its money: only its end is shown. */
const maskedCode = (code: string): string => `••${code.slice(-SHOWN)}`;

async function getOpenOrThrow(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  db: Db,
  id: string,
): Promise<GiftRow> {
  const row = await findGift(db, id);
  if (!row) throw refuse('NO_DATA');
  if (row.state !== 'UNKNOWN') throw refuse('ROW_CHANGED', { state: row.state });
  return row;
}

interface Settlement {
  id: string;
  /** Satang our wallet has received, as text; null: nothing. */
  receivedMinor: string | null;
  evidence: string;
}

/** Books a gift's end on the evidence of our wallet's own statement, exactly once: the resolver's end has the same reference. */
async function settle(
  refuse: Refuse<PostingCode | 'NO_DATA'>,
  deps: GiftDeps,
  actor: Actor,
  { id, receivedMinor, evidence }: Settlement,
  request: { id: string; maker: string } | null,
): Promise<string> {
  const row = await getOpenOrThrow(refuse, deps.pool, id);
  const amountMinor = receivedMinor === null ? null : BigInt(receivedMinor);
  const state = amountMinor === null ? 'FAILED' : 'DONE';
  const auditEntry = {
    action: 'gift.settle',
    subject: entityRef('gift', id),
    before: { state: row.state },
    after: {
      state,
      amount: amountMinor,
      currency: 'BAHT',
      member: row.member_id,
      maker: request?.maker,
    },
    reason: evidence,
  };
  const action = actionRow(actor, auditEntry, { at: deps.clock.now(), approvalId: request?.id ?? null });
  const end = amountMinor === null ? { reason: 'settled' } : { amountMinor };
  const from = await deps.systemAccount('gift', 'BAHT');
  const outcome = await deps.ledger.post(giftEndItem(row, end, from, action));
  await requirePosted(refuse, outcome, async () => (await findGift(deps.pool, id))?.state);
  return state;
}

/** What of gifts waits for a second person. */
export const giftActions = (deps: GiftDeps): CheckedAction[] => [
  {
    name: 'gift.settle',
    permission: 'approval.money',
    madeWith: ['transfer.settle'],
    carryOut: async (refuse, request, actor) => ({
      state: await settle(refuse, deps, actor, request.payload as Settlement, request),
    }),
  },
];

function settleCall(declare: OperatorDeclare, deps: GiftDeps): void {
  declare(money.settleGift, async ({ params, body, actor, refuse }) => {
    const row = await getOpenOrThrow(refuse, deps.pool, params.id);
    const amountMinor = body.received === undefined ? null : toMinor(body.received, 'BAHT');
    // A gift brings what it was looked at for, or less.
    if (body.received !== undefined && (amountMinor === null || amountMinor > row.expected))
      throw refuse('TRANSFER_MINIMUM');
    const settlement: Settlement = {
      id: row.id,
      receivedMinor: amountMinor === null ? null : String(amountMinor),
      evidence: body.evidence,
    };
    if (!deps.settings.get('desk.makerChecker'))
      return { state: await settle(refuse, deps, actor, settlement, null), approval: null };
    return inTransaction(deps.pool, async (tx) => {
      // A request about a redemption that ends meanwhile would not lapse with it.
      await lockGift(tx, row.id);
      await getOpenOrThrow(refuse, tx, row.id);
      const summary = {
        id: row.id,
        member: row.member_id,
        amount: fromMinor(amountMinor ?? row.expected, 'BAHT'),
        currency: 'BAHT',
        to: amountMinor === null ? 'FAILED' : 'DONE',
      };
      const approval = await requestApproval(refuse, deps, tx, actor, {
        ...{ action: 'gift.settle', subject: entityRef('gift', row.id) },
        ...{ payload: settlement, summary, reason: body.evidence },
      });
      return { state: row.state, approval };
    });
  });
}

/** Declares the operator calls of gifts whose response was lost. */
export function giftOperatorCalls(
  declare: OperatorDeclare,
  deps: GiftDeps & Pick<ExportDeps, 'reads'>,
): void {
  declare(money.listGifts, async ({ query }) => {
    const list = { keys: GIFT_KEYS, standard: 'triedAt' };
    const { rows, page } = await countedPage(query, list, (slice, counted) =>
      listOpenGiftsForOperators(deps.reads, slice, counted),
    );
    return {
      gifts: rows.map((row) => ({
        id: row.id,
        member: { id: String(row.member_id), name: row.member_name },
        code: maskedCode(row.code),
        expected: fromMinor(row.expected, 'BAHT'),
        state: row.state,
        asked: row.asked,
        createdAt: row.created_at.toISOString(),
        approval: row.approval,
      })),
      ...page,
    };
  });
  declare(money.checkGift, ({ params, actor, refuse }) =>
    inTransaction(deps.pool, async (tx) => {
      const row = await findGift(tx, params.id);
      if (!row) throw refuse('NO_DATA');
      if (row.state !== 'SENT' && row.state !== 'UNKNOWN') throw refuse('ROW_CHANGED', { state: row.state });
      await addJob(tx, 'gifts.resolve', { id: row.id }, { key: `gifts.resolve:${row.id}` });
      await writeAudit(
        tx,
        actor,
        { action: 'gift.ask', subject: entityRef('gift', row.id) },
        deps.clock.now(),
      );
      return { state: row.state, approval: null };
    }),
  );
  settleCall(declare, deps);
}
