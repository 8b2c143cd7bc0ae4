/** Shapes shared by several member calls. Names become components of the OpenAPI document. */

import { Type } from 'typebox';
import { OneOf, Text } from '../shared/schemas.ts';
import { STATEMENT_STATUSES } from '../shared/statuses.ts';

export { Text };

const closed = { additionalProperties: false } as const;

/** An object schema that refuses unknown fields. */
export const Closed = <P extends Parameters<typeof Type.Object>[0]>(
  properties: P,
  options: { $id?: string } = {},
) => Type.Object(properties, { ...closed, ...options });

/** Money on the wire: a JSON number in the member's currency, at most its decimals. Checked again by toMinor. */
export const Amount = Type.Number({ description: "Money in the member's currency." });
export const Timestamp = Type.String({ description: 'UTC, ISO 8601 with milliseconds.' });
/** An id that the client makes for one code request and repeats when it received no response. */
export const CodeRequestId = Type.Optional(
  Type.String({
    maxLength: 64,
    pattern: '^[\\w-]{22,}$',
    description:
      'Random; the same one again answers the same code, without another SMS, until the code expires.',
  }),
);

export const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

export const Message = Closed({ message: Type.String() }, { $id: 'Message' });

/** Ten rows by default; pages count from 1. */
export const Page = Closed({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  limit: Type.Integer({ minimum: 1, maximum: 100 }),
});

/** The local name (of a Lao bank its Lao one), English, and Lao where Lao readers have a name for it. */
export const bankNames = {
  nameTH: Type.String(),
  nameEN: Type.String(),
  nameLA: Type.Optional(Type.String()),
};

export const Bank = Closed(
  { code: Type.String(), ...bankNames, color: Nullable(Type.String()) },
  { $id: 'Bank' },
);

/** A bank account as members type it. */
export const bankAccountFields = {
  bankCode: Text(20),
  bankAccountName: Text(200),
  bankAccountNo: Text(40),
};

export const BankAccount = Closed(
  {
    bankCode: Type.String(),
    bankAccountName: Type.String(),
    bankAccountNo: Type.String({ description: 'Digits only.' }),
    bank: Closed(bankNames),
  },
  { $id: 'BankAccount' },
);

export const EntryStatus = OneOf(STATEMENT_STATUSES);

export const StatementType = Type.Union([
  Type.Literal('deposit'),
  Type.Literal('bonus'),
  Type.Literal('finish_bonus'),
  Type.Literal('withdraw'),
  Type.Literal('transfer'),
]);

/** The statement row, and so the receipt, of a response; absent when there is none. */
export const StatementId = Type.Optional(
  Type.String({ description: 'Id of the statement row of this movement.' }),
);

/** The response of a money call; `from` and `to` are wallet, a slot code, a bank code, gift or manual. */
export const Receipt = Closed(
  {
    id: Type.String(),
    type: StatementType,
    status: EntryStatus,
    amount: Amount,
    from: Type.String(),
    to: Type.String(),
    createdAt: Timestamp,
    message: Type.String({ description: 'A code.' }),
    wallet: Closed({ amount: Amount }),
  },
  { $id: 'Receipt' },
);

export const TransferAllReceipt = Closed(
  {
    ...Receipt.properties,
    legs: Type.Array(
      Closed({
        from: Type.String(),
        amount: Amount,
        status: Type.Union([Type.Literal('SUCCESS'), Type.Literal('PENDING'), Type.Literal('FAILED')]),
      }),
    ),
  },
  { $id: 'TransferAllReceipt' },
);

export const Slot = Closed(
  {
    code: Type.String(),
    name: Type.String(),
    category: Type.Union([Type.Literal('slot'), Type.Literal('sport'), Type.Literal('lotto')]),
    isActive: Type.Boolean(),
    amount: Type.Number({ description: "Balance in the game's credits, as last known." }),
    openBets: Type.Number({ description: 'Credits in bets that are still open; not in the balance.' }),
    staleSince: Nullable(
      Type.String({
        description: 'When the figures were read, if the game did not respond to the last call.',
      }),
    ),
    isInMaintenance: Type.Boolean({
      description: 'Entering and paying in are off for now; money can be taken out.',
    }),
    ftWalletSlot: Type.Number({ description: 'Wallet currency per credit.' }),
    creditStep: Type.Optional(Type.Number({ description: 'Only whole multiples of so many credits move.' })),
    leastIn: Type.Optional(
      Type.Number({ description: "The least that one transfer brings in, in the member's currency." }),
    ),
    logo: Type.String(),
    background: Type.String(),
    web: Nullable(Type.String()),
    android: Nullable(Type.String()),
    ios: Nullable(Type.String()),
  },
  { $id: 'Slot' },
);
