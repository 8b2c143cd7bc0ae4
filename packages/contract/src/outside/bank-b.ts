/**
 * Bank style B: an account-watching service that reads the statement of an account of ours, as self-hosted and rented
 * statement feeds for Thai banks do. Amounts are decimal text in the account's currency; times are ISO 8601.
 * Senders come as banks print them: the account masked (`xxx-x-x0209-x`), the name with its title and mostly cut
 * ("นาย ธนาคาร ก").
 */
import { Type } from 'typebox';

/** Header that carries the API key. */
export const KEY_HEADER = 'x-api-key';

export const Sender = Type.Object({
  bank: Type.String({ description: 'Three-digit BOT code, or a short code where there is none (Laos).' }),
  account: Type.String({ description: 'Masked; hidden digits are x.' }),
  name: Type.String(),
});

export const Line = Type.Object({
  reference: Type.String({ description: "The bank's own; once for ever within the account's bank." }),
  type: Type.Union([Type.Literal('CREDIT'), Type.Literal('DEBIT')]),
  amount: Type.String(),
  bookedAt: Type.String(),
  sender: Sender,
  billReference1: Type.Optional(Type.String({ description: 'Reference 1 of a bill payment.' })),
});

/**
 * GET /v1/accounts/{accountNo}/statement?bank=&cursor=&since=&limit= : lines after the cursor, oldest first. Without a
 * cursor, lines booked at `since` or later. `next` is the cursor after the last line given; `more` says that further
 * lines wait. The same cursor always continues at the same line.
 */
export const StatementReply = Type.Object({
  currency: Type.Union([Type.Literal('THB'), Type.Literal('LAK')]),
  lines: Type.Array(Line),
  next: Type.String(),
  more: Type.Boolean(),
});

/** What any refusal carries. */
export const ErrorReply = Type.Object({ error: Type.String() });
