import type { games } from '@krapao/contract/operator';
import type { Static } from 'typebox';
import type { GameProvider } from '../../outside/index.ts';
import { type Config, GAME_PROVIDERS, missingOf } from '../../platform/config.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { lockFilesById } from '../content/read.ts';
import {
  archiveOffer,
  deleteOffer,
  hasPlayers,
  insertOffer,
  isAgentTaken,
  lockOffer,
  lockOffers,
  type OfferRow,
  type OfferTerms,
  writeOffer,
} from './offer-queries.ts';

const MICRO = 1_000_000;

type NewGame = Omit<Static<typeof games.addGame.body>, 'reason'>;
export type GameChange = Omit<Static<typeof games.changeGame.body>, 'reason'>;

const wrong = (field: string) => new Refusal('INVALID_REQUEST', { field });

export const stateOf = (row: Pick<OfferRow, 'is_open' | 'is_in_maintenance'>) =>
  !row.is_open ? ('OFF' as const) : row.is_in_maintenance ? ('MAINTENANCE' as const) : ('OPEN' as const);

/** The fields of a game that operators may change. */
export const termsOf = (row: OfferRow) => ({
  name: row.name,
  nameLa: row.name_la,
  nameEn: row.name_en,
  agent: row.agent,
  picture: row.background,
  web: row.web ?? '',
  android: row.android ?? '',
  ios: row.ios ?? '',
  state: stateOf(row),
  rate: Number(row.rate_micro) / MICRO,
  rateLak: row.rate_lak_micro === null ? null : Number(row.rate_lak_micro) / MICRO,
  least: row.least_in === null ? null : Number(row.least_in) / 100,
});
type Terms = ReturnType<typeof termsOf>;

/** A figure in whole parts of a scale; INVALID_REQUEST when it is finer than that. */
function wholeParts(figure: number, scale: number, field: string): bigint {
  const parts = Math.round(figure * scale);
  if (parts <= 0 || Math.abs(figure * scale - parts) > 1e-6 * Math.max(1, parts)) throw wrong(field);
  return BigInt(parts);
}

/** An https address, or null for nothing; throws INVALID_REQUEST. */
function linkOf(text: string, field: string): string | null {
  const link = text.trim();
  if (link === '') return null;
  if (!/^https:\/\//i.test(link) || !URL.canParse(link)) throw wrong(field);
  return link;
}

/** Locks the picture behind a path that operators uploaded; throws INVALID_REQUEST when there is none. */
async function requirePicture(tx: PoolClient, path: string): Promise<void> {
  const id = /^\/media\/([\w-]{20})\.jpg$/.exec(path)?.[1];
  const file = id === undefined ? undefined : (await lockFilesById(tx, [id])).get(id);
  if (file?.path !== path) throw wrong('picture');
}

/** The columns of the terms; throws INVALID_REQUEST with the field that cannot be stored. */
function columnsOf(terms: Terms): OfferTerms {
  return {
    name: terms.name,
    nameLa: terms.nameLa,
    nameEn: terms.nameEn,
    agent: terms.agent,
    picture: terms.picture,
    web: linkOf(terms.web, 'web'),
    android: linkOf(terms.android, 'android'),
    ios: linkOf(terms.ios, 'ios'),
    isOpen: terms.state !== 'OFF',
    isInMaintenance: terms.state === 'MAINTENANCE',
    rateMicro: wholeParts(terms.rate, MICRO, 'rate'),
    rateLakMicro: terms.rateLak === null ? null : wholeParts(terms.rateLak, MICRO, 'rateLak'),
    leastIn: terms.least === null ? null : wholeParts(terms.least, 100, 'least'),
  };
}

/**
 * Throws INVALID_REQUEST when another game has the agent: a member has one player there, whose credits would count as
 * money in both games, each at its own rate.
 */
async function requireOwnAgent(
  tx: PoolClient,
  game: Pick<OfferRow, 'code' | 'adapter' | 'agent'>,
): Promise<void> {
  if (await isAgentTaken(tx, game)) throw wrong('agent');
}

/** What transfers and rows of the statement name beside games; rows of a game with such a code would name that. */
const OTHER_PLACES = new Set([
  'all',
  'bonus',
  'gift',
  'invite',
  'luckydraw',
  'manual',
  'promotion',
  'refund',
  'wallet',
]);

/** Adds a game, off until it is opened. Throws EXISTING_GAME when the code is taken. */
export async function addGame(
  refuse: Refuse<'EXISTING_GAME'>,
  tx: PoolClient,
  { code, category, provider, ...terms }: NewGame,
): Promise<void> {
  if (!Object.hasOwn(GAME_PROVIDERS, provider)) throw wrong('provider');
  if (OTHER_PLACES.has(code)) throw wrong('code');
  await lockOffers(tx);
  if (terms.picture !== '') await requirePicture(tx, terms.picture);
  const columns = columnsOf({ ...terms, state: 'OFF' });
  if (!(await insertOffer(tx, { code, category, adapter: provider, ...columns })))
    throw refuse('EXISTING_GAME');
  await requireOwnAgent(tx, { code, adapter: provider, agent: terms.agent });
}

/**
 * Changes a game; what `change` leaves out stays. Returns the terms before and after. A game that a member has opened
 * keeps its agent, at which their player is.
 */
export async function changeGame(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  tx: PoolClient,
  code: string,
  { version, ...change }: GameChange,
): Promise<{ before: Terms; after: Terms }> {
  await lockOffers(tx);
  const row = await lockOffer(tx, code);
  if (!row) throw refuse('NO_DATA');
  if (row.version !== version) throw refuse('ROW_CHANGED');
  const before = termsOf(row);
  const after = { ...before, ...change };
  if (after.agent !== before.agent && (await hasPlayers(tx, code))) throw wrong('agent');
  if (after.agent !== before.agent || row.archived_at)
    await requireOwnAgent(tx, { code, adapter: row.adapter, agent: after.agent });
  if (after.picture !== before.picture && after.picture !== '') await requirePicture(tx, after.picture);
  await writeOffer(tx, code, columnsOf(after));
  return { before, after };
}

/**
 * Removes a game that is off: deletes it when nothing names it, otherwise archives it. Throws ROW_CHANGED with its state
 * when it is not off.
 */
export async function removeGame(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  tx: PoolClient,
  code: string,
  under: { version: number; now: Date },
): Promise<{ before: Terms; outcome: 'DELETED' | 'ARCHIVED' }> {
  const row = await lockOffer(tx, code);
  if (!row) throw refuse('NO_DATA');
  if (row.version !== under.version || row.is_open || row.archived_at)
    throw refuse('ROW_CHANGED', { state: stateOf(row) });
  const before = termsOf(row);
  if (await deleteOffer(tx, code)) return { before, outcome: 'DELETED' };
  await archiveOffer(tx, code, under.now);
  return { before, outcome: 'ARCHIVED' };
}

/** A name of no member in any game: members' names are `kp` and digits. */
const UNKNOWN_PLAYER = 'kptest0';

/**
 * Queries a provider for a player who does not exist. Its "unknown player" proves address, agent and keys; nothing else
 * does. No detail carries an address or a key. Throws NO_DATA for a provider the server does not know.
 */
export async function testGame(
  refuse: Refuse<'NO_DATA'>,
  deps: { config: Config; providerOf: (slot: { adapter: string; agent: string }) => GameProvider },
  { provider, agent }: { provider: string; agent: string },
) {
  if (!Object.hasOwn(GAME_PROVIDERS, provider)) throw refuse('NO_DATA');
  const missing = missingOf(deps.config, GAME_PROVIDERS[provider as keyof typeof GAME_PROVIDERS]);
  if (missing.length > 0) return { outcome: 'SILENT' as const, detail: missing.join(', '), milliseconds: 0 };
  const begun = performance.now();
  const reply = await deps.providerOf({ adapter: provider, agent }).balance(UNKNOWN_PLAYER);
  const milliseconds = Math.round(performance.now() - begun);
  if (reply.outcome === 'unknown') return { outcome: 'SILENT' as const, detail: reply.note, milliseconds };
  const isProof = reply.outcome === 'rejected' && reply.code === 'NO_USER';
  const detail = reply.outcome === 'rejected' ? reply.code : 'OK';
  return { outcome: isProof ? ('REACHED' as const) : ('REFUSED' as const), detail, milliseconds };
}
