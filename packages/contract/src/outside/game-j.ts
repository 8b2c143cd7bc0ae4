/**
 * Games style J: the shape of aggregator APIs. JSON both ways; header `x-signature` is the hex HMAC-SHA256 of the raw
 * body with the agent's secret, and every body carries the time it was made. Credits are whole numbers in transfers;
 * a balance may hold fractions that wins left. Deposits and withdrawals are once-only by `reference`.
 */
import { Type } from 'typebox';

export const SIGNATURE_HEADER = 'x-signature';
/** A body older than this is refused. */
export const FRESH_MS = 300_000;

const made = { madeAt: Type.Integer({ description: 'Unix milliseconds.' }) };
const player = { username: Type.String() };
const credits = Type.Integer({ description: 'Whole credits, above 0.' });
const decimal = Type.String({ description: 'Decimal credits.' });

/** POST /{agent}/v1/… with one of these bodies. */
export const CreateRequest = Type.Object({ ...made, ...player, password: Type.String() });
export const PlayerRequest = Type.Object({ ...made, ...player });
export const MoveRequest = Type.Object({ ...made, ...player, credits, reference: Type.String() });
export const CheckRequest = Type.Object({ ...made, reference: Type.String() });
export const LaunchRequest = Type.Object({
  ...made,
  ...player,
  language: Type.String(),
  returnUrl: Type.String(),
  device: Type.Union([Type.Literal('mobile'), Type.Literal('desktop')]),
});
export const RoundsRequest = Type.Object({
  ...made,
  cursor: Type.String({ description: 'Empty at the beginning.' }),
  limit: Type.Integer({ minimum: 1, maximum: 500 }),
  username: Type.Optional(Type.String({ description: 'Only rounds of this player.' })),
  since: Type.Optional(Type.String({ description: 'Only rounds that changed then or later, ISO 8601.' })),
});

/** A refusal: HTTP 400 with one of CODE; such a request was not carried out. Another code proves nothing about a transfer. */
export const ErrorReply = Type.Object({ code: Type.String(), message: Type.String() });
export const CODE = {
  BAD_SIGNATURE: 'BAD_SIGNATURE',
  PLAYER_EXISTS: 'PLAYER_EXISTS',
  NO_PLAYER: 'NO_PLAYER',
  NOT_ENOUGH: 'NOT_ENOUGH',
  AGENT_EMPTY: 'AGENT_EMPTY',
  NO_TRANSACTION: 'NO_TRANSACTION',
  REFERENCE_USED: 'REFERENCE_USED',
  BAD_REQUEST: 'BAD_REQUEST',
  MAINTENANCE: 'MAINTENANCE',
} as const;

/** Answer of creating and of a new password. `event` where the account belongs to one: a season or a draw. Usernames come back in upper case. */
export const CreateReply = Type.Object({ ...player, event: Type.Optional(Type.String()) });
export const CreditReply = Type.Object({ ...player, balance: decimal, open: decimal });
export const MoveReply = Type.Object({
  reference: Type.String(),
  ...player,
  direction: Type.Union([Type.Literal('IN'), Type.Literal('OUT')]),
  credits: Type.Integer(),
  balance: decimal,
});
export const LaunchReply = Type.Object({ url: Type.String() });
/** Settled and open rounds in the order they changed; `next` continues there. */
export const RoundsReply = Type.Object({
  rounds: Type.Array(
    Type.Object({
      id: Type.String(),
      ...player,
      game: Type.String(),
      stake: decimal,
      win: decimal,
      state: Type.Union([Type.Literal('OPEN'), Type.Literal('SETTLED'), Type.Literal('VOID')]),
      at: Type.String(),
    }),
  ),
  next: Type.String(),
});
