/** The gateway's signed notice that money arrived under a payment. */
import { gateway as shapes } from '@krapao/contract/outside';
import type { Notifier } from '../bank/teller.ts';
import type { Environment } from '../environment/environment.ts';
import type { Payment } from '../environment/state.ts';
import { gatewayOfBiller } from './merchants.ts';
import { findPayment, transferOnWire } from './payments.ts';

/** The callback of a payment's gateway; null without a gateway, or when the payment was not created there. */
export function gatewayNotifier(environment: Environment, payment: Payment): Notifier | null {
  const gateway = gatewayOfBiller(payment.billerId);
  const requested = gateway && findPayment(environment, gateway, payment.reference1);
  if (!gateway || !requested) return null;
  const { paymentId, reference } = requested;
  return {
    party: gateway.party,
    call: 'callback',
    url: requested.callbackUrl,
    header: shapes.SIGNATURE_HEADER,
    secret: gateway.callbackSecret,
    body: (amountMinor) => ({
      event: 'payment.received',
      paymentId,
      reference,
      transfer: transferOnWire(environment, payment, amountMinor),
    }),
    isAcknowledged: (reply) => reply.received === true,
  };
}
