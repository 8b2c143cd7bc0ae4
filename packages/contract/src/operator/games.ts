/** The games on offer. */
import { Type } from 'typebox';
import { COUNTED_MAX } from '../shared/rules.ts';
import { Localized } from '../shared/schemas.ts';
import { operatorCall } from './call.ts';
import { Closed, Done, Id, Nullable, OneOf, Reason, Text, Timestamp } from './schemas.ts';

/**
 * MAINTENANCE: shown, cannot be entered. OFF: hidden from members without a balance in it. Money can always be moved
 * out.
 */
const GameState = OneOf(['OPEN', 'MAINTENANCE', 'OFF'] as const);

/** MAINTENANCE: none of its games can be entered, whatever each game's own state. */
const ProviderState = OneOf(['OPEN', 'MAINTENANCE'] as const);
const Category = OneOf(['slot', 'sport', 'lotto'] as const);
const Code = Type.String({ pattern: '^[a-z][a-z0-9-]{1,38}$', maxLength: 40 });
const Agent = Type.String({ pattern: '^[A-Za-z0-9._-]{1,60}$', maxLength: 60 });
const Link = Text(300, 0, { description: 'An https address; empty: none.' });
const Picture = Text(80, 0, {
  description: 'The path `POST /api/operator/content-file` answered, or the present one; empty: none.',
});
const Rate = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 });
const RateLak = Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 }));
const Least = Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 }));
/** In Lao and English; null: as the Thai name. */
const OtherName = Nullable(Text(60, 1));

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
          nameLa: OtherName,
          nameEn: OtherName,
          category: Category,
          provider: Type.String(),
          agent: Type.String({ description: 'Names the game at its provider.' }),
          picture: Type.String({ description: 'Its path on the members’ site; empty: none.' }),
          web: Type.String(),
          android: Type.String(),
          ios: Type.String(),
          state: GameState,
          isArchived: Type.Boolean({
            description: 'Removed by operators, stored for its history; a change restores it.',
          }),
          rate: Type.Number({ description: 'Baht for one credit.' }),
          rateLak: Nullable(
            Type.Number({ description: 'Kip for one credit; null: the same figure as in baht.' }),
          ),
          least: Nullable(Type.Number({ description: 'Credits that one transfer in must bring.' })),
          version: Type.Integer(),
          accounts: Type.Integer({
            description: `Members who have opened it; ${COUNTED_MAX + 1}: more than ${COUNTED_MAX}.`,
          }),
          otherRate: Type.Integer({
            description: 'Of these, how many still play at an earlier rate; counted as far.',
          }),
        },
        { $id: 'GameRow' },
      ),
    ),
    providers: Type.Array(
      Closed(
        {
          code: Type.String(),
          names: Localized(Type.String({ description: 'Empty: the standard name.' })),
          state: ProviderState,
          games: Type.Integer(),
          missing: Type.Array(Type.String(), {
            description: 'Settings of the server without which it cannot be reached.',
          }),
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
    'Change a game: names, picture, links, state, rate, limit; what is left out stays. A rate reaches an account once nothing is in it',
  params: Closed({ code: Id }),
  body: Closed({
    name: Text(60, 1),
    nameLa: Type.Optional(OtherName),
    nameEn: Type.Optional(OtherName),
    agent: Type.Optional(Agent),
    picture: Type.Optional(Picture),
    web: Type.Optional(Link),
    android: Type.Optional(Link),
    ios: Type.Optional(Link),
    state: GameState,
    rate: Rate,
    rateLak: RateLak,
    least: Least,
    version: Type.Integer(),
    reason: Reason,
  }),
  reply: Done,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED'],
});

export const addGame = operatorCall({
  method: 'POST',
  path: '/api/operator/games',
  permission: 'setting.manage',
  summary: 'Add a game at the end of its kind; it is off until it is opened',
  body: Closed({
    code: Code,
    category: Category,
    provider: Id,
    agent: Agent,
    name: Text(60, 1),
    nameLa: OtherName,
    nameEn: OtherName,
    picture: Picture,
    web: Link,
    android: Link,
    ios: Link,
    rate: Rate,
    rateLak: RateLak,
    least: Least,
    reason: Reason,
  }),
  reply: Done,
  refusals: ['INVALID_REQUEST', 'EXISTING_GAME'],
});

export const removeGame = operatorCall({
  method: 'POST',
  path: '/api/operator/games/{code}/remove',
  permission: 'setting.manage',
  summary:
    'Remove a game that is off: deleted when no member ever opened it, otherwise archived; members can still take their money out',
  params: Closed({ code: Id }),
  body: Closed({ version: Type.Integer(), reason: Reason }),
  reply: Closed({ outcome: OneOf(['DELETED', 'ARCHIVED'] as const) }),
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const testGame = operatorCall({
  method: 'POST',
  path: '/api/operator/game-test',
  permission: 'setting.manage',
  summary:
    'Query a provider for a player who does not exist. REACHED: it does not know them, which proves address, agent and keys; REFUSED: it answered otherwise; SILENT: nothing that could be read',
  body: Closed({ provider: Id, agent: Agent }),
  reply: Closed({
    outcome: OneOf(['REACHED', 'REFUSED', 'SILENT'] as const),
    detail: Type.String({ description: 'The refusal’s code, or what was wrong with the answer.' }),
    milliseconds: Type.Integer(),
    at: Timestamp,
  }),
  refusals: ['NO_DATA'],
});

export const nameProvider = operatorCall({
  method: 'PUT',
  path: '/api/operator/game-providers/{code}/names',
  permission: 'setting.manage',
  summary: 'Give a provider names of its own for operators; empty ones bring the standard name back',
  params: Closed({ code: Id }),
  body: Closed({ names: Localized(Text(60)), reason: Reason }),
  reply: Done,
  refusals: ['NO_DATA'],
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
  summary: 'The order games are shown in; names every one that is not archived',
  body: Closed({ codes: Type.Array(Id, { maxItems: 500, uniqueItems: true }) }),
  reply: Done,
  refusals: ['ROW_CHANGED'],
});
