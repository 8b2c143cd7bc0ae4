import type { Pool } from 'pg';
import type { CompanionValue, createHouseAccounts, Ledger } from '../../ledger/index.ts';
import { recordText } from '../../ledger/index.ts';
import type { BankPayment, QrMaker } from '../../outside/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { findPayee, findQr, type PayeeRow, type QrRow } from './queries.ts';

export interface ReceiveDeps {
  pool: Pool;
  ledger: Ledger;
  house: ReturnType<typeof createHouseAccounts>;
  secrets: Secrets;
  clock: Clock;
}

/** Who received a payment: a bank or a gateway. */
type Maker = Pick<QrMaker, 'code'>;

/** "1234567890" as xxx-x-x6789-x: enough to recognise, too little to use. */
export function maskAccount(digits: string): string {
  const plain = digits.replace(/\D/g, '');
  return `xxx-x-x${plain.slice(-5, -1)}-x`;
}

/** One bank line as its composite type lists it. */
function lineValues(
  deps: ReceiveDeps,
  maker: Maker,
  payment: BankPayment,
  likely: bigint | null,
  reason: string | null,
): CompanionValue[] {
  const payer = JSON.stringify({ account: payment.payerAccount, name: payment.payerName });
  return [
    maker.code,
    payment.bankReference,
    payment.amountMinor,
    payment.payerBank,
    maskAccount(payment.payerAccount),
    `\\x${deps.secrets.encrypt('payer', payer).toString('hex')}`,
    payment.reference1,
    payment.paidAt,
    likely,
    reason,
  ];
}

/** Whether the payment came from another account than the member's registered one. */
function isStranger(deps: ReceiveDeps, payment: BankPayment, payee: PayeeRow): boolean {
  const digits = payment.payerAccount.replace(/\D/g, '');
  const fingerprint = deps.secrets.fingerprint('bank-account', `${payee.bank_code} ${digits}`);
  return payee.bot_code !== payment.payerBank || !fingerprint.equals(payee.account_no_fingerprint);
}

/** The bank's reference makes a payment once-only, however often and by whatever way it is reported. */
const referenceOf = (maker: Maker, payment: BankPayment): string =>
  `bank:${maker.code}:${payment.bankReference}`;

async function credit(
  deps: ReceiveDeps,
  maker: Maker,
  payment: BankPayment,
  qr: QrRow,
): Promise<'credited' | 'known' | { closed: string }> {
  const payee = await findPayee(deps.pool, qr.member_id);
  const outcome = await deps.ledger.post({
    reference: referenceOf(maker, payment),
    kind: 'deposit_qr',
    memberId: payee.id,
    legs: [
      {
        from: await deps.house(`bank:${maker.code}`, 'BAHT'),
        to: payee.wallet_account,
        amountMinor: payment.amountMinor,
      },
    ],
    companion: {
      name: 'qr_payment',
      values: [
        recordText(lineValues(deps, maker, payment, null, null)),
        newId('DP', deps.clock.now()),
        payee.id,
        qr.id,
        isStranger(deps, payment, payee),
      ],
    },
    exclusive: [`qr ${qr.id}`],
  });
  if (outcome.state === 'posted') return 'credited';
  if (outcome.state === 'repeated') return 'known';
  if (outcome.state === 'refused') return { closed: outcome.body.message };
  throw new Error(`QR payment ended as ${outcome.state}`);
}

/** Money that has no owner yet is booked where operators see it; the bank has it, so dropping it would be theft. */
async function park(
  deps: ReceiveDeps,
  maker: Maker,
  payment: BankPayment,
  likely: bigint | null,
  reason: string,
): Promise<'unmatched' | 'known'> {
  const outcome = await deps.ledger.post({
    reference: referenceOf(maker, payment),
    kind: 'deposit_unmatched',
    legs: [
      {
        from: await deps.house(`bank:${maker.code}`, 'BAHT'),
        to: await deps.house('unmatched', 'BAHT'),
        amountMinor: payment.amountMinor,
      },
    ],
    companion: { name: 'unmatched_line', values: lineValues(deps, maker, payment, likely, reason) },
  });
  return outcome.state === 'posted' ? 'unmatched' : 'known';
}

/**
 * Books a payment a bank or a gateway reports, exactly once: to the member whose open QR it pays, with what really
 * arrived; late, second and unknown payments to unmatched. Answers what it was booked as; a repeat is `known`.
 */
export async function receivePayment(
  deps: ReceiveDeps,
  maker: Maker,
  payment: BankPayment,
): Promise<'credited' | 'unmatched' | 'known'> {
  const qr = await findQr(deps.pool, payment.reference1);
  if (!qr || qr.bank_code !== maker.code) return park(deps, maker, payment, null, 'UNKNOWN_REFERENCE');
  const credited = await credit(deps, maker, payment, qr);
  return typeof credited === 'string' ? credited : park(deps, maker, payment, qr.member_id, credited.closed);
}
