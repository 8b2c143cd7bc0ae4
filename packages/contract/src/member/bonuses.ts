import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { OneOf } from '../shared/schemas.ts';
import { Amount, Closed, Message, Nullable, StatementId, Text, Timestamp } from './schemas.ts';

const UserBonus = Closed(
  {
    _id: Type.String(),
    isActive: Type.Boolean({ description: 'The run started by this bonus is the one under way.' }),
    received: Type.Array(Closed({ updatedAt: Timestamp }), { description: 'Every receipt, oldest first.' }),
  },
  { $id: 'UserBonus' },
);

/** Terms of a bonus or promotion, and the estimate for this member. */
const offered = {
  code: Type.String(),
  title: Type.String(),
  description: Type.String({ description: 'Html, in full; may be empty.' }),
  version: Type.Integer({ description: 'Of its terms; to be sent when it is received.' }),
  percentSuccess: Type.Integer({
    description: 'The balance that wins, in percent of the base; 0: none is required.',
  }),
  percentFail: Type.Integer({ description: 'The balance that loses, in percent of the base.' }),
  banners: Type.Array(Closed({ image: Type.String(), html: Type.String() })),
  terms: Closed(
    {
      award: Closed({
        fixed: Nullable(Amount),
        percent: Nullable(Type.Integer({ description: 'Of the deposit; null with a fixed award.' })),
        most: Nullable(Amount),
      }),
      deposit: Nullable(Closed({ least: Amount, most: Nullable(Amount) })),
      turnoverTimes: Type.Number({ description: 'Bets needed, in times of the base.' }),
      games: Nullable(Type.Array(Type.String(), { description: 'Codes of the games allowed; null: all.' })),
      withdrawMost: Nullable(Amount),
      days: Type.Integer(),
      endsAt: Nullable(Timestamp),
    },
    { $id: 'BonusOfferTerms' },
  ),
  now: Nullable(
    Closed(
      {
        deposit: Type.Number({ description: 'The deposit it would be received on; 0: none is needed.' }),
        amount: Amount,
        target: Type.Number({ description: 'Balance to reach; 0: none is required.' }),
        floor: Type.Number({ description: 'Balance at or under which it is lost.' }),
        turnoverNeeded: Amount,
      },
      { $id: 'BonusNow' },
    ),
  ),
  moveOutOf: Type.Array(Type.String(), {
    description:
      'Codes of games that hold money and are not allowed: it must be moved out before it is received.',
  }),
};

export const Bonus = Closed(
  {
    ...offered,
    type: Type.Union([Type.Literal('limit'), Type.Literal('day'), Type.Literal('week')], {
      description: 'How receipts count against maxReceived: for ever, by the day, by the week from Monday.',
    }),
    maxReceived: Type.Integer(),
    userBonus: Nullable(UserBonus),
  },
  { $id: 'Bonus' },
);

export const listBonuses = call({
  method: 'GET',
  path: '/api/bonus',
  access: 'member',
  summary:
    'Bonuses on offer, and what the member has received of each. SELF_EXCLUDED or LIMIT_REACHED while they may not play',
  reply: Type.Array(Bonus),
  refusals: ['SELF_EXCLUDED', 'LIMIT_REACHED'],
});

/** Which terms a member receives. */
const startQuery = Closed({
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description:
        'The version that the member was shown. BONUS_CHANGED refuses any other; without this field the present one is received.',
    }),
  ),
});

export const activateBonus = call({
  method: 'GET',
  path: '/api/bonus/activate/{code}',
  access: 'member',
  summary:
    'Receive a bonus and start its run. BONUS_DEPOSIT_REQUIRED contains the range {min, max} of the required deposit, BONUS_REMAINING the `games` that are not allowed and hold money',
  sideEffect: true,
  params: Closed({ code: Text(40) }),
  query: startQuery,
  reply: Closed({ ...UserBonus.properties, statementId: StatementId }, { $id: 'ReceivedBonus' }),
  refusals: [
    'NO_DATA',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'BONUS_ALREADY_ACTIVE',
    'BONUS_CHANGED',
    'BONUS_MAX_CLAIMED',
    'PROVIDER_UNAVAILABLE',
    'BONUS_FULL',
    'BONUS_REMAINING',
    'BONUS_DEPOSIT_REQUIRED',
  ],
});

const RunKind = Type.Union([
  Type.Literal('bonus'),
  Type.Literal('promotion'),
  Type.Literal('invite'),
  Type.Literal('refund'),
  Type.Literal('luckydraw'),
]);

export const ActiveBonus = Closed(
  {
    status: Type.Boolean(),
    type: Nullable(RunKind),
    name: Type.Optional(Type.String()),
    base: Type.Optional(Amount),
    balance: Type.Optional(
      Type.Number({ description: 'As last known; below 0 when more was lost than bound.' }),
    ),
    target: Type.Optional(Type.Number({ description: 'Balance that wins the run; 0: none is required.' })),
    floor: Type.Optional(Type.Number({ description: 'Balance at or under which the run is lost.' })),
    turnover: Type.Optional(Amount),
    turnoverNeeded: Type.Optional(Amount),
    deposit: Type.Optional(
      Type.Number({
        description: 'Of the base, what the member paid in: giving up takes only what is above it.',
      }),
    ),
    withdrawMost: Type.Optional(
      Nullable(Type.Number({ description: 'When won, what stays at most; null: all.' })),
    ),
    games: Type.Optional(
      Nullable(Type.Array(Type.String(), { description: 'Codes of the games allowed; null: all.' })),
    ),
    mayForfeit: Type.Optional(Type.Boolean({ description: 'Giving up is open to members.' })),
    expiresAt: Type.Optional(Timestamp),
    isOver: Type.Optional(
      Type.Boolean({
        description: 'Whether its time is over: it then expires as soon as it can, whatever has been won.',
      }),
    ),
  },
  { $id: 'ActiveBonus' },
);

export const checkActive = call({
  method: 'GET',
  path: '/api/bonus/check/active',
  access: 'member',
  summary: 'The run under way and how far it is, by the figures last known',
  reply: ActiveBonus,
});

export const checkMinimum = call({
  method: 'GET',
  path: '/api/bonus/check/minimum',
  access: 'member',
  summary: 'Whether the run under way is lost, by the figures last known; zeros without one',
  reply: Closed({ status: Type.Boolean(), minimum: Amount, amount: Type.Number() }, { $id: 'BonusMinimum' }),
});

/** How a member ends a run. */
const endQuery = Closed({
  takenMost: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'What the member was shown that the end takes. BONUS_TAKES_MORE refuses to take more and tells {takes, base, balance, target, floor, turnover, turnoverNeeded}; without this field any amount is taken.',
    }),
  ),
});

const EndedRun = Closed(
  {
    ...Message.properties,
    state: OneOf(['SUCCESS', 'FAILED', 'FORFEITED', 'EXPIRED']),
    taken: Type.Number({ description: 'What was taken from the member.' }),
    left: Type.Number({
      description: 'What stays of the balance that decided it; below 0 when more was lost than bound.',
    }),
  },
  { $id: 'EndedRun' },
);

export const clearBonus = call({
  method: 'GET',
  path: '/api/bonus/clear',
  access: 'member',
  summary:
    'End the run under way if it is won or lost by fresh figures; BONUS_CONDITION tells {base, balance, target, floor, turnover, turnoverNeeded} and changes nothing. The response tells what the run ended as',
  sideEffect: true,
  query: endQuery,
  reply: EndedRun,
  refusals: ['NO_DATA', 'PROVIDER_UNAVAILABLE', 'BONUS_CONDITION', 'BONUS_TAKES_MORE', 'TRANSFER_FAIL'],
});

export const forfeitBonus = call({
  method: 'POST',
  path: '/api/bonus/forfeit',
  access: 'member',
  summary:
    'Give up the bonus and what was won with it; the deposit behind it and savings stay. BONUS_CONDITION while it lies in open bets or on its way',
  query: endQuery,
  reply: EndedRun,
  refusals: [
    'UNAUTHORIZED',
    'NO_DATA',
    'PROVIDER_UNAVAILABLE',
    'BONUS_CONDITION',
    'BONUS_TAKES_MORE',
    'TRANSFER_FAIL',
  ],
});

export const Promotion = Closed(offered, { $id: 'Promotion' });

export const findPromotion = call({
  method: 'GET',
  path: '/api/promotion/find/{code}',
  access: 'member',
  summary:
    'What a promotion of this code gives, whichever way its letters are written. Too many unknown codes are throttled',
  params: Closed({ code: Text(40) }),
  reply: Promotion,
  refusals: ['SELF_EXCLUDED', 'LIMIT_REACHED', 'NO_PROMOTION', 'PROMOTION_RECEIVED', 'BONUS_FULL'],
});

export const activatePromotion = call({
  method: 'GET',
  path: '/api/promotion/activate/{code}',
  access: 'member',
  summary:
    'Receive a promotion, once, and start its run. BONUS_DEPOSIT_REQUIRED contains the range {min, max} of the required deposit, BONUS_REMAINING the `games` that are not allowed and hold money',
  sideEffect: true,
  params: Closed({ code: Text(40) }),
  query: startQuery,
  reply: Closed({ ...ActiveBonus.properties, statementId: StatementId }, { $id: 'ReceivedPromotion' }),
  refusals: [
    'NO_PROMOTION',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'PROMOTION_RECEIVED',
    'BONUS_ALREADY_ACTIVE',
    'BONUS_CHANGED',
    'BONUS_FULL',
    'PROVIDER_UNAVAILABLE',
    'BONUS_REMAINING',
    'BONUS_DEPOSIT_REQUIRED',
  ],
});

export const currentPromotion = call({
  method: 'GET',
  path: '/api/promotion/current',
  access: 'member',
  summary: 'The run under way, if a promotion started it',
  reply: Nullable(ActiveBonus),
});
