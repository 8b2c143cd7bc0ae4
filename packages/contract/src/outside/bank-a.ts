/**
 * Bank style A: the shape of the open-banking APIs of large Thai banks (bill-payment QR, confirmation, inquiry,
 * payout). Amounts are decimal text in baht with two decimals; times are ISO 8601.
 */
import { Type } from 'typebox';

/**
 * Status codes of refusals: such a request was not carried out. Another code proves nothing about a payout, whatever its
 * HTTP status.
 * REFERENCE_USED (HTTP 409): an order under a reference that was used before. NOT_SEEN (HTTP 404): nothing has this reference.
 */
export const REFUSAL = {
  BAD_REQUEST: 1102,
  REFUSED: 4001,
  NOT_SEEN: 4040,
  REFERENCE_USED: 4090,
  BAD_TOKEN: 9300,
  BAD_KEYS: 9500,
} as const;

const Status = Type.Object({
  code: Type.Integer({ description: '1000 is success.' }),
  description: Type.String(),
});

/** POST /v1/oauth/token */
export const TokenRequest = Type.Object({ applicationKey: Type.String(), applicationSecret: Type.String() });
export const TokenReply = Type.Object({
  status: Status,
  data: Type.Object({ accessToken: Type.String(), expiresIn: Type.Integer({ description: 'Seconds.' }) }),
});

/** POST /v1/payment/qrcode/create (bearer token) */
export const CreateQrRequest = Type.Object({
  qrType: Type.Literal('PP'),
  ppType: Type.Literal('BILLERID'),
  ppId: Type.String({ description: 'Biller id, 15 digits.' }),
  amount: Type.String(),
  ref1: Type.String(),
  ref2: Type.String(),
});
export const CreateQrReply = Type.Object({ status: Status, data: Type.Object({ qrRawData: Type.String() }) });

/** One received bill payment: body of the confirmation, and of each inquiry result. */
export const Payment = Type.Object({
  transactionId: Type.String(),
  transRef: Type.String(),
  sendingBankCode: Type.String({ description: 'Three-digit BOT code.' }),
  payeeProxyId: Type.String({ description: 'Biller id.' }),
  payerAccountNumber: Type.String(),
  payerAccountName: Type.String(),
  amount: Type.String(),
  currencyCode: Type.Literal('764'),
  billPaymentRef1: Type.String(),
  billPaymentRef2: Type.String(),
  transactionDateandTime: Type.String(),
});

/**
 * POST to the address registered with the bank. Header `X-Bank-Signature: t=<unix seconds>,v1=<hex>` where v1 is
 * HMAC-SHA256 over "<t>.<raw body>" with the webhook secret. Repeated up to 3 times, 12 s apart, until
 * acknowledged with resCode "00".
 */
export const ConfirmationReply = Type.Object({
  resCode: Type.String(),
  resDesc: Type.String(),
  transactionId: Type.String(),
});
export const SIGNATURE_HEADER = 'x-bank-signature';

/** GET /v1/payment/billpayment/inquiry?billerId=&reference1= : every payment with that reference, maybe none. */
export const InquiryReply = Type.Object({ status: Status, data: Type.Array(Payment) });

/** GET /v1/payment/transactions/{transRef} : one payment by the bank's reference; 404 when it knows none. */
export const TransactionReply = Type.Object({ status: Status, data: Payment });

/**
 * GET /v1/account/statement?billerId=&from=&to=&cursor= : what moved on the account behind the biller, booked at `from`
 * or later and before `to`, oldest first. `next` is the cursor of the page that follows, null on the last one. A bank
 * without the call answers 404. Shaped after the account statement calls such banks sell beside bill payment; no public
 * document fixes their fields.
 */
export const StatementReply = Type.Object({
  status: Status,
  data: Type.Object({
    lines: Type.Array(
      Type.Object({
        transRef: Type.String(),
        type: Type.Union([Type.Literal('CREDIT'), Type.Literal('DEBIT')]),
        amount: Type.String(),
        bookedAt: Type.String(),
        reference: Type.String({
          description: 'Reference 1 of a bill, the reference of a payout of ours, or empty.',
        }),
        counterAccount: Type.String({ description: 'Maybe masked; hidden digits are x.' }),
      }),
    ),
    next: Type.Union([Type.String(), Type.Null()]),
  }),
});

/** POST /v1/payout: idempotent by `reference`; a repeat returns the first result. */
export const PayoutRequest = Type.Object({
  reference: Type.String(),
  amount: Type.String(),
  bankCode: Type.String(),
  accountNo: Type.String(),
  accountName: Type.String(),
});
export const PayoutState = Type.Union([
  Type.Literal('ACCEPTED'),
  Type.Literal('PAID'),
  Type.Literal('REJECTED'),
]);
export const PayoutReply = Type.Object({
  status: Status,
  data: Type.Object({
    reference: Type.String(),
    payoutId: Type.String(),
    state: PayoutState,
    reason: Type.Optional(Type.String()),
    amount: Type.String(),
  }),
});
/** GET /v1/payout/{reference} : PayoutReply, or 404 with status code 4040 when the bank has never seen it. */
export const StatusOnlyReply = Type.Object({ status: Status });
