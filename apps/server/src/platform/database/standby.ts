import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { Counter, type Registry } from 'prom-client';
import { batched } from '../batched.ts';
import { repeatWhenLost } from '../http/repeat.ts';
import { isConnectionLost } from './away.ts';
import type { Pool, Reads } from './db.ts';
import { createPool } from './pool.ts';
import { untyped } from './untyped.ts';

/** How long a read waits for the standby to replay what was committed before it. */
const CATCH_UP_MS = 50;
const AGAIN_MS = 5;
/** After a standby was behind or away, reads go to the primary for this time, so that they do not each wait. */
const AVOID_MS = 1_000;
const CHECK_TIMEOUT_MS = 1_000;
const CONNECTIONS = 8;
const STATEMENT_TIMEOUT_MS = 30_000;

/** Where a read was answered: the standby, or the primary because the standby was behind or away. */
type Outcome = 'standby' | 'behind' | 'away';

/** What the primary had committed before a read began, and which database it is. */
const COMMITTED = `select pg_current_wal_flush_lsn()::text as position,
  (select system_identifier from pg_control_system()) || ' ' || current_database() as identity`;
/** Whether a standby has it; a server that was promoted or is another database has not. */
const IS_CURRENT = `select pg_is_in_recovery()
    and (select system_identifier from pg_control_system()) || ' ' || current_database() = $2 as is_standby,
  coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as is_current`;

/** Reads that a standby may answer. */
export interface Standby {
  /**
   * Returns an object whose queries run on a standby that has replayed everything committed before the query began, and
   * otherwise on `primary`. A query that the standby fails to answer is run again on the primary.
   */
  readsOf(primary: Pool): Reads;
  /** Adds the counter of where reads were answered. */
  register(registry: Registry): void;
  end(): Promise<void>;
}

/** Returns what reads on a standby where there is one, and otherwise the pool itself. */
export const readsOf = (standby: Standby | undefined, primary: Pool): Reads =>
  standby ? standby.readsOf(primary) : primary;

/** Whether an error is the standby's and not the query's: lost, full, or in conflict with what it replays (40001, 55P03). */
function isFaultOfStandby(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    (isConnectionLost(error) && code !== '25006') ||
    /^(40001|40P01|55P03|53)/.test(code) ||
    /timeout exceeded when trying to connect|Query read timeout/i.test(message)
  );
}

/** Thrown when the server behind the address is no standby of the primary's database. */
class NoStandby extends Error {}

/**
 * Opens connections to the standby, or to several behind one address, at DATABASE_READ_URL. They read only, whatever a
 * query tries.
 */
export function openStandby(url: string, log?: (line: string) => void): Standby {
  const pool = createPool(
    { connectionString: url },
    {
      max: CONNECTIONS,
      applicationName: 'krapao-reads',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      isStandby: true,
      ...(log && { log }),
    },
  );
  const counts: Record<Outcome, number> = { standby: 0, behind: 0, away: 0 };
  let avoided: { until: number; because: Outcome } = { until: 0, because: 'away' };
  const avoid = (because: Outcome) => {
    avoided = { until: performance.now() + AVOID_MS, because };
    return because;
  };

  /** Waits on one connection, since several standbys may stand behind the address; false when it stays behind. */
  async function catchUp(client: pg.PoolClient, values: [string, string]): Promise<boolean> {
    const end = performance.now() + CATCH_UP_MS;
    for (;;) {
      const check = { name: 'is-current', text: IS_CURRENT, values, query_timeout: CHECK_TIMEOUT_MS };
      const [row] = (await client.query(check as pg.QueryConfig)).rows;
      if (!row.is_standby) throw new NoStandby('DATABASE_READ_URL leads to no standby of this database');
      if (row.is_current) return true;
      if (performance.now() > end) return false;
      await pause(AGAIN_MS);
    }
  }

  /** Runs a query on the standby; returns why not when it did not. */
  async function tryStandby(
    committed: () => Promise<{ position: string; identity: string }>,
    query: unknown[],
  ): Promise<{ result: unknown } | Outcome> {
    if (performance.now() < avoided.until) return avoided.because;
    const { position, identity } = await committed();
    let client: pg.PoolClient | undefined;
    let isBroken = false;
    try {
      client = await pool.connect();
      if (!(await catchUp(client, [position, identity]))) return avoid('behind');
      return { result: await (client.query as (...all: unknown[]) => Promise<unknown>).apply(client, query) };
    } catch (error) {
      isBroken = true;
      // What was wrong before the query's own turn is the standby's.
      if (client && !(error instanceof NoStandby) && !isFaultOfStandby(error)) throw error;
      return avoid('away');
    } finally {
      client?.release(isBroken);
    }
  }

  return {
    readsOf(primary) {
      const position = batched<null, { position: string; identity: string }>(async (keys) => {
        const { rows } = await repeatWhenLost(() => primary.query(COMMITTED));
        return keys.map(() => rows[0] as { position: string; identity: string });
      });
      const query = async (...parameters: unknown[]) => {
        const tried = await tryStandby(() => position(null), parameters);
        counts[typeof tried === 'string' ? tried : 'standby']++;
        if (typeof tried !== 'string') return tried.result;
        const run = untyped(primary).query as (...all: unknown[]) => Promise<unknown>;
        return repeatWhenLost(() => run.apply(primary, parameters));
      };
      return { query } as unknown as Reads;
    },
    register(registry) {
      new Counter({
        name: 'krapao_reads_total',
        help: 'Reads that may be answered by a standby: by it, or by the primary because it was behind or away.',
        labelNames: ['server'],
        registers: [registry],
        collect() {
          this.reset();
          for (const [outcome, count] of Object.entries(counts))
            this.inc({ server: outcome === 'standby' ? outcome : `primary (${outcome})` }, count);
        },
      });
    },
    end: () => pool.end(),
  };
}
