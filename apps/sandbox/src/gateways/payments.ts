/** A merchant's request to a gateway, and the payments received for it. */
import type { gateway as wire } from '@krapao/contract/outside';
import { encodeBillPayment, minorToDecimal } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { findBank } from '../environment/banks.ts';
import { iso, nowMs } from '../environment/clock.ts';
import { changed, type Environment, nextNumber } from '../environment/environment.ts';
import { pageOf, printed } from '../environment/misprints.ts';
import type { GatewayPayment, Payment } from '../environment/state.ts';
import type { Gateway } from './merchants.ts';

const TRANSFERS_PAGE = 200;

const keyOf = (gateway: Gateway, reference: string): string => `${gateway.party}:${reference}`;

/** A payment by the merchant's reference. */
export const findPayment = (
  environment: Environment,
  gateway: Gateway,
  reference: string,
): GatewayPayment | undefined => environment.state.gatewayPayments.get(keyOf(gateway, reference));

export interface PaymentOrder {
  reference: string;
  amountMinor: bigint;
  expiresAtMs: number;
  callbackUrl: string;
}

/** Makes a payment, or answers the one this reference already has; null when that one is for something else. */
export function makePayment(
  environment: Environment,
  gateway: Gateway,
  order: PaymentOrder,
): GatewayPayment | null {
  const known = findPayment(environment, gateway, order.reference);
  if (known) return known.amountMinor === order.amountMinor ? known : null;
  const paymentId = `${gateway.prefix}${String(nextNumber(environment, gateway.party)).padStart(10, '0')}`;
  const { billerId } = gateway;
  const { reference, amountMinor } = order;
  const qrText = encodeBillPayment({ billerId, reference1: reference, reference2: paymentId, amountMinor });
  const payment: GatewayPayment = { ...order, gateway: gateway.party, paymentId, qrText, isCancelled: false };
  environment.state.gatewayPayments.set(keyOf(gateway, reference), payment);
  changed(environment);
  return payment;
}

const arrived = (environment: Environment, gateway: Gateway, reference: string): Payment[] =>
  [...environment.state.payments.values()].filter(
    (payment) => payment.billerId === gateway.billerId && payment.reference1 === reference,
  );

/** The current state of a payment. Money that arrives late or twice is reported, and does not change a final state. */
export function statusOf(
  environment: Environment,
  gateway: Gateway,
  payment: GatewayPayment,
): Static<typeof wire.PaymentStatus> {
  if (payment.isCancelled) return 'CANCELLED';
  if (arrived(environment, gateway, payment.reference).some(({ atMs }) => atMs < payment.expiresAtMs))
    return 'PAID';
  return nowMs(environment) < payment.expiresAtMs ? 'OPEN' : 'EXPIRED';
}

/** Cancels an open payment; false when it was paid before. */
export function cancelPayment(environment: Environment, gateway: Gateway, payment: GatewayPayment): boolean {
  const status = statusOf(environment, gateway, payment);
  if (status === 'PAID') return false;
  if (status === 'OPEN') {
    payment.isCancelled = true;
    changed(environment);
  }
  return true;
}

/** Money that arrived, as callbacks and answers carry it. */
export function transferOnWire(
  environment: Environment,
  payment: Payment,
  amountMinor = payment.amountMinor,
): Static<typeof wire.Transfer> {
  const from = environment.state.accounts.get(payment.fromKey);
  return {
    transferId: payment.transRef,
    amount: minorToDecimal(amountMinor, 2),
    paidAt: iso(payment.atMs),
    payer: {
      bankCode: findBank(from?.bankCode ?? '')?.bot ?? '999',
      accountNo: from?.accountNo ?? '',
      name: from?.name ?? '',
    },
  };
}

/** A payment as the create, status and cancel calls return it. */
export function paymentOnWire(
  environment: Environment,
  gateway: Gateway,
  payment: GatewayPayment,
): Static<typeof wire.PaymentReply> {
  return {
    paymentId: payment.paymentId,
    reference: payment.reference,
    amount: minorToDecimal(payment.amountMinor, 2),
    status: statusOf(environment, gateway, payment),
    qrText: payment.qrText,
    expiresAt: iso(payment.expiresAtMs),
    transfers: arrived(environment, gateway, payment.reference).map((one) =>
      transferOnWire(environment, one),
    ),
  };
}

/** Every transfer that reached the gateway for us in a span of time, oldest first, by pages. */
export function transfersOnWire(
  environment: Environment,
  gateway: Gateway,
  span: { fromMs: number; toMs: number; cursor: string | undefined },
): Static<typeof wire.TransfersReply> {
  const all = [...environment.state.payments.values()].filter(
    ({ billerId, atMs }) => billerId === gateway.billerId && atMs >= span.fromMs && atMs < span.toMs,
  );
  const { page, next } = pageOf(all, span.cursor, TRANSFERS_PAGE);
  const transfers = page.flatMap((payment) => {
    const amountMinor = printed(environment, gateway.party, payment.transRef, payment.amountMinor);
    return amountMinor === null
      ? []
      : { ...transferOnWire(environment, payment, amountMinor), reference: payment.reference1 };
  });
  return { transfers, next };
}
