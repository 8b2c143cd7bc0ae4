/** Bonuses as operators set them. */

import { Type } from 'typebox';
import { Localized } from '../shared/schemas.ts';
import { RUN_KINDS, RUN_STATES } from '../shared/statuses.ts';
import { operatorCall } from './call.ts';
import { counted, cursorPage, summed } from './cursor.ts';
import {
  ActionReply,
  Closed,
  Currency,
  Done,
  Id,
  MemberRef,
  Moment,
  Money,
  Nullable,
  OneOf,
  Reason,
  SeveralOf,
  sortBy,
  Text,
  Timestamp,
} from './schemas.ts';

const localizedText = (maxLength: number) => Localized(Text(maxLength));
const Sum = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 });

export const BONUS_KINDS = ['bonus', 'promotion'] as const;

/** Everything that is decided of a bonus; amounts in its currency. What runs keeps the terms it was started with. */
export const BonusTerms = Closed({
  code: Type.String({ pattern: '^[A-Z0-9]{3,40}$' }),
  kind: OneOf(BONUS_KINDS),
  currency: Currency,
  title: localizedText(120),
  // Html: what a member reads in full before they receive it.
  description: localizedText(4_000),
  banners: Type.Array(Closed({ image: Text(400), html: localizedText(4_000) }), { maxItems: 10 }),
  award: Type.Union([
    Closed({ fixed: Sum }),
    Closed({ percent: Type.Integer({ minimum: 1, maximum: 1000 }), most: Nullable(Sum) }),
  ]),
  deposit: Nullable(Closed({ least: Sum, most: Nullable(Sum) })),
  successPercent: Type.Union([Type.Literal(0), Type.Integer({ minimum: 101, maximum: 10_000 })]),
  failPercent: Type.Integer({ minimum: 0, maximum: 99 }),
  turnoverTimes: Type.Number({
    minimum: 0,
    maximum: 1000,
    description: 'Bets needed, in times of the base.',
  }),
  games: Nullable(
    Type.Record(Text(40, 1), Type.Integer({ minimum: 0, maximum: 1000 }), {
      additionalProperties: false,
      description:
        'The games allowed, and the weight in percent at which their bets count; null: all, fully.',
    }),
  ),
  withdrawMost: Nullable(Sum),
  days: Type.Integer({ minimum: 1, maximum: 365 }),
  countBy: OneOf(['limit', 'day', 'week'] as const),
  maxReceived: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  quota: Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  // A promotion is received by its own code, or by codes for one person each, made in batches.
  codes: Type.Optional(OneOf(['shared', 'single'] as const)),
  isOpen: Type.Boolean(),
  startsAt: Nullable(Moment),
  endsAt: Nullable(Moment),
});

export const BONUS_STATES = ['OPEN', 'SCHEDULED', 'FULL', 'ENDED', 'STOPPED'] as const;

const params = Closed({ code: Id });

/** A bonus or promotion in a list. */
const BonusRow = Closed(
  {
    code: Type.String(),
    kind: OneOf(BONUS_KINDS),
    currency: Currency,
    title: localizedText(120),
    state: Type.Unsafe<(typeof BONUS_STATES)[number]>(
      Type.String({
        description: 'OPEN now, SCHEDULED, FULL by its quota, ENDED by its dates, STOPPED by an operator.',
      }),
    ),
    startsAt: Nullable(Timestamp),
    endsAt: Nullable(Timestamp),
    quota: Nullable(Type.Integer()),
    received: Type.Integer({ description: 'How often it was received.' }),
    running: Type.Integer({ description: 'Runs under way.' }),
    granted: Money,
    taken: Money,
    version: Type.Integer(),
    changedBy: Type.String(),
    changedAt: Timestamp,
    approval: Nullable(Type.String({ description: 'The request to publish it that waits for a checker.' })),
  },
  { $id: 'BonusRow' },
);

export const listBonuses = operatorCall({
  method: 'GET',
  path: '/api/operator/bonuses',
  permission: 'promotion.read',
  summary: 'Bonuses and promotions with what they gave; granted less taken is their cost',
  query: Closed({
    ...cursorPage,
    ...sortBy('position', 'changedAt'),
    q: Type.Optional(Text(60)),
    kind: Type.Optional(SeveralOf(BONUS_KINDS)),
    state: Type.Optional(SeveralOf(BONUS_STATES)),
  }),
  reply: Closed({
    bonuses: Type.Array(BonusRow),
    ...counted,
    games: Type.Array(Closed({ code: Type.String(), name: Type.String() }), {
      description: 'What terms may allow.',
    }),
  }),
});

export const readBonus = operatorCall({
  method: 'GET',
  path: '/api/operator/bonuses/{code}',
  permission: 'promotion.read',
  summary: 'One bonus with its terms, and the earlier versions, newest first',
  params,
  reply: Closed({
    bonus: BonusRow,
    terms: BonusTerms,
    versions: Type.Array(
      Closed({
        version: Type.Integer(),
        changedBy: Type.String(),
        changedAt: Timestamp,
        reason: Nullable(Type.String()),
        reverts: Nullable(Type.Integer()),
        terms: BonusTerms,
      }),
    ),
  }),
  refusals: ['NO_DATA'],
});

export const publishBonus = operatorCall({
  method: 'POST',
  path: '/api/operator/bonuses',
  permission: 'promotion.manage',
  summary:
    'Put a bonus on offer, or give it new terms as its next version; another person agrees before it pays. Runs keep the terms they were started with',
  body: Closed({
    terms: BonusTerms,
    version: Type.Integer({ minimum: 0, description: 'The version that is changed; 0: a new one.' }),
    reason: Reason,
  }),
  reply: ActionReply,
  refusals: ['INVALID_REQUEST', 'CODE_TAKEN', 'ROW_CHANGED', 'APPROVAL_PENDING'],
});

export const stopBonus = operatorCall({
  method: 'POST',
  path: '/api/operator/bonuses/{code}/stop',
  permission: 'promotion.manage',
  summary: 'Take a bonus off offer at once; runs under way go on by their terms',
  params,
  body: Closed({ version: Type.Integer(), reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const revertBonus = operatorCall({
  method: 'POST',
  path: '/api/operator/bonuses/{code}/revert',
  permission: 'promotion.manage',
  summary: 'Bring an earlier version back as the next one; another person agrees before it pays',
  params,
  body: Closed({
    to: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    version: Type.Integer({ description: 'The version on offer at the request.' }),
    reason: Reason,
  }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'APPROVAL_PENDING'],
});

export const orderBonuses = operatorCall({
  method: 'POST',
  path: '/api/operator/bonus-order',
  permission: 'promotion.manage',
  summary: 'The order members see bonuses in; names every one of them',
  body: Closed({ codes: Type.Array(Id, { maxItems: 1000, uniqueItems: true }) }),
  reply: Done,
  refusals: ['ROW_CHANGED'],
});

export const estimateBonus = operatorCall({
  method: 'POST',
  path: '/api/operator/bonus-estimate',
  permission: 'promotion.read',
  summary:
    'What terms would have granted on the deposits of the last 30 days, each that fits counted as received; and the most that a quota lets them grant',
  body: Closed({ terms: BonusTerms }),
  reply: Closed({
    days: Type.Integer(),
    receipts: Type.Integer(),
    members: Type.Integer(),
    granted: Money,
    most: Nullable(Money),
  }),
  refusals: ['INVALID_REQUEST'],
});

export const listRuns = operatorCall({
  method: 'GET',
  path: '/api/operator/runs',
  permission: 'promotion.read',
  summary:
    'Runs, newest first: of a member, of a bonus, or all; each open run with its progress by the last known figures',
  query: Closed({
    ...cursorPage,
    member: Type.Optional(Id),
    bonus: Type.Optional(Id),
    state: Type.Optional(SeveralOf(RUN_STATES)),
    kind: Type.Optional(SeveralOf(RUN_KINDS)),
  }),
  reply: Closed({
    runs: Type.Array(
      Closed(
        {
          id: Type.String(),
          member: MemberRef,
          kind: OneOf(RUN_KINDS),
          bonus: Nullable(Type.String({ description: 'The code it was started by.' })),
          label: Type.String(),
          version: Nullable(Type.Integer()),
          state: OneOf(RUN_STATES),
          currency: Currency,
          deposit: Nullable(Type.String()),
          qualifying: Money,
          granted: Money,
          taken: Money,
          startedAt: Timestamp,
          expiresAt: Timestamp,
          endedAt: Nullable(Timestamp),
          endedBy: Nullable(Type.String()),
          stuckSince: Nullable(Timestamp),
          progress: Nullable(
            Closed({
              base: Money,
              balance: Money,
              target: Money,
              floor: Money,
              turnover: Money,
              turnoverNeeded: Money,
            }),
          ),
        },
        { $id: 'RunRow' },
      ),
    ),
    ...summed,
  }),
});

const CODES_MAX = 10_000;

export const listBatches = operatorCall({
  method: 'GET',
  path: '/api/operator/bonuses/{code}/batches',
  permission: 'promotion.read',
  summary: 'Batches of codes for one person each, newest first',
  params,
  reply: Closed({
    batches: Type.Array(
      Closed(
        {
          id: Type.String(),
          madeBy: Type.String(),
          madeAt: Timestamp,
          reason: Nullable(Type.String()),
          codes: Type.Integer(),
          used: Type.Integer(),
          revokedAt: Nullable(Timestamp),
        },
        { $id: 'CodeBatch' },
      ),
    ),
    approval: Nullable(Type.String({ description: 'The request for a batch that waits for a checker.' })),
  }),
  refusals: ['NO_DATA'],
});

export const makeBatch = operatorCall({
  method: 'POST',
  path: '/api/operator/bonuses/{code}/batches',
  permission: 'promotion.manage',
  summary:
    'Generate random codes, or import printed ones (10 letters and figures or more); they are valid after a second approval',
  params,
  body: Closed({
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: CODES_MAX })),
    codes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Z0-9]{10,40}$', maxLength: 40 }), {
        minItems: 1,
        maxItems: CODES_MAX,
        uniqueItems: true,
      }),
    ),
    reason: Reason,
  }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'APPROVAL_PENDING'],
});

export const revokeBatch = operatorCall({
  method: 'POST',
  path: '/api/operator/batches/{id}/revoke',
  permission: 'promotion.manage',
  summary: 'No code of the batch is received any more; what was received stays',
  params: Closed({ id: Id }),
  body: Closed({ reason: Reason }),
  reply: Done,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

/** The codes of one batch, only as a file, because every reader of a code could use it. */
export const codesOfBatch = {
  permission: 'promotion.manage',
  query: Closed({ batch: Id }),
} as const;
