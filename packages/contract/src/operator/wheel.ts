/** Wheels as operators configure them. No role can see or influence a spin before it is drawn. */

import { Type } from 'typebox';
import { PRIZE_KINDS } from '../shared/prizes.ts';
import { Localized } from '../shared/schemas.ts';
import { operatorCall } from './call.ts';
import { ActionReply, Closed, Currency, Id, Nullable, OneOf, Reason, Text, Timestamp } from './schemas.ts';

const localizedText = (maxLength: number) => Localized(Text(maxLength));
const Sum = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 });
const Colour = Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7 });

/** What a coupon is worth. Only a BONUS has terms, and it must have some. */
export const Prize = Closed({
  kind: OneOf(PRIZE_KINDS),
  name: localizedText(80),
  value: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Money; coins for COIN; for an ITEM its cost to the operator, an estimate that may be 0.',
  }),
  terms: Nullable(
    Closed({
      successPercent: Type.Union([Type.Literal(0), Type.Integer({ minimum: 101, maximum: 10_000 })]),
      failPercent: Type.Integer({ minimum: 0, maximum: 99 }),
      turnoverTimes: Type.Number({ minimum: 0, maximum: 1000 }),
      games: Nullable(
        Type.Record(Text(40, 1), Type.Integer({ minimum: 0, maximum: 1000 }), {
          additionalProperties: false,
        }),
      ),
      withdrawMost: Nullable(Sum),
      days: Type.Integer({ minimum: 1, maximum: 365 }),
    }),
  ),
  couponDays: Type.Integer({
    minimum: 1,
    maximum: 365,
    description: 'How long a coupon for it can be redeemed.',
  }),
});

/** Everything that is decided of a wheel; slices clockwise from the top. */
export const WheelPlan = Closed({
  name: localizedText(60),
  costPerSpin: Type.Integer({ minimum: 1, maximum: 1000, description: 'In coins.' }),
  slices: Type.Array(
    Closed({
      code: Type.String({ pattern: '^[A-Z0-9_-]{1,20}$', maxLength: 20 }),
      label: localizedText(24),
      bgColor: Colour,
      textColor: Colour,
      html: localizedText(2_000),
      weight: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      stock: Nullable(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000_000,
          description: 'How often the prize may be won altogether; what was won before counts.',
        }),
      ),
      prize: Nullable(Prize),
    }),
    { minItems: 2, maxItems: 24 },
  ),
});

const params = Closed({ id: Id });
const version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

const WheelRow = Closed(
  {
    id: Type.String(),
    name: localizedText(60),
    currency: Currency,
    state: Type.Unsafe<'DRAFT' | 'OPEN' | 'STOPPED'>(
      Type.String({ description: 'DRAFT: never published. OPEN: members spin it. STOPPED by an operator.' }),
    ),
    version: Nullable(Type.Integer({ description: 'The one published last.' })),
    latest: Type.Integer({ description: 'The one written last.' }),
    slices: Type.Integer(),
    costPerSpin: Type.Integer(),
    expectedCost: Type.Number({
      description: 'Expected cost of a spin to the operator, in money, with stock as it is now.',
    }),
    spins: Type.Integer(),
    won: Type.Number({ description: 'Worth of the prizes won, money only.' }),
    changedBy: Type.String(),
    changedAt: Timestamp,
    approval: Nullable(Type.String({ description: 'The request to publish it that waits for a checker.' })),
  },
  { $id: 'WheelRow' },
);

export const listWheels = operatorCall({
  method: 'GET',
  path: '/api/operator/wheels',
  permission: 'promotion.read',
  summary: 'Wheels, those that turn first; figures of the version published last, or of the draft',
  reply: Closed({
    isSwitchedOn: Type.Boolean({ description: 'The setting wheel.active: off, no wheel turns.' }),
    wheels: Type.Array(WheelRow),
  }),
});

export const readWheel = operatorCall({
  method: 'GET',
  path: '/api/operator/wheels/{id}',
  permission: 'promotion.read',
  summary: 'One wheel: its versions, newest first, and what each slice of the published one has given',
  params,
  reply: Closed({
    wheel: WheelRow,
    versions: Type.Array(
      Closed({
        version: Type.Integer(),
        madeBy: Type.String(),
        madeAt: Timestamp,
        publishedAt: Nullable(Timestamp),
        revertsTo: Nullable(Type.Integer()),
        plan: WheelPlan,
      }),
    ),
    slices: Type.Array(
      Closed({
        code: Type.String(),
        spins: Type.Integer({ description: 'On any version of this wheel.' }),
        left: Nullable(Type.Integer({ description: 'Stock left; null: unlimited.' })),
      }),
    ),
  }),
  refusals: ['NO_DATA'],
});

export const createWheel = operatorCall({
  method: 'POST',
  path: '/api/operator/wheels',
  permission: 'promotion.manage',
  summary: 'Write a new wheel; members see nothing of it before it is published',
  body: Closed({ currency: Currency, plan: WheelPlan, reason: Reason }),
  reply: Closed({ id: Type.String(), version: Type.Integer() }),
  refusals: ['INVALID_REQUEST'],
});

export const saveWheel = operatorCall({
  method: 'POST',
  path: '/api/operator/wheels/{id}/versions',
  permission: 'promotion.manage',
  summary: 'Write the next version; members see nothing of it before it is published',
  params,
  body: Closed({ plan: WheelPlan, after: version, reason: Reason }),
  reply: Closed({ id: Type.String(), version: Type.Integer() }),
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED'],
});

export const publishWheel = operatorCall({
  method: 'POST',
  path: '/api/operator/wheels/{id}/publish',
  permission: 'promotion.manage',
  summary:
    'Let members spin a version, in place of whatever wheel turns for their currency; another person agrees before it pays',
  params,
  body: Closed({
    version,
    seen: Nullable(Type.Integer({ description: 'The version published at the request.' })),
    reason: Reason,
  }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED', 'APPROVAL_PENDING'],
});

export const revertWheel = operatorCall({
  method: 'POST',
  path: '/api/operator/wheels/{id}/revert',
  permission: 'promotion.manage',
  summary: 'Write an earlier version once more as the next one, to be published like any other',
  params,
  body: Closed({ to: version, after: version, reason: Reason }),
  reply: Closed({ id: Type.String(), version: Type.Integer() }),
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const stopWheel = operatorCall({
  method: 'POST',
  path: '/api/operator/wheels/{id}/stop',
  permission: 'promotion.manage',
  summary: 'Take a wheel away at once; coupons won on it stay',
  params,
  body: Closed({ reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const simulateWheel = operatorCall({
  method: 'POST',
  path: '/api/operator/wheel-simulation',
  permission: 'promotion.read',
  summary:
    'How often each slice comes in 100,000 spins, drawn as members’ spins are, stock running out as it would',
  body: Closed({
    slices: Type.Array(
      Closed({
        weight: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
        left: Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
      }),
      { minItems: 1, maxItems: 24 },
    ),
  }),
  reply: Closed({
    spins: Type.Integer({ description: 'Fewer than 100,000 when nothing was left to win.' }),
    counts: Type.Array(Type.Integer()),
  }),
});
