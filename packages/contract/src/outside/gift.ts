/**
 * Gift envelopes of a mobile wallet, as public clients of TrueMoney gift links read them. A voucher is looked at and
 * then redeemed for a wallet's mobile number; amounts are decimal text in baht. Errors come with HTTP 400 and the
 * same envelope.
 */
import { Type } from 'typebox';

export const CODES = [
  'SUCCESS',
  'BAD_PARAM',
  'VOUCHER_NOT_FOUND',
  'VOUCHER_EXPIRED',
  'VOUCHER_OUT_OF_STOCK',
  'TARGET_USER_REDEEMED',
  'TARGET_USER_NOT_FOUND',
  'CANNOT_GET_OWN_VOUCHER',
  'INTERNAL_ERROR',
] as const;
export type Code = (typeof CODES)[number];

/** What one wallet has taken out of a voucher. */
export const Ticket = Type.Object({
  mobile: Type.String(),
  update_date: Type.Integer({ description: 'Unix milliseconds.' }),
  amount_baht: Type.String(),
  full_name: Type.String(),
});

export const Voucher = Type.Object({
  voucher_id: Type.String(),
  amount_baht: Type.String({ description: 'The whole envelope.' }),
  redeemed_amount_baht: Type.String({ description: 'What all takers together have taken.' }),
  member: Type.Integer({ description: 'How many can take a part.' }),
  status: Type.Union([Type.Literal('active'), Type.Literal('expired'), Type.Literal('redeemed')]),
  link: Type.String(),
  detail: Type.String(),
  expire_date: Type.Integer({ description: 'Unix milliseconds.' }),
  type: Type.Union([Type.Literal('R'), Type.Literal('F')], { description: 'Random or fixed parts.' }),
  redeemed: Type.Integer(),
  available: Type.Integer(),
});

/**
 * GET /campaign/vouchers/{code}/verify?mobile= and POST /campaign/vouchers/{code}/redeem {mobile, voucher_hash}.
 * `my_ticket` is what `mobile` has taken, by now or just now; without a voucher `data` is null.
 */
export const Reply = Type.Object({
  status: Type.Object({ code: Type.String(), message: Type.String() }),
  data: Type.Union([
    Type.Null(),
    Type.Object({
      voucher: Voucher,
      owner_profile: Type.Object({ full_name: Type.String() }),
      redeemer_profile: Type.Union([Type.Null(), Type.Object({ mobile_number: Type.String() })]),
      my_ticket: Type.Union([Type.Null(), Ticket]),
      tickets: Type.Array(Ticket),
    }),
  ]),
});
export const RedeemRequest = Type.Object({ mobile: Type.String(), voucher_hash: Type.String() });

/**
 * GET /campaign/redeemed?mobile=&from=&to=&cursor= : what this wallet has taken at `from` or later and before `to` (ISO
 * 8601), oldest first; `next` is the cursor of the page that follows, null on the last one. A service without a history
 * answers 404, as the public one does.
 */
export const RedeemedReply = Type.Object({
  status: Type.Object({ code: Type.Literal('SUCCESS'), message: Type.String() }),
  data: Type.Object({
    redeemed: Type.Array(
      Type.Object({
        voucher: Type.String({ description: "The voucher's code." }),
        amount_baht: Type.String(),
        update_date: Type.Integer({ description: 'Unix milliseconds.' }),
      }),
    ),
    next: Type.Union([Type.String(), Type.Null()]),
  }),
});
