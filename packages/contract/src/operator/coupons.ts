/** Coupons, what they are worth, and the coins operators give. */
import { Type } from 'typebox';
import { PRIZE_KINDS } from '../shared/prizes.ts';
import { Localized } from '../shared/schemas.ts';
import { operatorCall } from './call.ts';
import { cursorPage, summed } from './cursor.ts';
import {
  ActionReply,
  between,
  Closed,
  Currency,
  Id,
  MemberRef,
  Money,
  Nullable,
  OneOf,
  Reason,
  SeveralOf,
  sortBy,
  Text,
  Timestamp,
} from './schemas.ts';
import { Prize } from './wheel.ts';

const localizedText = Localized(Type.String());
const params = Closed({ id: Id });

export const COUPON_STATES = ['OPEN', 'CLAIMED', 'EXPIRED', 'REVOKED', 'TO_DELIVER', 'DELIVERED'] as const;

/** Filters of the coupon list and its export. */
export const CouponFilter = {
  member: Type.Optional(Id),
  prize: Type.Optional(Id),
  batch: Type.Optional(Id),
  kind: Type.Optional(SeveralOf(PRIZE_KINDS)),
  state: Type.Optional(SeveralOf(COUPON_STATES)),
  ...between,
  ...sortBy('createdAt', 'expiresAt'),
};

export const listCoupons = operatorCall({
  method: 'GET',
  path: '/api/operator/coupons',
  permission: 'promotion.read',
  summary:
    'Coupons, newest first, with what all that fit are worth; TO_DELIVER are items redeemed and not handed over',
  query: Closed({ ...cursorPage, ...CouponFilter }),
  reply: Closed({
    coupons: Type.Array(
      Closed(
        {
          id: Type.String(),
          member: MemberRef,
          prize: Closed({ id: Type.String(), name: localizedText, kind: OneOf(PRIZE_KINDS) }),
          currency: Currency,
          value: Type.Number({ description: 'Money; coins for COIN.' }),
          slice: Nullable(Type.String({ description: 'Won on this slice.' })),
          batch: Nullable(Type.String({ description: 'Given by an operator with this batch.' })),
          by: Nullable(Type.String({ description: 'The operator who gave it.' })),
          state: OneOf(COUPON_STATES),
          createdAt: Timestamp,
          expiresAt: Timestamp,
          endedAt: Nullable(Timestamp),
          deliveredAt: Nullable(Timestamp),
          run: Nullable(Type.String({ description: 'The run, or statement row, its money became.' })),
        },
        { $id: 'CouponRow' },
      ),
    ),
    ...summed,
  }),
});

export const listPrizes = operatorCall({
  method: 'GET',
  path: '/api/operator/prizes',
  permission: 'promotion.read',
  summary: 'What coupons are worth, newest first, with how many of each there are',
  reply: Closed({
    prizes: Type.Array(
      Closed(
        {
          id: Type.String(),
          name: localizedText,
          kind: OneOf(PRIZE_KINDS),
          currency: Currency,
          value: Money,
          couponDays: Type.Integer(),
          given: Type.Integer(),
          open: Type.Integer(),
          redeemed: Type.Integer(),
          isWithdrawn: Type.Boolean({ description: 'Its coupons cannot be redeemed for now.' }),
        },
        { $id: 'PrizeRow' },
      ),
    ),
  }),
});

export const withdrawPrize = operatorCall({
  method: 'PUT',
  path: '/api/operator/prizes/{id}',
  permission: 'promotion.manage',
  summary:
    'Bar redeeming a prize’s coupons, or allow it again; above the limit of manual entries, by what the open ones are worth, a second person decides',
  params,
  body: Closed({ isWithdrawn: Type.Boolean(), reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'APPROVAL_PENDING'],
});

export const GRANT_MAX = 1000;

export const grantCoupons = operatorCall({
  method: 'POST',
  path: '/api/operator/coupons',
  permission: 'promotion.manage',
  summary:
    'Give each of these members a coupon; above the limit of manual entries another person agrees first. `check` only tells what would become of each row. Once by `key`',
  body: Closed({
    prize: Type.Union([Closed({ id: Id }), Closed({ currency: Currency, prize: Prize })]),
    members: Type.Array(Text(40, 1), {
      minItems: 1,
      maxItems: GRANT_MAX,
      description: 'Phones or ids, as they were typed or imported.',
    }),
    check: Type.Boolean(),
    key: Text(64, 8),
    reason: Reason,
  }),
  reply: Closed({
    state: Type.String({ description: 'DONE, or what ActionReply says.' }),
    approval: Nullable(Type.String()),
    batch: Nullable(Type.String()),
    granted: Type.Integer(),
    rows: Type.Array(
      Closed({
        given: Type.String(),
        member: Nullable(MemberRef),
        result: OneOf(['OK', 'UNKNOWN', 'TWICE', 'CURRENCY', 'CLOSED'] as const),
      }),
    ),
  }),
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'IDEMPOTENCY_CONFLICT', 'APPROVAL_PENDING', 'ROW_CHANGED'],
});

export const revokeCoupons = operatorCall({
  method: 'POST',
  path: '/api/operator/coupon-revocations',
  permission: 'promotion.manage',
  summary: 'Take unredeemed coupons back: these, or all of a batch; what was redeemed stays',
  body: Closed({
    coupons: Type.Union([
      Closed({ ids: Type.Array(Id, { minItems: 1, maxItems: GRANT_MAX }) }),
      Closed({ batch: Id }),
    ]),
    reason: Reason,
  }),
  reply: Closed({
    revoked: Type.Array(Type.String()),
    left: Type.Array(Type.String(), { description: 'Redeemed or revoked before, or unknown.' }),
  }),
  refusals: ['NO_DATA'],
});

export const deliverCoupon = operatorCall({
  method: 'POST',
  path: '/api/operator/coupons/{id}/deliver',
  permission: 'promotion.manage',
  summary: 'Note that a redeemed item was handed over; the reason says how',
  params,
  body: Closed({ reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const grantCoins = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/coins',
  permission: 'entry.make',
  summary:
    'Give a member coins; above the limit another person agrees first. Once by `key`: a repeat changes nothing',
  params,
  body: Closed({
    coins: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    reason: Reason,
    key: Text(64, 8),
  }),
  reply: ActionReply,
  refusals: [
    'NO_DATA',
    'APPROVAL_PENDING',
    'IDEMPOTENCY_CONFLICT',
    'APPROVAL_LAPSED',
    'MONEY_NOT_ENOUGH',
    'ROW_CHANGED',
    'NOT_CLAIMED',
  ],
});
