import type { OpenAlert } from '../../platform/alerts.ts';
import { endAlert } from '../../platform/alerts.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Pool, PoolClient } from '../../platform/database/db.ts';

/** The subject of the alert while payouts wait, and of what ends it. */
export const PAYOUTS = 'setting:payouts';

interface FenceDeps {
  pool: Pool;
  config: Pick<Config, 'DATABASE_STANDBY'>;
  alert: OpenAlert;
}

/** Remembers the server of the database the first time; a repeat changes nothing. */
const remember = (db: Db) =>
  db.query('insert into payout_fence (place) values (payout_place()) on conflict do nothing');

/**
 * Looks whether another server of the database has taken over since payouts were last sent. With a required synchronous
 * standby it has every acknowledged commit, and payouts go on there. Otherwise, and after a restore, payouts that were
 * sent may be missing in the books: sending waits, with an alert, until an operator has compared.
 */
export async function checkFence(deps: FenceDeps): Promise<void> {
  await remember(deps.pool);
  if (deps.config.DATABASE_STANDBY === 'required')
    await deps.pool.query(
      `update payout_fence set place = payout_place()
       where place <> payout_place() and split_part(place, ':', 1) = split_part(payout_place(), ':', 1)`,
    );
  const { rows } = await deps.pool.query('select place from payout_fence where place <> payout_place()');
  const [closed] = rows;
  if (closed) await deps.alert('payouts-paused', PAYOUTS, closed.place);
}

/** Lets payouts be sent on the present server, after a comparison with the bank. Returns false when they already are. */
export async function resumePayouts(tx: PoolClient, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update payout_fence set place = payout_place() where place <> payout_place()',
  );
  await endAlert(tx, 'payouts-paused', PAYOUTS, now);
  return rowCount === 1;
}
