/** Reports over days in Bangkok. Amounts agree with the ledger of the same days. */
import { Type } from 'typebox';
import { Localized } from '../shared/schemas.ts';
import { operatorCall } from './call.ts';
import { Closed, Currency, Day, Money, Nullable, OneOf } from './schemas.ts';

/** The most days that a report covers. */
export const FIGURES_DAYS_MAX = 92;

const query = Closed({ from: Type.Optional(Day), to: Type.Optional(Day) });
/** First and last day, both included; by default the last seven days including today. */
const days = { from: Type.String(), to: Type.String() };
/** What the ledger says of the same days, to hold the rows' sum against. */
const ledger = {
  ledger: Type.Array(Closed({ currency: Currency, amount: Money })),
};
const report = { method: 'GET', permission: 'figures.read', query, refusals: ['INVALID_REQUEST'] } as const;

export const readCash = operatorCall({
  ...report,
  path: '/api/operator/figures/cash',
  summary: 'What came and went at our banks and the gift wallet, day by day',
  reply: Closed({
    ...days,
    ...ledger,
    rows: Type.Array(
      Closed(
        {
          day: Type.String(),
          currency: Currency,
          deposits: Money,
          unmatched: Type.Number({ description: 'Received and unmatched then.' }),
          withdrawals: Money,
          sentBack: Type.Number({ description: 'Unmatched money that was sent back.' }),
          cameBack: Type.Number({ description: 'Payouts that the bank sent back.' }),
          net: Money,
        },
        { $id: 'CashFigures' },
      ),
    ),
  }),
});

export const readChannels = operatorCall({
  ...report,
  path: '/api/operator/figures/channels',
  summary: 'Deposits by channel, day by day; what was taken back later is counted on its day',
  reply: Closed({
    ...days,
    ...ledger,
    rows: Type.Array(
      Closed(
        {
          day: Type.String(),
          channel: Type.String(),
          currency: Currency,
          count: Type.Integer(),
          amount: Money,
        },
        { $id: 'ChannelFigures' },
      ),
    ),
  }),
});

export const readHours = operatorCall({
  ...report,
  path: '/api/operator/figures/hours',
  summary: 'Deposits by hour of the day in Bangkok and channel, over all days together',
  reply: Closed({
    ...days,
    ...ledger,
    rows: Type.Array(
      Closed(
        {
          hour: Type.Integer({ minimum: 0, maximum: 23 }),
          channel: Type.String(),
          currency: Currency,
          count: Type.Integer(),
          amount: Money,
        },
        { $id: 'HourFigures' },
      ),
    ),
  }),
});

export const readLiabilities = operatorCall({
  ...report,
  path: '/api/operator/figures/liabilities',
  summary: 'What is owed to members at the end of each day by the ledger of that time, and unmatched money',
  reply: Closed({
    ...days,
    rows: Type.Array(
      Closed(
        {
          day: Type.String(),
          currency: Currency,
          members: Type.Number({ description: 'In wallets, held for withdrawals and in games.' }),
          unmatched: Type.Number({ description: 'Received and unmatched.' }),
        },
        { $id: 'LiabilityFigures' },
      ),
    ),
  }),
});

export const readWaiting = operatorCall({
  ...report,
  path: '/api/operator/figures/waiting',
  summary: 'How long paid withdrawals took, by the day they were requested',
  reply: Closed({
    ...days,
    rows: Type.Array(
      Closed(
        {
          day: Type.String(),
          currency: Currency,
          paid: Type.Integer(),
          automatic: Type.Integer({ description: 'Those that no operator looked at.' }),
          median: Type.Number({ description: 'Minutes from the request to the payment.' }),
          manualMedian: Nullable(Type.Number({ description: 'The same of those that operators decided.' })),
          ninety: Type.Number({ description: 'Minutes within which nine of ten were paid.' }),
          longest: Type.Number({ description: 'Minutes.' }),
        },
        { $id: 'WaitingFigures' },
      ),
    ),
  }),
});

export const readGames = operatorCall({
  ...report,
  path: '/api/operator/figures/games',
  summary: 'What members won and lost by game, and what they moved in and out',
  reply: Closed({
    ...days,
    ...ledger,
    rows: Type.Array(
      Closed(
        {
          game: Type.String(),
          name: Type.String(),
          currency: Currency,
          movedIn: Money,
          movedOut: Money,
          result: Type.Number({ description: 'What members lost; negative: what they won.' }),
        },
        { $id: 'GameFigures' },
      ),
    ),
  }),
});

export const readSources = operatorCall({
  ...report,
  path: '/api/operator/figures/sources',
  summary: 'New members by source, and what members of each source paid in',
  reply: Closed({
    ...days,
    ...ledger,
    rows: Type.Array(
      Closed(
        {
          source: Type.String(),
          names: Localized(Type.String()),
          currency: Currency,
          registered: Type.Integer(),
          depositors: Type.Integer(),
          deposits: Money,
        },
        { $id: 'SourceFigures' },
      ),
    ),
  }),
});

export const readRetention = operatorCall({
  ...report,
  path: '/api/operator/figures/retention',
  summary:
    'Of the members who registered in a week, how many paid in during each of the five weeks from then on; whole weeks, also where the days begin or end within one',
  reply: Closed({
    ...days,
    rows: Type.Array(
      Closed(
        {
          week: Type.String({ description: 'Its Monday.' }),
          registered: Type.Integer(),
          paid: Type.Array(Nullable(Type.Integer()), {
            description: 'Week by week; null for one that has not begun.',
          }),
        },
        { $id: 'RetentionFigures' },
      ),
    ),
  }),
});

export const readCosts = operatorCall({
  ...report,
  path: '/api/operator/figures/costs',
  summary: 'What promotions granted, took back and so cost, by kind and by bonus',
  reply: Closed({
    ...days,
    ...ledger,
    rows: Type.Array(
      Closed(
        {
          kind: OneOf(['bonus', 'promotion', 'invite', 'refund', 'luckydraw'] as const),
          code: Nullable(Type.String()),
          names: Nullable(Localized(Type.String())),
          currency: Currency,
          received: Type.Integer(),
          granted: Money,
          taken: Money,
          cost: Type.Number({ description: 'Granted less taken back; below zero for days that took more.' }),
        },
        { $id: 'CostFigures' },
      ),
    ),
  }),
});

export const readAgents = operatorCall({
  ...report,
  path: '/api/operator/figures/agents',
  summary:
    'What each operator decided, how soon, and their manual entries; with entries in two currencies, their decisions are in the first row',
  reply: Closed({
    ...days,
    ...ledger,
    rows: Type.Array(
      Closed(
        {
          operator: Nullable(Type.String({ description: 'Null: a command on the server itself.' })),
          currency: Currency,
          withdrawals: Type.Integer(),
          waited: Nullable(
            Type.Number({
              description: 'Minutes members waited for their yes or no to a withdrawal, the median.',
            }),
          ),
          slips: Type.Integer(),
          payIns: Type.Integer({
            description: 'Unmatched bank transactions, payment reports and ambiguous matches.',
          }),
          checks: Type.Integer({ description: 'Requests of others they decided.' }),
          entries: Type.Number({ description: 'Manual credits less manual debits.' }),
        },
        { $id: 'AgentFigures' },
      ),
    ),
  }),
});
