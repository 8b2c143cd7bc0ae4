import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Amount, Closed, Message, Nullable, Text, Timestamp } from './schemas.ts';

const UserBonus = Closed(
  {
    _id: Type.String(),
    isActive: Type.Boolean({ description: 'The run started by this bonus is the one under way.' }),
    received: Type.Array(Closed({ updatedAt: Timestamp }), { description: 'Every receipt, oldest first.' }),
  },
  { $id: 'UserBonus' },
);

export const Bonus = Closed(
  {
    code: Type.String(),
    title: Type.String(),
    type: Type.Union([Type.Literal('limit'), Type.Literal('day'), Type.Literal('week')], {
      description: 'How receipts count against maxReceived: for ever, by the day, by the week from Monday.',
    }),
    maxReceived: Type.Integer(),
    percentSuccess: Type.Integer(),
    percentFail: Type.Integer(),
    banners: Type.Array(Closed({ image: Type.String(), html: Type.String() })),
    userBonus: Nullable(UserBonus),
  },
  { $id: 'Bonus' },
);

export const listBonuses = call({
  method: 'GET',
  path: '/api/bonus',
  access: 'member',
  summary: 'Bonuses on offer, and what the member has received of each',
  reply: Type.Array(Bonus),
});

export const activateBonus = call({
  method: 'GET',
  path: '/api/bonus/activate/{code}',
  access: 'member',
  summary:
    'Receive a bonus and start its run. BONUS_DEPOSIT_REQUIRED tells the range {min, max} of the deposit it asks for',
  sideEffect: true,
  params: Closed({ code: Text(40) }),
  reply: UserBonus,
  refusals: [
    'NO_DATA',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'BONUS_ALREADY_ACTIVE',
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
    target: Type.Optional(Type.Number({ description: 'Balance that wins the run; 0: none is asked.' })),
    floor: Type.Optional(Type.Number({ description: 'Balance at or under which the run is lost.' })),
    turnover: Type.Optional(Amount),
    turnoverNeeded: Type.Optional(Amount),
    expiresAt: Type.Optional(Timestamp),
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

export const clearBonus = call({
  method: 'GET',
  path: '/api/bonus/clear',
  access: 'member',
  summary:
    'End the run under way if it is won or lost by fresh figures; BONUS_CONDITION tells {base, balance, target, floor, turnover, turnoverNeeded} and changes nothing',
  sideEffect: true,
  reply: Message,
  refusals: ['NO_DATA', 'PROVIDER_UNAVAILABLE', 'BONUS_CONDITION'],
});

export const forfeitBonus = call({
  method: 'POST',
  path: '/api/bonus/forfeit',
  access: 'member',
  summary:
    'Give up the bonus and what was won with it; the deposit behind it and savings stay. BONUS_CONDITION while it lies in open bets or on its way',
  reply: Message,
  refusals: ['UNAUTHORIZED', 'NO_DATA', 'PROVIDER_UNAVAILABLE', 'BONUS_CONDITION'],
});
