/** Paying a bill-payment QR and transferring between accounts, as a customer does in a bank app. */
import { type BillPayment, minorToDecimal, parseBillPayment, parseLaoQr } from '@krapao/contract/shared';
import { plan } from '../environment/agenda.ts';
import { nowMs } from '../environment/clock.ts';
import { type Environment, nextNumber } from '../environment/environment.ts';
import { happen } from '../environment/happenings.ts';
import type { Account, Payment } from '../environment/state.ts';
import { gatewayOfBiller } from '../gateways/merchants.ts';
import {
  accountKey,
  COMPANY,
  currencyOf,
  findAccount,
  moveMoney,
  receivingAccount,
  transRefOf,
  WATCHED,
} from './accounts.ts';
import { startConfirmation } from './confirmation.ts';

/** The receiver our static code in kip names, and whose account that is. */
const LAO = 'LAPNET:';
const LAO_RECEIVER = 'KRAPAO0001';
const LAO_COMPANY = WATCHED.find(({ bankCode }) => bankCode === 'BCEL')!;

/** Why the bank app refuses. */
export type BankRefusal =
  | 'UNREADABLE_QR'
  | 'UNKNOWN_BILLER'
  | 'AMOUNT_NEEDED'
  | 'UNKNOWN_ACCOUNT'
  | 'INVALID_ACCOUNT'
  | 'SAME_ACCOUNT'
  | 'INSUFFICIENT_FUNDS';

/** A code of the Lao network as a bill without a reference; the sandbox counts hundredths of kip. */
function readLaoQr(payload: string): BillPayment | null {
  const code = parseLaoQr(payload);
  if (!code) return null;
  const amount = code.amountMinor === undefined ? {} : { amountMinor: code.amountMinor * 100n };
  return { billerId: `${LAO}${code.receiver}`, reference1: '', ...amount };
}

/** Pays a code of the Lao network: a transfer like any other, without a notification. */
function payLao(
  environment: Environment,
  from: Account,
  bill: BillPayment,
  amountMinor: bigint,
): Payment | BankRefusal {
  const { bankCode, accountNo } = LAO_COMPANY;
  if (currencyOf(from) !== 'LAK') return 'INVALID_ACCOUNT';
  const made = transfer(environment, {
    fromKey: accountKey(from),
    toBank: bankCode,
    toAccount: accountNo,
    amountMinor,
  });
  if (typeof made === 'string') return made;
  const { billerId, reference1 } = bill;
  const transRef = 'transRef' in made ? made.transRef : '';
  const fromKey = accountKey(from);
  return {
    transactionId: transRef,
    transRef,
    fromKey,
    billerId,
    amountMinor,
    reference1,
    reference2: '',
    atMs: nowMs(environment),
  };
}

/** The account behind a bill: the product's own, or a gateway's. */
export const payeeOf = ({
  billerId,
}: BillPayment): Pick<Account, 'bankCode' | 'accountNo' | 'name'> | null =>
  billerId === COMPANY.billerId
    ? COMPANY
    : billerId === LAO + LAO_RECEIVER
      ? LAO_COMPANY
      : (gatewayOfBiller(billerId)?.account ?? null);

/** Reads a QR text as this bank would, or says why it cannot be paid. */
export function readQr(payload: string): BillPayment | BankRefusal {
  const bill = parseBillPayment(payload.trim()) ?? readLaoQr(payload.trim());
  if (!bill) return 'UNREADABLE_QR';
  return payeeOf(bill) ? bill : 'UNKNOWN_BILLER';
}

/** Pays a bill from an account and starts the confirmation. Every call is a payment of its own. */
export function payBill(
  environment: Environment,
  from: Account,
  bill: BillPayment,
  amountMinor: bigint,
): Payment | BankRefusal {
  if (bill.billerId.startsWith(LAO)) return payLao(environment, from, bill, amountMinor);
  const to = findAccount(environment, accountKey(payeeOf(bill)!))!;
  const transRef = transRefOf(environment, from.bankCode);
  const moved = moveMoney(environment, {
    from,
    to,
    amountMinor,
    kind: 'bill-payment',
    reference: bill.reference1,
    transRef,
  });
  if (!moved) return from === to ? 'SAME_ACCOUNT' : 'INSUFFICIENT_FUNDS';
  const payment: Payment = {
    transactionId: `BA${String(nextNumber(environment, 'payment')).padStart(10, '0')}`,
    transRef,
    fromKey: accountKey(from),
    billerId: bill.billerId,
    amountMinor,
    reference1: bill.reference1,
    reference2: bill.reference2 ?? '',
    atMs: nowMs(environment),
  };
  environment.state.payments.set(transRef, payment);
  happen(environment, 'payment', {
    reference: bill.reference1,
    facts: { transRef, amount: minorToDecimal(amountMinor, 2) },
  });
  startConfirmation(environment, payment);
  return payment;
}

export interface QrOrder {
  payload: string;
  fromKey: string;
  /** Overrides the amount in the code; needed when the code has none. */
  amountMinor?: bigint;
  times?: number;
  delayMs?: number;
}

/** What became of an order: payments made now, or the virtual time they are planned for. */
export interface QrResult {
  payments: Payment[];
  plannedForMs: number | null;
}

/** Pays a QR, once or several times, now or later. Stops at the first refusal. */
export function payQr(environment: Environment, order: QrOrder): QrResult | BankRefusal {
  const bill = readQr(order.payload);
  if (typeof bill === 'string') return bill;
  const from = findAccount(environment, order.fromKey);
  if (!from) return 'UNKNOWN_ACCOUNT';
  const amountMinor = order.amountMinor ?? bill.amountMinor;
  if (amountMinor === undefined || amountMinor <= 0n) return 'AMOUNT_NEEDED';
  if (order.delayMs) {
    const dueMs = nowMs(environment) + order.delayMs;
    const later = { payload: order.payload, fromKey: accountKey(from), amount: String(amountMinor) };
    for (let time = 0; time < (order.times ?? 1); time++)
      plan(environment, 'pay-qr', JSON.stringify(later), dueMs);
    return { payments: [], plannedForMs: dueMs };
  }
  const payments: Payment[] = [];
  for (let time = 0; time < (order.times ?? 1); time++) {
    const payment = payBill(environment, from, bill, amountMinor);
    if (typeof payment === 'string') return payments.length ? { payments, plannedForMs: null } : payment;
    payments.push(payment);
  }
  return { payments, plannedForMs: null };
}

/** Agenda: a payment that was ordered for later. A payer who has too little by then simply does not pay. */
export function runPayQr(environment: Environment, subject: string): void {
  const { payload, fromKey, amount } = JSON.parse(subject) as Record<
    'payload' | 'fromKey' | 'amount',
    string
  >;
  payQr(environment, { payload, fromKey, amountMinor: BigInt(amount) });
}

export interface TransferOrder {
  fromKey: string;
  toBank: string;
  toAccount: string;
  amountMinor: bigint;
  delayMs?: number;
}

/** Where a transfer would arrive: the account and how its name shows, or why it cannot. */
export function readTransfer(
  environment: Environment,
  order: TransferOrder,
): { from: Account; to: Account } | BankRefusal {
  const from = findAccount(environment, order.fromKey);
  if (!from) return 'UNKNOWN_ACCOUNT';
  const accountNo = order.toAccount.replace(/\D/g, '');
  const to = receivingAccount(environment, order.toBank, accountNo, accountNo);
  if (!to) return 'INVALID_ACCOUNT';
  if (to === from) return 'SAME_ACCOUNT';
  return from.balanceMinor < order.amountMinor ? 'INSUFFICIENT_FUNDS' : { from, to };
}

/** Transfers to any plausible account and answers the bank's reference, or the time it is planned for. */
export function transfer(
  environment: Environment,
  order: TransferOrder,
): { transRef: string } | { plannedForMs: number } | BankRefusal {
  const read = readTransfer(environment, order);
  if (typeof read === 'string') return read;
  if (order.delayMs) {
    const plannedForMs = nowMs(environment) + order.delayMs;
    const { fromKey, toBank, toAccount, amountMinor } = order;
    plan(
      environment,
      'transfer',
      JSON.stringify({ fromKey, toBank, toAccount, amount: String(amountMinor) }),
      plannedForMs,
    );
    return { plannedForMs };
  }
  const transRef = transRefOf(environment, read.from.bankCode);
  moveMoney(environment, {
    ...read,
    amountMinor: order.amountMinor,
    kind: 'transfer',
    reference: transRef,
    transRef,
  });
  return { transRef };
}

/** Agenda: a transfer that was ordered for later. */
export function runTransfer(environment: Environment, subject: string): void {
  const { amount, ...order } = JSON.parse(subject) as Record<
    'fromKey' | 'toBank' | 'toAccount' | 'amount',
    string
  >;
  transfer(environment, { ...order, amountMinor: BigInt(amount) });
}
