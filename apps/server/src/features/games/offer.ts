import { games } from '@krapao/contract/operator';
import { COUNTED_MAX, currenciesOf } from '@krapao/contract/shared';
import type { GameProvider } from '../../outside/index.ts';
import { actorName, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Config, GAME_PROVIDERS, missingOf } from '../../platform/config.ts';
import type { Db, Pool, Reads } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { reorder } from '../../platform/reorder.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { addGame, changeGame, removeGame, termsOf, testGame } from './game-terms.ts';
import {
  countPlayers,
  listOffers,
  listProviders,
  lockOffers,
  orderOffers,
  setProvider,
  writeProviderNames,
} from './offer-queries.ts';

export interface OfferDeps {
  pool: Pool;
  reads: Reads;
  clock: Clock;
  config: Config;
  providerOf: (slot: { adapter: string; agent: string }) => GameProvider;
}

const KNOWN = Object.keys(GAME_PROVIDERS) as (keyof typeof GAME_PROVIDERS)[];
const settingsOf = (adapter: string) => GAME_PROVIDERS[adapter as (typeof KNOWN)[number]] ?? [];

const stateOfProvider = (isInMaintenance: boolean) =>
  isInMaintenance ? ('MAINTENANCE' as const) : ('OPEN' as const);

/** Stopping, opening and naming providers. A stop ends by another: then each game has its own state again. */
function providerCalls(declare: OperatorDeclare, { pool, clock }: OfferDeps): void {
  const find = async (db: Db, code: string) =>
    (await listProviders(db, KNOWN)).find(({ adapter }) => adapter === code);
  declare(games.changeProvider, async ({ params, body, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const provider = await find(tx, params.code);
      if (!provider) throw refuse('NO_DATA');
      const now = clock.now();
      const to = { isInMaintenance: body.state === 'MAINTENANCE', by: actorName(actor), now };
      if (!(await setProvider(tx, params.code, to))) throw refuse('ROW_CHANGED', { state: body.state });
      const before = { state: stateOfProvider(!to.isInMaintenance) };
      const after = { state: body.state, games: provider.games };
      const auditEntry = {
        action: 'game.provider',
        subject: entityRef('provider', params.code),
        before,
        after,
      };
      await writeAudit(tx, actor, { ...auditEntry, reason: body.reason }, now);
    });
    return { message: 'OK' };
  });
  declare(games.nameProvider, async ({ params, body, actor, refuse }) => {
    const provider = await find(pool, params.code);
    if (!provider) throw refuse('NO_DATA');
    await inTransaction(pool, async (tx) => {
      const now = clock.now();
      const { th, la, en } = body.names;
      const after = { th: th.trim() || null, la: la.trim() || null, en: en.trim() || null };
      await writeProviderNames(tx, params.code, { ...after, by: actorName(actor), now });
      const before = { th: provider.name_th, la: provider.name_la, en: provider.name_en };
      const auditEntry = { action: 'game.provider-name', subject: entityRef('provider', params.code) };
      await writeAudit(tx, actor, { ...auditEntry, before, after, reason: body.reason }, now);
    });
    return { message: 'OK' };
  });
}

/** Adding, changing and removing games, and the test call before one is opened. */
function gameCalls(declare: OperatorDeclare, deps: OfferDeps): void {
  const { pool, clock } = deps;
  declare(games.addGame, async ({ body: { reason, ...game }, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      await addGame(refuse, tx, game);
      const auditEntry = { action: 'game.add', subject: entityRef('game', game.code), after: game };
      await writeAudit(tx, actor, { ...auditEntry, reason }, clock.now());
    });
    return { message: 'OK' };
  });
  declare(games.changeGame, async ({ params, body: { reason, ...change }, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const changed = await changeGame(refuse, tx, params.code, change);
      const auditEntry = { action: 'game.change', subject: entityRef('game', params.code), ...changed };
      await writeAudit(tx, actor, { ...auditEntry, reason }, clock.now());
    });
    return { message: 'OK' };
  });
  declare(games.removeGame, ({ params, body: { reason, version }, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const now = clock.now();
      const { before, outcome } = await removeGame(refuse, tx, params.code, { version, now });
      const auditEntry = { action: 'game.remove', subject: entityRef('game', params.code) };
      await writeAudit(tx, actor, { ...auditEntry, before, after: { state: outcome }, reason }, now);
      return { outcome };
    }),
  );
  declare(games.testGame, async ({ body, actor, refuse }) => {
    const at = clock.now();
    const result = await testGame(refuse, deps, body);
    const after = { agent: body.agent, ...result };
    const auditEntry = { action: 'game.test', subject: entityRef('provider', body.provider), after };
    await writeAudit(pool, actor, auditEntry, at);
    return { ...result, at: at.toISOString() };
  });
}

/** Declares the operator calls of games and providers. */
export function offerCalls(declare: OperatorDeclare, deps: OfferDeps): void {
  const { pool, reads, config } = deps;
  declare(games.listGames, async () => {
    const [offers, players, providers] = await Promise.all([
      listOffers(pool),
      countPlayers(reads, COUNTED_MAX + 1),
      listProviders(pool, KNOWN),
    ]);
    return {
      currencies: currenciesOf(config.variant),
      games: offers.map((row) => ({
        code: row.code,
        category: row.category,
        provider: row.adapter,
        ...termsOf(row),
        isArchived: row.archived_at !== null,
        version: row.version,
        ...(players.get(row.code) ?? { accounts: 0, otherRate: 0 }),
      })),
      providers: providers.map((row) => ({
        code: row.adapter,
        names: { th: row.name_th ?? '', la: row.name_la ?? '', en: row.name_en ?? '' },
        state: stateOfProvider(row.is_in_maintenance),
        games: row.games,
        missing: missingOf(config, settingsOf(row.adapter)),
        changedBy: row.changed_by,
        changedAt: row.changed_at?.toISOString() ?? null,
      })),
    };
  });
  providerCalls(declare, deps);
  gameCalls(declare, deps);
  declare(games.orderGames, ({ body, actor, refuse }) =>
    reorder(refuse, deps, actor, body.codes, {
      audit: { action: 'game.order', subject: entityRef('game', 'all') },
      lock: async (tx) => {
        await lockOffers(tx);
        return (await listOffers(tx)).flatMap((row) => (row.archived_at ? [] : [row.code]));
      },
      write: orderOffers,
    }),
  );
}
