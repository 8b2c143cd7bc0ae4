import type { BankPayment, QrMaker } from '../../../outside/index.ts';
import type { OpenAlert } from '../../../platform/alerts.ts';
import { type MatchDeps, type Settled, settle, type Transfer } from './match.ts';
import { ownerByReference, ownerBySender } from './owners.ts';
import { findQrAccount } from './queries.ts';

export interface ReceiveDeps extends MatchDeps {
  alert: OpenAlert;
}

/**
 * Books a transfer reported by a bank: to the member whose QR it names, else to the one who sent it, else to unmatched.
 * Safe to repeat.
 */
export async function receiveTransfer(deps: MatchDeps, transfer: Transfer): Promise<Settled> {
  const named = await ownerByReference(deps, transfer);
  if (!named) {
    // Any person can pay a bill: without its reference its owner is unknown.
    const isBill = transfer.reference1 !== null;
    const noOwner = { likely: [], reason: 'UNKNOWN_REFERENCE' };
    return settle(deps, transfer, isBill ? noOwner : await ownerBySender(deps, transfer));
  }
  const settled = await settle(deps, transfer, named);
  return settled.booked === 'refused' && 'memberId' in named
    ? settle(deps, transfer, { likely: [named.memberId], reason: settled.code })
    : settled;
}

/**
 * Books a payment a bank or a gateway reports, exactly once: to the member whose open QR it pays, with what really
 * arrived; late, second and unknown payments to unmatched. Returns what it was booked as; a repeat is `known`.
 */
export async function receivePayment(
  deps: MatchDeps,
  maker: Pick<QrMaker, 'code'>,
  payment: BankPayment,
): Promise<Settled['booked']> {
  const { bankReference, amountMinor, payerBank, payerAccount, payerName, reference1, paidAt } = payment;
  const { booked } = await receiveTransfer(deps, {
    source: 'QR',
    bankCode: maker.code,
    accountNo: await findQrAccount(deps.pool, maker.code),
    currency: 'BAHT',
    bankReference,
    amountMinor,
    payerBank,
    payerAccount,
    payerName,
    reference1,
    paidAt,
  });
  return booked;
}
