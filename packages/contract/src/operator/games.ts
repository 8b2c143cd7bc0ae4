/** The games on offer. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import { Closed, Done, Id, Nullable, OneOf, Reason, Text, Timestamp } from './schemas.ts';

/**
 * MAINTENANCE: shown, cannot be entered. OFF: hidden from members without a balance in it. Money can always be moved
 * out.
 */
const GameState = OneOf(['OPEN', 'MAINTENANCE', 'OFF'] as const);

/** MAINTENANCE: none of its games can be entered, whatever each game's own state. */
const ProviderState = OneOf(['OPEN', 'MAINTENANCE'] as const);

export const listGames = operatorCall({
  method: 'GET',
  path: '/api/operator/games',
  permission: 'setting.read',
  summary:
    'Every game with its provider, own state, rate and limit, in the order members see; and the providers',
  reply: Closed({
    currencies: Type.Array(OneOf(['BAHT', 'LAK'] as const), { description: 'What members play with.' }),
    games: Type.Array(
      Closed(
        {
          code: Type.String(),
          name: Type.String(),
          category: OneOf(['slot', 'sport', 'lotto'] as const),
          provider: Type.String(),
          state: GameState,
          rate: Type.Number({ description: 'Baht for one credit.' }),
          rateLak: Nullable(
            Type.Number({ description: 'Kip for one credit; null: the same figure as in baht.' }),
          ),
          least: Nullable(Type.Number({ description: 'Credits that one transfer in must bring.' })),
          version: Type.Integer(),
          accounts: Type.Integer({ description: 'Members who have opened it.' }),
          otherRate: Type.Integer({ description: 'Of these, how many still play at an earlier rate.' }),
        },
        { $id: 'GameRow' },
      ),
    ),
    providers: Type.Array(
      Closed(
        {
          code: Type.String(),
          state: ProviderState,
          games: Type.Integer(),
          changedBy: Nullable(Type.String()),
          changedAt: Nullable(Timestamp),
        },
        { $id: 'GameProviderRow' },
      ),
    ),
  }),
});

export const changeGame = operatorCall({
  method: 'PUT',
  path: '/api/operator/games/{code}',
  permission: 'setting.manage',
  summary:
    'Rename a game, open it, close it or put it under maintenance, set its rate and limit; a rate reaches an account once nothing is in it',
  params: Closed({ code: Id }),
  body: Closed({
    name: Text(60, 1),
    state: GameState,
    rate: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
    rateLak: Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 })),
    least: Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 })),
    version: Type.Integer(),
    reason: Reason,
  }),
  reply: Done,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED'],
});

export const changeProvider = operatorCall({
  method: 'PUT',
  path: '/api/operator/game-providers/{code}',
  permission: 'setting.manage',
  summary:
    'Put all games of a provider under maintenance in one action, or end it: then each game is again what it says of itself',
  params: Closed({ code: Id }),
  body: Closed({ state: ProviderState, reason: Reason }),
  reply: Done,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const orderGames = operatorCall({
  method: 'POST',
  path: '/api/operator/game-order',
  permission: 'setting.manage',
  summary: 'The order games are shown in; names every one of them',
  body: Closed({ codes: Type.Array(Id, { maxItems: 500, uniqueItems: true }) }),
  reply: Done,
  refusals: ['ROW_CHANGED'],
});
