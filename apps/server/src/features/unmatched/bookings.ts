import { money } from '@krapao/contract/operator';
import type { Actor } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { actionRow, type CheckedAction, type PostingCode, requirePosted } from '../approvals/read.ts';
import { assignedAfter } from '../assignments/read.ts';
import { bankTransactionUse } from '../deposits/read.ts';
import {
  type BankTransactionRow,
  type BookingRow,
  findBookingOwner,
  findReturnSource,
  listBookings,
  readState,
} from './queries.ts';
import { getBankTransactionOrThrow, getPayeeOrThrow, requestEnd, type UnmatchedDeps } from './unmatched.ts';

/** A booking that may already contain the money of a transaction, as operators see it. */
export const bookingView = ({ kind, id, created_at }: BookingRow) => ({
  kind,
  id,
  at: new Date(created_at).toISOString(),
});

/** The payment report, or the withdrawal whose return was booked, whose money a transaction is. */
interface Booking {
  kind: (typeof money.TIED_KINDS)[number];
  booking: string;
}

const namedBooking = ({ kind, booking }: Booking) =>
  kind === 'report' ? { report: booking } : { withdrawal: booking };

/** The account that the booking took the money from, which the transaction gives back. */
async function sourceOf(
  refuse: Refuse<'ROW_CHANGED'>,
  deps: UnmatchedDeps,
  row: BankTransactionRow,
  { kind, booking }: Booking,
): Promise<bigint> {
  if (kind === 'report') return deps.systemAccount('manual', row.currency);
  const source = await findReturnSource(deps.pool, booking);
  if (source === undefined) throw refuse('ROW_CHANGED', { state: row.state });
  return source;
}

/**
 * Books exactly once that a transaction is the money of a booking made before. Throws ROW_CHANGED when it cannot be.
 */
async function tie(
  refuse: Refuse<PostingCode | 'APPROVAL_PENDING'>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: BankTransactionRow,
  end: Booking & { reason: string | null; approvalId: string | null },
): Promise<void> {
  const now = deps.clock.now();
  const auditEntry = {
    action: 'unmatched.tie',
    subject: entityRef('unmatched', row.id),
    before: { state: row.state },
    after: { state: 'CREDITED', amount: row.amount, currency: row.currency, ...namedBooking(end) },
    reason: end.reason,
  };
  const from = await deps.systemAccount('unmatched', row.currency);
  const to = await sourceOf(refuse, deps, row, end);
  const outcome = await deps.ledger.post({
    reference: bankTransactionUse(row),
    kind: end.kind === 'report' ? 'deposit_reported' : 'withdrawal_returned',
    legs: [{ from, to, amountMinor: row.amount }],
    attached: {
      name: 'operator_booked_transaction',
      row: {
        action: actionRow(actor, auditEntry, {
          at: now,
          approvalId: end.approvalId,
          assignedAfter: end.approvalId ? null : assignedAfter(deps),
        }),
        bankTransactionId: row.id,
        kind: end.kind,
        bookingId: end.booking,
      },
    },
    // No other transaction becomes the money of the booking in the same batch.
    exclusive: [`${end.kind} ${end.booking}`],
  });
  await requirePosted<'APPROVAL_PENDING'>(refuse, outcome, () => readState(deps.pool, row.id));
}

/** The requests to tie bank transactions that wait for a second person. */
export const bookingActions = (deps: UnmatchedDeps): CheckedAction[] => [
  {
    name: 'unmatched.tie',
    permission: 'approval.money',
    madeWith: ['unmatched.settle'],
    async carryOut(refuse, { id: approvalId, payload, reason }, actor) {
      const { id, ...booking } = payload as Booking & { id: string };
      const row = await getBankTransactionOrThrow(refuse, deps, id);
      await tie(refuse, deps, actor, row, { ...booking, reason, approvalId });
      return { state: 'CREDITED' };
    },
  },
];

/** Serves operators the bookings that may already contain the money of a bank transaction, and tying it to one. */
export function bookingCalls(declare: OperatorDeclare, deps: UnmatchedDeps): void {
  declare(money.listBookings, async ({ params, query, operator, refuse }) => {
    const row = await getBankTransactionOrThrow(refuse, deps, params.id);
    const payee = await getPayeeOrThrow(refuse, deps, operator, row, query.member);
    return { bookings: (await listBookings(deps.pool, row.id, payee.id)).map(bookingView) };
  });
  declare(money.tieUnmatched, async ({ params, body, actor, refuse }) => {
    const row = await getBankTransactionOrThrow(refuse, deps, params.id);
    const { reason, ...booking } = body;
    const owner = await findBookingOwner(deps.pool, row.id, booking);
    if (!owner) throw refuse('ROW_CHANGED', { state: row.state });
    if (!deps.settings.get('desk.makerChecker')) {
      await tie(refuse, deps, actor, row, { ...booking, reason, approvalId: null });
      return { state: 'CREDITED', approval: null };
    }
    return requestEnd(refuse, deps, actor, row, {
      action: 'unmatched.tie',
      payload: { id: String(row.id), ...booking },
      summary: { member: owner.id, name: owner.name, ...namedBooking(booking) },
      reason,
    });
  });
}
