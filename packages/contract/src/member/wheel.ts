/**
 * The wheel, its coins and the coupons won. A business refusal is returned at status 200 as {success:false, error},
 * with `data` where a figure belongs to it (the limit behind LIMIT_REACHED, the `games` to be emptied behind
 * BONUS_REMAINING); who may not call at all, a body out of
 * shape, a key used for another intent and a silent partner are refused as everywhere.
 */
import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { PRIZE_KINDS } from '../shared/prizes.ts';
import { OneOf } from '../shared/schemas.ts';
import { Amount, Closed, Nullable, StatementId, Text, Timestamp } from './schemas.ts';

/** CASH: plain money into the wallet. BONUS: money that starts a run. COIN: coins. ITEM: operators deliver it. */
const Kind = OneOf(PRIZE_KINDS);

const outcomeFields = {
  success: Type.Boolean(),
  error: Type.Optional(Type.String({ description: 'Code, when success is false.' })),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Figures of the refusal.' })),
};

const Slice = Closed(
  {
    code: Type.String(),
    label: Type.String(),
    bgColor: Type.String({ description: '#rrggbb' }),
    textColor: Type.String({ description: '#rrggbb' }),
    htmlDescription: Type.String({ description: 'Cleaned HTML.' }),
    odds: Type.Optional(
      Type.Number({ description: 'Chance in percent, only while operators publish the odds.' }),
    ),
  },
  { $id: 'WheelSlice' },
);

export const setup = call({
  method: 'GET',
  path: '/api/spinwheel/setup',
  access: 'member',
  summary:
    'The wheel to be drawn, null while none turns, the coins the member has and how they are earned; slices clockwise',
  reply: Closed(
    {
      success: Type.Boolean(),
      result: Closed({
        activeSpinwheel: Nullable(
          Closed({
            version: Type.String({ description: 'Of this wheel; to be sent with a spin.' }),
            name: Type.String(),
            costPerSpin: Type.Integer({ description: 'In coins.' }),
            slices: Type.Array(Slice),
          }),
        ),
        userCoin: Type.Integer(),
        earning: Nullable(
          Closed({
            deposit: Type.Number({ description: 'Paid in for one coin, summed by the day.' }),
            dayMax: Type.Integer({ description: 'Coins a day at most.' }),
          }),
        ),
      }),
    },
    { $id: 'WheelSetup' },
  ),
});

export const spin = call({
  method: 'POST',
  path: '/api/spinwheel/spin',
  access: 'member',
  summary: 'Pay the coins and receive the slice, drawn by the server; the member gets its coupon at once',
  idempotent: true,
  query: Closed({
    version: Type.Optional(
      Text(40, 1, {
        description:
          'The version of the wheel that the member was shown. SPINWHEEL_CHANGED refuses any other; without this field the present one is spun.',
      }),
    ),
  }),
  reply: Closed(
    {
      ...outcomeFields,
      result: Type.Optional(
        Closed({
          code: Type.String({ description: 'Of the slice.' }),
          label: Type.String(),
          remainingCoin: Type.Integer(),
          prize: Nullable(Closed({ name: Type.String(), kind: Kind })),
        }),
      ),
    },
    { $id: 'WheelSpin' },
  ),
  refusals: ['SPINWHEEL_INACTIVE', 'SELF_EXCLUDED', 'LIMIT_REACHED', 'NOT_ENOUGH_COIN', 'SPINWHEEL_CHANGED'],
});

export const listCoupons = call({
  method: 'GET',
  path: '/api/spinwheel/coupon',
  access: 'member',
  summary: 'Coupons that can be redeemed, one row for each prize, the one expiring first on top',
  reply: Closed(
    {
      success: Type.Boolean(),
      result: Type.Array(
        Closed(
          {
            _id: Type.String({ description: 'The member’s for this prize, also once none is left.' }),
            prize: Closed({
              name: Type.String(),
              slice: Nullable(
                Type.String({ description: 'Code of the slice it was won on; null: a present.' }),
              ),
            }),
            kind: Kind,
            amount: Type.Integer({ description: 'How many are not redeemed.' }),
            value: Type.Number({
              description: 'What one is worth: money of the member’s currency, coins for COIN, 0 for ITEM.',
            }),
            terms: Nullable(
              Closed({
                percentSuccess: Type.Integer(),
                percentFail: Type.Integer(),
                turnoverTimes: Type.Number({ description: 'Bets needed, in times of the value.' }),
                days: Type.Integer({ description: 'How long the run may last.' }),
                withdrawMost: Nullable(Amount),
                games: Nullable(
                  Type.Array(Type.String(), { description: 'Codes of the games allowed; null: all.' }),
                ),
              }),
            ),
            expireAt: Timestamp,
          },
          { $id: 'Coupon' },
        ),
      ),
    },
    { $id: 'Coupons' },
  ),
});

export const redeemCoupon = call({
  method: 'POST',
  path: '/api/spinwheel/coupon/claim',
  access: 'member',
  summary: 'Redeem one coupon of this prize, the one expiring first',
  idempotent: true,
  body: Closed({ coupon: Text(80) }),
  reply: Closed(
    {
      ...outcomeFields,
      result: Type.Optional(
        Closed({
          label: Type.String({ description: 'Name of the prize.' }),
          kind: Kind,
          value: Type.Number({ description: 'As the list tells it.' }),
          remainingCoin: Type.Integer(),
          statementId: StatementId,
        }),
      ),
    },
    { $id: 'CouponRedemption' },
  ),
  refusals: [
    'INVALID_CODE',
    'INVALID_PRIZE_CODE',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'INVALID_COUPON_TYPE',
    'COUPON_EXPIRED',
    'NO_CLAIMABLE_COUPON',
    'BONUS_REMAINING',
    'PROVIDER_UNAVAILABLE',
  ],
});

export const spinwheelActive = call({
  method: 'GET',
  path: '/api/spinwheel/active',
  access: 'member',
  summary: 'Whether the wheel can be spun, and the coupons the member has, which stay valid while it cannot',
  reply: Closed({
    isActive: Type.Boolean(),
    coupons: Type.Integer({ description: 'How many coupons can be redeemed.' }),
  }),
});
