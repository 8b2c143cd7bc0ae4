import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Amount, Closed, EntryStatus, Nullable, Page, StatementType, Timestamp } from './schemas.ts';

const Reference = Type.Optional(
  Closed({
    description: Type.String({
      description:
        "Name of the bonus or prize in the reader's language; what it was called then, where its source is unknown.",
    }),
  }),
);

/** What a receipt shows beside its row. */
const ReceiptDetails = Closed(
  {
    channel: Nullable(
      Type.Union(
        [
          Type.Literal('QR'),
          Type.Literal('AUTO'),
          Type.Literal('SLIP'),
          Type.Literal('GIFT'),
          Type.Literal('MANUAL'),
        ],
        { description: 'How a deposit came.' },
      ),
    ),
    account: Nullable(
      Closed({
        bankCode: Type.String(),
        name: Nullable(Type.String({ description: 'Whose account; null: the bank did not tell.' })),
        number: Nullable(Type.String({ description: 'Masked and grouped, as banks print it.' })),
      }),
    ),
    reason: Type.Optional(
      Type.String({
        description: 'Why an operator refused a withdrawal and what to do now, to be read by the member.',
      }),
    ),
    balanceAfter: Nullable(
      Type.Number({ description: 'The wallet after the movement; null where it did not touch the wallet.' }),
    ),
  },
  { $id: 'ReceiptDetails' },
);

export const StatementItem = Closed(
  {
    id: Type.String(),
    statementType: StatementType,
    status: EntryStatus,
    from: Type.String(),
    to: Type.String(),
    amount: Amount,
    createdAt: Timestamp,
    bonus: Reference,
    promotion: Reference,
    invite: Reference,
    refund: Reference,
    luckydraw: Reference,
    origin: Type.Optional(
      Type.Union([Type.Literal('report'), Type.Literal('return')], {
        description:
          'Of a deposit from manual: the payment that the member reported, or a withdrawal that the bank sent back; absent for an entry of an operator.',
      }),
    ),
    receipt: Type.Optional(ReceiptDetails),
  },
  { $id: 'StatementItem' },
);

const Day = Type.String({
  maxLength: 10,
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  description: 'YYYY-MM-DD, a day in Asia/Bangkok.',
});

const filter = {
  type: Type.Optional(StatementType),
  status: Type.Optional(
    Type.Union([Type.Literal('SUCCESS'), Type.Literal('FAILED'), Type.Literal('IN_PROGRESS')], {
      description: 'IN_PROGRESS is everything not final.',
    }),
  ),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
};

/**
 * Which rows: all of them by default. Both days are included. POST /api/statement/csv takes it as its body and
 * streams the rows as CSV for a spreadsheet.
 */
export const StatementFilter = Closed(filter, { $id: 'StatementFilter' });

export const listStatements = call({
  method: 'POST',
  path: '/api/statement',
  access: 'member',
  summary: 'The statement, newest first',
  body: Closed({
    ...Page.properties,
    ...filter,
    id: Type.Optional(
      Type.String({
        maxLength: 64,
        pattern: '^[\\w-]+$',
        description: 'The one row of this id, if it is there, with what its receipt shows.',
      }),
    ),
  }),
  reply: Closed({ statements: Type.Array(StatementItem), total: Type.Integer() }),
});
