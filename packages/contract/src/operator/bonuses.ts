/** Bonuses as operators set them. */
import { Type } from 'typebox';
import { Closed, Currency, Nullable, OneOf, Text } from './schemas.ts';

const words = (maxLength: number) =>
  Closed({ th: Text(maxLength), la: Text(maxLength), en: Text(maxLength) });
const Sum = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 });

/** Everything that is decided of a bonus; amounts in its currency. What runs keeps the terms it was started with. */
export const BonusTerms = Closed(
  {
    code: Type.String({ pattern: '^[A-Z0-9]{3,40}$' }),
    kind: OneOf(['bonus', 'promotion'] as const),
    currency: Currency,
    title: words(120),
    // Html: what a member reads in full before he receives it.
    description: words(4_000),
    banners: Type.Array(Closed({ image: Text(400), html: words(4_000) }), { maxItems: 10 }),
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
        description:
          'The games allowed, and the weight in percent at which their bets count; null: all, fully.',
      }),
    ),
    withdrawMost: Nullable(Sum),
    days: Type.Integer({ minimum: 1, maximum: 365 }),
    countBy: OneOf(['limit', 'day', 'week'] as const),
    maxReceived: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    quota: Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
    isOpen: Type.Boolean(),
    startsAt: Nullable(Text(30, 1)),
    endsAt: Nullable(Text(30, 1)),
  },
  { $id: 'BonusTerms' },
);
