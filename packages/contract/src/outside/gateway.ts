/**
 * Payment gateway, the dialect WW and ZAPMAN share: a payment is made with our reference, shown as a Thai QR and reported
 * to us by a signed callback. JSON; header `x-api-key`; amounts are decimal text in baht, times ISO 8601.
 */
import { Type } from 'typebox';

export const KEY_HEADER = 'x-api-key';

/** POST /v1/payments: idempotent by `reference`; an equal repeat returns the first payment. */
export const CreatePaymentRequest = Type.Object({
  reference: Type.String({ description: 'Ours: 1–20 characters of A–Z and 0–9.' }),
  amount: Type.String(),
  currency: Type.Literal('THB'),
  expiresAt: Type.String(),
  callbackUrl: Type.String(),
});

/** Money that arrived under a payment. One payment may be paid late or twice: a QR cannot stop that. */
export const Transfer = Type.Object({
  transferId: Type.String({ description: "The gateway's own: once-only." }),
  amount: Type.String(),
  paidAt: Type.String(),
  payer: Type.Object({
    bankCode: Type.String({ description: 'Three-digit BOT code.' }),
    accountNo: Type.String(),
    name: Type.String(),
  }),
});

export const PaymentStatus = Type.Union([
  Type.Literal('OPEN'),
  Type.Literal('PAID'),
  Type.Literal('CANCELLED'),
  Type.Literal('EXPIRED'),
]);

/** The response to creating, querying and cancelling a payment. */
export const PaymentReply = Type.Object({
  paymentId: Type.String(),
  reference: Type.String(),
  amount: Type.String(),
  status: PaymentStatus,
  qrText: Type.String({ description: 'EMVCo text of a bill payment to the gateway.' }),
  expiresAt: Type.String(),
  transfers: Type.Array(Transfer),
});

/**
 * GET /v1/payments/{reference} and POST /v1/payments/{reference}/cancel : PaymentReply. Cancelling a cancelled or
 * expired payment answers it as it is; a paid one is refused with ALREADY_PAID.
 */
export const ErrorReply = Type.Object({ code: Type.String(), message: Type.String() });

/**
 * GET /v1/transfers?from=&to=&cursor= : every transfer received for us at `from` or later and before `to`, oldest first,
 * each with the payment it came under. `next` is the cursor of the page that follows, null on the last one. A gateway
 * without the call answers 404.
 */
export const TransfersReply = Type.Object({
  transfers: Type.Array(
    Type.Object({ ...Transfer.properties, reference: Type.String({ description: 'Ours.' }) }),
  ),
  next: Type.Union([Type.String(), Type.Null()]),
});

/** Codes of ErrorReply that a client acts on. */
export const CODE = { NOT_FOUND: 'NOT_FOUND', ALREADY_PAID: 'ALREADY_PAID' } as const;

/**
 * POST to `callbackUrl` for each transfer. Header `x-gateway-signature: t=<unix seconds>,v1=<hex>`, v1 being
 * HMAC-SHA256 over "<t>.<raw body>" with the callback secret. Repeated up to 3 times, 12 s apart, until answered 200
 * with CallbackReply.
 */
export const Callback = Type.Object({
  event: Type.Literal('payment.received'),
  paymentId: Type.String(),
  reference: Type.String(),
  transfer: Transfer,
});
export const CallbackReply = Type.Object({ received: Type.Literal(true) });
export const SIGNATURE_HEADER = 'x-gateway-signature';
