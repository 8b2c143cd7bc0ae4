import { Type } from 'typebox';
import { COUNTED_MAX } from '../shared/rules.ts';
import { Closed, Currency, Money, Nullable } from './schemas.ts';

/** Which page of a list, by the cursor another page's reply named; none: the first. Filters are added to these. */
export const cursorPage = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(
    Type.String({
      maxLength: 300,
      pattern: '^(last|(after|before):[A-Za-z]{1,20}:[^\\u0000]{0,200}:[A-Za-z0-9_-]{1,60})$',
      description:
        '`previous`, `next` or `last` of another reply with the same filters and order; none: the first page.',
    }),
  ),
  countAll: Type.Optional(
    Type.Boolean({ description: 'Whether all rows are counted and summed, however long it takes.' }),
  ),
};

/** The cursors of the pages beside one page; null: there is none. */
export const turns = {
  previous: Nullable(Type.String()),
  next: Nullable(Type.String()),
  last: Nullable(Type.String({ description: 'Of the last page, which is read as fast as the first.' })),
};

/** The cursors beside a page, and how many rows fit the filter. */
export const counted = {
  ...turns,
  total: Type.Integer(),
  isTotalExact: Type.Boolean({
    description: `Whether \`total\` rows fit; otherwise more than \`total\` (${COUNTED_MAX}) do.`,
  }),
};

/** The same with the sums of all rows that fit, which are missing where the total is not exact. */
export const summed = {
  ...counted,
  sums: Type.Array(Closed({ currency: Currency, amount: Money })),
};
