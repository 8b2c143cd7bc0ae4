import { games } from '@krapao/contract/operator';
import { currenciesOf } from '@krapao/contract/shared';
import { actorName, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal } from '../../platform/refusal.ts';
import { reorder } from '../../platform/reorder.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  listOffers,
  listProviders,
  lockOffer,
  lockOffers,
  type OfferRow,
  orderOffers,
  setProvider,
  writeOffer,
} from './offer-queries.ts';

interface OfferDeps {
  pool: Pool;
  clock: Clock;
  config: Pick<Config, 'variant'>;
}

const MICRO = 1_000_000;

const stateOf = (row: OfferRow) =>
  !row.is_open ? ('OFF' as const) : row.is_in_maintenance ? ('MAINTENANCE' as const) : ('OPEN' as const);

/** The fields of a game that operators may change. */
const termsOf = (row: OfferRow) => ({
  name: row.name,
  state: stateOf(row),
  rate: Number(row.rate_micro) / MICRO,
  rateLak: row.rate_lak_micro === null ? null : Number(row.rate_lak_micro) / MICRO,
  least: row.least_in === null ? null : Number(row.least_in) / 100,
});

/** A figure in whole parts of a scale; INVALID_REQUEST when it is finer than that. */
function wholeParts(figure: number, scale: number, field: string): bigint {
  const parts = Math.round(figure * scale);
  if (parts <= 0 || Math.abs(figure * scale - parts) > 1e-6 * Math.max(1, parts))
    throw new Refusal('INVALID_REQUEST', { field });
  return BigInt(parts);
}

const stateOfProvider = (isInMaintenance: boolean) =>
  isInMaintenance ? ('MAINTENANCE' as const) : ('OPEN' as const);

/** One action for all games of a provider; what each says of itself comes back when it ends. */
function providerCall(declare: OperatorDeclare, { pool, clock }: OfferDeps): void {
  declare(games.changeProvider, async ({ params, body, actor, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const provider = (await listProviders(tx)).find(({ adapter }) => adapter === params.code);
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
}

/** Declares the operator calls of games and providers. */
export function offerCalls(declare: OperatorDeclare, deps: OfferDeps): void {
  const { pool, clock, config } = deps;
  declare(games.listGames, async () => {
    const [offers, providers] = await Promise.all([listOffers(pool), listProviders(pool)]);
    return {
      currencies: currenciesOf(config.variant),
      games: offers.map((row) => ({
        code: row.code,
        category: row.category,
        provider: row.adapter,
        ...termsOf(row),
        version: row.version,
        accounts: row.accounts,
        otherRate: row.other_rate,
      })),
      providers: providers.map((row) => ({
        code: row.adapter,
        state: stateOfProvider(row.is_in_maintenance),
        games: row.games,
        changedBy: row.changed_by,
        changedAt: row.changed_at?.toISOString() ?? null,
      })),
    };
  });
  providerCall(declare, deps);
  declare(games.changeGame, async ({ params, body, actor, refuse }) => {
    const { reason, version, ...after } = body;
    const rateMicro = wholeParts(after.rate, MICRO, 'rate');
    const rateLakMicro = after.rateLak === null ? null : wholeParts(after.rateLak, MICRO, 'rateLak');
    const leastIn = after.least === null ? null : wholeParts(after.least, 100, 'least');
    await inTransaction(pool, async (tx) => {
      const row = await lockOffer(tx, params.code);
      if (!row) throw refuse('NO_DATA');
      if (row.version !== version) throw refuse('ROW_CHANGED');
      const { name, state } = after;
      const isInMaintenance = state === 'MAINTENANCE';
      const rates = { rateMicro, rateLakMicro };
      await writeOffer(tx, row.code, { name, isOpen: state !== 'OFF', isInMaintenance, ...rates, leastIn });
      const auditEntry = {
        action: 'game.change',
        subject: entityRef('game', row.code),
        before: termsOf(row),
        after,
      };
      await writeAudit(tx, actor, { ...auditEntry, reason }, clock.now());
    });
    return { message: 'OK' };
  });
  declare(games.orderGames, ({ body, actor, refuse }) =>
    reorder(refuse, deps, actor, body.codes, {
      audit: { action: 'game.order', subject: entityRef('game', 'all') },
      lock: async (tx) => {
        await lockOffers(tx);
        return (await listOffers(tx)).map((row) => row.code);
      },
      write: orderOffers,
    }),
  );
}
