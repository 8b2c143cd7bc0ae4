import { members } from '@krapao/contract/operator';
import { fromMinor, toMinor } from '@krapao/contract/shared';
import type { createSystemAccounts, Ledger } from '../../ledger/index.ts';
import type { Actor } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { newId } from '../../platform/ids.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  type ApprovalRow,
  actionRow,
  type CheckedAction,
  type PostingCode,
  recordSmallAction,
  requestApproval,
  requirePosted,
  requireWithinLimit,
} from '../approvals/read.ts';
import { operatorEntryItem } from './ledger.ts';
import { getMemberOrThrow, type MemberOperatorDeps } from './members.ts';
import { findEntry, type MemberDetailRow } from './queries.ts';

export interface EntryDeps extends MemberOperatorDeps {
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  settings: Settings;
}

interface Entry {
  member: string;
  makerId: string;
  direction: 'credit' | 'debit';
  category: string;
  amountMinor: string;
  reason: string;
  key: string;
}

/** The response to a repeat under the same key: the first response, or a refusal when the key was for another request. */
async function repeated(
  refuse: Refuse<'IDEMPOTENCY_CONFLICT'>,
  deps: EntryDeps,
  entry: Entry,
): Promise<boolean> {
  const before = await findEntry(deps.pool, BigInt(entry.makerId), entry.key);
  if (!before) return false;
  const isSame =
    String(before.member_id) === entry.member &&
    before.direction === entry.direction &&
    before.category === entry.category &&
    String(before.amount) === entry.amountMinor;
  if (!isSame) throw refuse('IDEMPOTENCY_CONFLICT');
  return true;
}

/** Books an operator's entry exactly once under their key, with its statement row and audit row. */
async function book(
  refuse: Refuse<PostingCode | 'APPROVAL_LAPSED' | 'IDEMPOTENCY_CONFLICT' | 'OPERATOR_LIMIT'>,
  deps: EntryDeps,
  actor: Actor,
  row: MemberDetailRow,
  entry: Entry,
  request: Pick<ApprovalRow, 'id' | 'maker'> | null,
): Promise<void> {
  const now = deps.clock.now();
  const id = newId('MN', now);
  const amountMinor = BigInt(entry.amountMinor);
  const auditEntry = {
    action: `manual.${entry.direction}`,
    subject: entityRef('member', row.id),
    before: { wallet: row.wallet },
    after: {
      id,
      amount: amountMinor,
      currency: row.currency,
      category: entry.category,
      maker: request?.maker,
    },
    reason: entry.reason,
  };
  const outcome = await deps.ledger.post(
    operatorEntryItem(
      {
        id,
        member: row,
        system: await deps.systemAccount('manual', row.currency),
        direction: entry.direction,
        amountMinor,
      },
      {
        makerId: entry.makerId,
        key: entry.key,
        category: entry.category,
        action: actionRow(actor, auditEntry, { at: now, approvalId: request?.id ?? null }),
      },
    ),
  );
  if (outcome.state === 'repeated') {
    if (request) throw refuse('APPROVAL_LAPSED');
    if (await repeated(refuse, deps, entry)) return;
  }
  await requirePosted<'OPERATOR_LIMIT'>(refuse, outcome, async () => undefined);
}

/** What of manual entries waits for a second person. */
export function entryActions(deps: EntryDeps): CheckedAction[] {
  return [
    {
      name: 'manual.entry',
      permission: 'approval.money',
      madeWith: ['entry.make'],
      async carryOut(refuse, request, actor) {
        const entry = request.payload as Entry;
        await book(refuse, deps, actor, await getMemberOrThrow(refuse, deps, entry.member), entry, request);
        return { state: 'SUCCESS' };
      },
    },
  ];
}

/** The request, where one person may not do this alone; null where they may. */
const requestUnlessSmall = (
  refuse: Refuse<'APPROVAL_PENDING' | 'OPERATOR_LIMIT'>,
  deps: EntryDeps,
  actor: Actor,
  row: MemberDetailRow,
  entry: Entry,
): Promise<string | null> =>
  inTransaction(deps.pool, async (tx) => {
    const { direction, category, reason, key } = entry;
    const { id, name, currency } = row;
    const amount = BigInt(entry.amountMinor);
    const isSmall = await recordSmallAction(deps, tx, {
      operatorId: actor.id,
      reference: `entry:${key}`,
      direction,
      unit: currency,
      amount,
      members: [id],
      isBatch: false,
    });
    if (isSmall) {
      // What is above their limit does not count as done alone; the ledger's guard checks again under this reference.
      const reference = `entry:${key}:${amount}`;
      if (direction === 'credit')
        await requireWithinLimit(refuse, deps, tx, actor, { kind: 'credit', currency, amount, reference });
      return null;
    }
    return requestApproval(refuse, deps, tx, actor, {
      action: 'manual.entry',
      subject: entityRef('member', id),
      payload: entry,
      summary: { member: id, name, direction, category, amount: fromMinor(amount, currency), currency },
      reason,
    });
  });

/** Handles manual credits and debits. */
export function entryCall(declare: OperatorDeclare, deps: EntryDeps): void {
  declare(members.enterManually, async ({ params, body, actor, refuse }) => {
    const row = await getMemberOrThrow(refuse, deps, params.id);
    const { direction, category, reason, key } = body;
    const amountMinor = toMinor(body.amount, row.currency);
    if (amountMinor === null) throw refuse('TRANSFER_MINIMUM');
    const entry: Entry = {
      member: String(row.id),
      makerId: String(actor.id),
      direction,
      category,
      amountMinor: String(amountMinor),
      reason,
      key,
    };
    if (await repeated(refuse, deps, entry)) return { state: 'SUCCESS', approval: null };
    if (direction === 'debit' && row.wallet < amountMinor) throw refuse('MONEY_NOT_ENOUGH');
    const approval = await requestUnlessSmall(refuse, deps, actor, row, entry);
    if (approval) return { state: 'PENDING', approval };
    await book(refuse, deps, actor, row, entry, null);
    return { state: 'SUCCESS', approval: null };
  });
}
