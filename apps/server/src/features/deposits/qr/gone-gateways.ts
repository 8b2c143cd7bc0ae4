import { DAY_MS } from '@krapao/contract/durations';
import type { QrMaker } from '../../../outside/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Pool } from '../../../platform/database/db.ts';
import { type GoneGateway, listGoneGateways } from './queries.ts';

/** How long a QR is checked while the partner has not responded since it expired. */
export const CHECK_UNANSWERED_MS = 7 * DAY_MS;

interface GatewayDeps {
  pool: Pool;
  clock: Clock;
}

/** Gateways that made QRs while these may still be checked, and whose settings were removed since. */
export const goneGateways = (
  { pool, clock }: GatewayDeps,
  makers: readonly Pick<QrMaker, 'code'>[],
): Promise<GoneGateway[]> =>
  listGoneGateways(
    pool,
    makers.map(({ code }) => code),
    new Date(clock.now().getTime() - CHECK_UNANSWERED_MS),
  );

/** What the log warns of at the start: QRs that can be paid while nothing is queried about them, a line per gateway. */
export const qrWarnings = async (
  deps: GatewayDeps,
  makers: readonly Pick<QrMaker, 'code'>[],
): Promise<string[]> =>
  (await goneGateways(deps, makers))
    .filter((gateway) => gateway.has_unanswered)
    .map(
      ({ code }) =>
        `${code} is not configured, but made QRs within seven days that it has not answered about: payments of them are not booked until ${code}_URL is set again`,
    );
