import { endAlert, type OpenAlert } from '../../platform/alerts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { inTransaction } from '../../platform/transaction.ts';

/** The subject of the alert while payouts wait, and of what ends it. */
export const PAYOUTS = 'setting:payouts';

interface FenceDeps {
  pool: Pool;
  config: Pick<Config, 'DATABASE_STANDBY'>;
  clock: Clock;
  alert: OpenAlert;
}

/** Where the check found payouts allowed: the timeline, and how often, as every standby that may take over knows. */
interface Witnessed {
  timeline: string;
  checks: bigint;
}

interface Allowed extends Witnessed {
  is_replicated: boolean | null;
}

/** Counts a check where payouts are allowed, after a takeover that `known` has lived through too; ends the alert then. */
async function allow(deps: FenceDeps, known: Witnessed | undefined): Promise<Allowed | undefined> {
  return await inTransaction(deps.pool, async (tx) => {
    const { rows } = await tx.query(
      `update payout_fence set timeline = database_timeline(), checks = checks + 1
       where timeline = database_timeline() or (timeline = $1
         and split_part(timeline, ':', 1) = split_part(database_timeline(), ':', 1)
         and checks >= $2)
       returning timeline, checks, commits_are_replicated() as is_replicated`,
      [known?.timeline ?? null, known?.checks ?? null],
    );
    if (rows[0]) await endAlert(tx, 'payouts-paused', PAYOUTS, deps.clock.now());
    return rows[0];
  });
}

/** Alerts operators while payouts wait; a takeover that was accepted meanwhile opens no alert. */
function alertPaused({ pool, alert }: FenceDeps): Promise<void> {
  const sql = `select alert_open('payouts-paused', $1, f.timeline, $2) as opened
    from (select timeline from payout_fence where timeline <> database_timeline() for share) f`;
  const open = async (now: Date) => (await pool.query(sql, [PAYOUTS, now])).rows[0]?.opened === true;
  return alert('payouts-paused', PAYOUTS, '', open);
}

/**
 * Returns the check of whether another server of the database has taken over since payouts were last sent. With a required
 * synchronous standby a takeover keeps every acknowledged commit, and payouts go on; the check accepts one only when this
 * process has seen the former timeline and the database contains the checks that it had made there. After a restore to an
 * earlier time it does not, whether the processes were started again or not, and no time that passes changes that: while
 * payouts wait nothing is counted. Otherwise payouts that were sent may be missing in the books: the check opens an alert,
 * and no payout is sent until {@link resumePayouts}, or until another process accepts the takeover.
 */
export function createFence(deps: FenceDeps): () => Promise<void> {
  let witnessed: Witnessed | undefined;
  return async () => {
    await deps.pool.query(
      'insert into payout_fence (timeline) values (database_timeline()) on conflict do nothing',
    );
    const known = deps.config.DATABASE_STANDBY === 'required' ? witnessed : undefined;
    // Counts each time: once the commit is acknowledged, a required standby has the count.
    const allowed = await allow(deps, known);
    if (!allowed) return alertPaused(deps);
    // What no standby has may be lost with this server, although a standby is required.
    witnessed = allowed.is_replicated ? { timeline: allowed.timeline, checks: allowed.checks } : undefined;
  };
}

/** Lets payouts be sent on the present server, after a comparison with the bank. Returns false when they already are. */
export async function resumePayouts(tx: PoolClient, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update payout_fence set timeline = database_timeline() where timeline <> database_timeline()',
  );
  await endAlert(tx, 'payouts-paused', PAYOUTS, now);
  return rowCount === 1;
}
