import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from './database/db.ts';
import { isWaitingForPrimary } from './database/pool.ts';

/** What can keep a server from being ready, as /readyz names it. */
export type Check =
  /** The database does not respond. */
  | 'database'
  /** The database responds but accepts no writes. */
  | 'database_read_only'
  /** A small write is not committed in time, for example without a synchronous standby. */
  | 'database_write'
  /** Commits wait for no standby, although one is required: what is acknowledged may be lost with the primary. */
  | 'database_standby'
  /** No connection is free for background work. */
  | 'background_pool'
  /** Notifications of the database are not received, so live events would be lost. */
  | 'events'
  /** Money waits too long for the ledger. */
  | 'ledger'
  /** This machine's clock and the database's differ. */
  | 'clock'
  /** The server is about to stop. */
  | 'stopping';

/** A service that some features need. Without it a server stays ready, because all servers would be without it. */
export type Dependency = 'files' | 'redis';

export interface Readiness {
  /** Returns the failing checks; none when ready. Cheap to call: the database is queried at most once a second. */
  failed(): Promise<Check[]>;
  /** Makes `stopping` fail from now on, so that a proxy sends its calls to other servers. */
  stop(): void;
  /** Returns each dependency and whether it responds. Cheap to call: each is probed at most every 5 s. */
  dependencies(): Promise<[Dependency, boolean][]>;
}

export interface ReadinessDeps {
  pool: Pool;
  backgroundPool: Pool;
  ledger: { oldestWaitMs(): number };
  /** Whether commits must wait for a synchronous standby. */
  needsStandby: boolean;
  /** The probe of each dependency; it throws when the dependency does not respond. */
  dependencies?: Partial<Record<Dependency, () => Promise<unknown>>>;
}

/** A probe that takes longer has failed. */
const PROBE_MS = 3_000;
const LEDGER_WAIT_MS = 5_000;
const CLOCK_MS = 500;
const FRESH_MS = 1_000;
const DEPENDENCY_FRESH_MS = 5_000;

interface Report {
  read_only: boolean;
  now_ms: number;
  has_standby: boolean;
}

/** Whether the work ends in time without an error; while an earlier run of it goes on, no other is started. */
function probe(work: () => Promise<unknown>): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  return () => {
    running ??= work()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running = null;
      });
    return Promise.race([running, pause(PROBE_MS, false, { ref: false })]);
  };
}

/** The least difference between both clocks, whatever the query's duration. */
function clockGapMs(sentAt: number, receivedAt: number, theirs: number): number {
  const way = (receivedAt - sentAt) / 2;
  return Math.max(0, Math.abs(theirs - sentAt - way) - way);
}

/** Shares one run between concurrent callers and starts a new one at most every `ms`. */
function atMostEvery<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (last && performance.now() - lastAt < ms) return last;
    lastAt = Number.POSITIVE_INFINITY;
    last = work().finally(() => {
      lastAt = performance.now();
    });
    return last;
  };
}

/** Creates the checks of one server. */
export function createReadiness({
  pool,
  backgroundPool,
  ledger,
  needsStandby,
  dependencies = {},
}: ReadinessDeps): Readiness {
  let response: Report | undefined;
  let gapMs = 0;
  let isStopping = false;
  const probeAll = probe(async () => {
    response = undefined;
    const sentAt = Date.now();
    const { rows } = await pool.query(
      `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only,
         (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
         current_setting('synchronous_standby_names') <> '' as has_standby`,
    );
    response = rows[0]!;
    gapMs = clockGapMs(sentAt, Date.now(), response.now_ms);
  });
  // Writes an unused message to the write-ahead log: its commit waits for disk and standby like any other.
  const write = probe(() => pool.query("select pg_logical_emit_message(true, 'krapao ready', '')"));
  const lend = probe(() => backgroundPool.query('select 1'));

  async function look(): Promise<Check[]> {
    const [responses, lends] = await Promise.all([probeAll(), lend()]);
    const failed: Check[] = [];
    // The pool takes no connection to a server that takes no writes.
    const isReadOnly = !responses && isWaitingForPrimary(pool);
    if (isReadOnly || response?.read_only) failed.push('database_read_only');
    else if (!responses || !response) failed.push('database');
    else if (!(await write())) failed.push('database_write');
    else if (needsStandby && !response.has_standby) failed.push('database_standby');
    if (responses && gapMs > CLOCK_MS) failed.push('clock');
    if (!lends && !isReadOnly) failed.push('background_pool');
    if (ledger.oldestWaitMs() > LEDGER_WAIT_MS) failed.push('ledger');
    if (isStopping) failed.push('stopping');
    return failed;
  }

  const probes = Object.entries(dependencies).map(
    ([name, check]) => [name as Dependency, atMostEvery(DEPENDENCY_FRESH_MS, probe(check))] as const,
  );
  return {
    failed: atMostEvery(FRESH_MS, look),
    stop() {
      isStopping = true;
    },
    dependencies: () =>
      Promise.all(probes.map(async ([name, check]): Promise<[Dependency, boolean]> => [name, await check()])),
  };
}
