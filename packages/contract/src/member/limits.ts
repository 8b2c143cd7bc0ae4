import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Amount, Closed, Nullable, Timestamp } from './schemas.ts';

const Kind = Type.Union([Type.Literal('deposit'), Type.Literal('loss'), Type.Literal('reminder')]);
const Period = Type.Union(
  [Type.Literal('day'), Type.Literal('week'), Type.Literal('month'), Type.Literal('session')],
  { description: 'By the calendar in Bangkok, weeks from Monday; session only, and always, for reminder.' },
);
const ExclusionLength = Type.Union([
  Type.Literal('24h'),
  Type.Literal('7d'),
  Type.Literal('30d'),
  Type.Literal('6m'),
  Type.Literal('1y'),
  Type.Literal('forever'),
]);

export const PlayLimits = Closed(
  {
    limits: Type.Array(
      Closed({
        kind: Kind,
        period: Period,
        amount: Nullable(Type.Number({ description: 'Wallet currency; of a reminder minutes. Null: none.' })),
        used: Nullable(Amount),
        next: Nullable(Closed({ amount: Nullable(Type.Number()), from: Timestamp })),
      }),
    ),
    break: Nullable(
      Closed({
        length: ExclusionLength,
        startedAt: Timestamp,
        until: Nullable(Type.String({ description: 'UTC, ISO 8601; null: for good.' })),
      }),
    ),
  },
  { $id: 'PlayLimits' },
);

export const readLimits = call({
  method: 'GET',
  path: '/api/limits',
  access: 'member',
  summary: "The member's own limits, how far they are used, and their time-out or self-exclusion",
  reply: PlayLimits,
});

export const setLimit = call({
  method: 'PUT',
  path: '/api/limits',
  access: 'member',
  summary:
    'Set a limit: a lower one holds at once, a higher one after 24 hours; the same again changes nothing',
  body: Closed({ kind: Kind, period: Period, amount: Amount }),
  reply: PlayLimits,
});

export const removeLimit = call({
  method: 'DELETE',
  path: '/api/limits/{kind}/{period}',
  access: 'member',
  summary: 'Give a limit up, which happens after 24 hours; without one nothing changes',
  params: Closed({ kind: Kind, period: Period }),
  reply: PlayLimits,
});

export const startExclusion = call({
  method: 'POST',
  path: '/api/limits/break',
  access: 'member',
  summary:
    'Stop deposits and games for a time or for good; a shorter exclusion than the present one changes nothing',
  body: Closed({ length: ExclusionLength }),
  reply: PlayLimits,
});
