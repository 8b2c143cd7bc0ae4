/** What an operator does next, and today beside other days. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import { Closed, Currency, Money, Nullable, OneOf, Timestamp } from './schemas.ts';

/**
 * The queues, each with the minutes within which its items should be dealt with. What has waited the largest share of
 * them is the most urgent.
 */
export const TARGET_MINUTES = {
  chats: 5,
  withdrawals: 15,
  slips: 15,
  reports: 30,
  kyc: 60,
  transfers: 30,
  unmatched: 60,
  approvals: 60,
  alerts: 120,
} as const;
export type WorkKind = keyof typeof TARGET_MINUTES;
const Kind = OneOf(Object.keys(TARGET_MINUTES) as WorkKind[]);

const WorkItem = Closed({
  kind: Kind,
  id: Type.String(),
  title: Type.String({
    description:
      'Name of the member; of an unmatched payment its bank reference, of an alert its kind, of a request its action.',
  }),
  amount: Nullable(Money),
  currency: Nullable(Currency),
  since: Timestamp,
  targetMinutes: Type.Integer({ description: 'Within which items of this queue should be dealt with.' }),
  isLate: Type.Boolean({ description: 'It has waited longer than its queue’s target.' }),
  mine: Type.Boolean({ description: 'The caller has taken it.' }),
});

export const readWork = operatorCall({
  method: 'GET',
  path: '/api/operator/work',
  permission: 'today.read',
  summary:
    'Work that the caller may do and no other operator has taken: by urgency, by age, and what is assigned to the caller',
  reply: Closed({
    next: Nullable(WorkItem),
    oldest: Type.Array(WorkItem, { description: 'Five at most, without the caller’s own.' }),
    mine: Type.Array(WorkItem, { description: 'Twenty at most, the most urgent first.' }),
  }),
});

export const readHours = operatorCall({
  method: 'GET',
  path: '/api/operator/today/hours',
  permission: 'figures.read',
  summary: 'Money in and out by hour in Bangkok: today, yesterday, and the same weekday a week ago',
  reply: Closed({
    hour: Type.Integer({ description: 'The hour that lasts now, 0 to 23.' }),
    days: Type.Array(
      Closed({
        day: Type.String(),
        name: OneOf(['today', 'yesterday', 'weekBefore'] as const),
        currency: Currency,
        in: Type.Array(Money, { description: 'One for each hour.' }),
        out: Type.Array(Money),
        inByNow: Type.Number({ description: 'Until this time of the day.' }),
        outByNow: Money,
      }),
    ),
  }),
});

/** The partners that are called over HTTP. */
export const PARTNERS = [
  'bank',
  'feed',
  'ww',
  'zapman',
  'gift',
  'slip',
  'sms',
  'push',
  'game-f',
  'game-j',
] as const;
export type PartnerName = (typeof PARTNERS)[number];

export const readPartners = operatorCall({
  method: 'GET',
  path: '/api/operator/partners',
  permission: 'today.read',
  summary: 'How partners answered over the last hour, and since when each watched account is silent',
  reply: Closed({
    partners: Type.Array(
      Closed({
        partner: OneOf(PARTNERS),
        calls: Type.Integer(),
        failed: Type.Integer({
          description: 'Without an answer in time, with a status of 5xx, or refused for too many calls.',
        }),
        averageMs: Type.Integer(),
        slowestMs: Type.Integer(),
        lastFailedAt: Nullable(Timestamp),
      }),
      { description: 'Those that were called within the hour.' },
    ),
    credits: Type.Array(
      Closed({
        partner: OneOf(PARTNERS),
        agent: Type.String({ description: 'The agent at a game provider; empty for the SMS gateway.' }),
        credit: Type.Number({
          description: 'Credits of the games of an agent; messages of the SMS gateway.',
        }),
        isLow: Type.Boolean({
          description: 'Below the setting `game.creditAlert` or `sms.creditAlert`.',
        }),
        readAt: Timestamp,
      }),
      { description: 'What is left of prepaid credit at partners that report it, as last read.' },
    ),
    feeds: Type.Array(
      Closed({
        bankCode: Type.String(),
        accountNo: Type.String({ description: 'Masked: only the last four digits are real.' }),
        answeredAt: Timestamp,
        isSilent: Type.Boolean({ description: 'For longer than the setting `unknown.alertMinutes` allows.' }),
      }),
    ),
  }),
});
