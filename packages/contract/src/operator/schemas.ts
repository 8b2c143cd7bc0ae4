/** Shapes shared by several operators' calls. */
import { OneOf, Text } from '../shared/schemas.ts';

export { OneOf, Text };

import { Type } from 'typebox';
import { Format } from 'typebox/format';
import { CURRENCIES } from '../shared/money.ts';
import { isDay, isMoment } from '../shared/times.ts';

const closed = { additionalProperties: false } as const;

/** An object schema that refuses unknown fields. */
export const Closed = <P extends Parameters<typeof Type.Object>[0]>(
  properties: P,
  options: { $id?: string } = {},
) => Type.Object(properties, { ...closed, ...options });

export const Timestamp = Type.String({ description: 'UTC, ISO 8601 with milliseconds.' });
export const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

export const Money = Type.Number({ description: 'In the currency beside it.' });
export const Currency = OneOf(CURRENCIES);
/** A person must be able to read later why this was done. */
export const Reason = Text(500, 3);
export const Id = Text(60, 1);

/** In what order: a name, or one with a minus in front for downwards. Only names the database keeps sorted. */
export const sortBy = <const W extends readonly string[]>(...names: W) => ({
  sort: Type.Optional(
    Type.Unsafe<W[number] | `-${W[number]}`>(
      Type.String({ enum: names.flatMap((name) => [name, `-${name}`]), maxLength: 40 }),
    ),
  ),
});
const CHOICES = 'Separated by commas; what has a `!` in front is left out.';

/** Several values of a filter out of a closed set. */
export const SeveralOf = (values: readonly string[]) => {
  const value = `!?(${values.join('|')})`;
  // Long enough to leave out every value.
  const maxLength = values.join(',!').length + 1;
  return Type.String({ pattern: `^${value}(,${value})*$`, maxLength, description: CHOICES });
};

/** Several values of a filter; a comma or exclamation mark of a value itself is percent-encoded. */
export const SeveralTexts = (maxLength: number) => {
  const value = `!?[^,!\\u0000]{1,${3 * maxLength}}`;
  return Type.String({ pattern: `^${value}(,${value})*$`, maxLength: 1_000, description: CHOICES });
};
Format.Set('day', isDay);
Format.Set('moment', isMoment);

/** A day of the calendar. */
export const Day = Type.String({ maxLength: 10, format: 'day', description: 'YYYY-MM-DD.' });
/** A point in time. */
export const Moment = Type.String({
  maxLength: 35,
  format: 'moment',
  description: 'ISO 8601 with a time zone; a day alone is its first moment in UTC.',
});
/** Half-open range of times. */
export const between = { from: Type.Optional(Moment), to: Type.Optional(Moment) };

export const Done = Closed({ message: Type.String() }, { $id: 'Done' });

/** What an action became: done, or waiting for a second person under this request. */
export const ActionReply = Closed(
  {
    state: Type.String({ description: "The subject's state now." }),
    approval: Nullable(Type.String({ description: 'The request that waits for a checker.' })),
    undoSeconds: Type.Optional(
      Type.Number({ description: 'How long it can be undone before it is carried out; absent: it is done.' }),
    ),
  },
  { $id: 'ActionReply' },
);

/** What became of each row of an action on many. */
export const RowResults = Closed(
  {
    results: Type.Array(
      Closed({
        id: Type.String(),
        state: Nullable(Type.String()),
        approval: Nullable(Type.String()),
        undoSeconds: Type.Optional(Type.Number()),
        refusal: Nullable(Type.String({ description: 'Why this one was not done.' })),
        by: Nullable(Type.String({ description: 'Who has taken it, where that is the reason.' })),
        now: Nullable(Type.String({ description: 'Its state, where that is the reason.' })),
      }),
    ),
  },
  { $id: 'RowResults' },
);

/** The operator a queue row is assigned to, and until when; it is released after some minutes without an action. */
export const Assignment = Closed({ by: Type.String(), until: Timestamp, mine: Type.Boolean() });

/** A member in a row of another list. */
export const MemberRef = Closed({ id: Type.String(), name: Type.String() });

/** What banks print of an account, which tells two members of one name apart. */
export const PrintedAccount = Closed({
  bankCode: Type.String(),
  accountNo: Type.String({ description: 'Masked: only the last four digits are real.' }),
  accountName: Type.String(),
});

/** A bank account, its number masked. */
export const MaskedAccount = Closed({
  bankCode: Type.String(),
  bankName: Type.String({ description: 'As the bank’s own country writes it.' }),
  bankNameEn: Type.String(),
  bankColor: Nullable(Type.String()),
  accountNo: Type.String({ description: 'Masked: only the last four digits are real.' }),
  accountName: Type.String(),
});
