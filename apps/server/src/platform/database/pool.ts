import pg from 'pg';

/** How a pool behaves towards the server. */
export type PoolSettings = {
  /** Most connections at once. */
  max: number;
  /** What the server shows in pg_stat_activity. */
  applicationName: string;
  /** A statement running longer is cancelled by the server; 0 sets no limit. */
  statementTimeoutMs: number;
  /** Takes one line when an idle connection breaks. Default: standard error. */
  log?: (line: string) => void;
  /** Values as `pg` has them, BIGINT as text: for libraries that bring queries of their own. */
  plainValues?: boolean;
};

const INT8 = 20;
const INT8_ARRAY = 1016;
/** A free connection must be there within this, so that an absent database is answered soon. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A transaction left open without a statement for so long is ended by the server, and its locks with it. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** The server cancels first; this is for a server that no longer answers at all. */
const SILENCE_GRACE_MS = 2_000;

function parseBigintArray(text: string): (bigint | null)[] {
  const inner = text.slice(1, -1);
  return inner === '' ? [] : inner.split(',').map((item) => (item === 'NULL' ? null : BigInt(item)));
}

/**
 * How values arrive: BIGINT as bigint, BIGINT[] as bigints, NUMERIC as text, the rest as `pg` does.
 * Given to each pool or client, so that libraries with pools of their own keep their habits.
 */
export const databaseTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === INT8) return BigInt;
    if (format !== 'binary' && oid === INT8_ARRAY) return parseBigintArray;
    return pg.types.getTypeParser(oid, format);
  }) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * Makes a pool. It survives the server going away: broken connections are dropped, later ones are made anew,
 * and a caller waits at most 5 s for one. A transaction that waits for its caller is ended after 30 s.
 */
export function createPool(config: pg.PoolConfig, settings: PoolSettings): pg.Pool {
  const log = settings.log ?? ((line: string) => process.stderr.write(`${line}\n`));
  const limitMs = settings.statementTimeoutMs;
  const pool = new pg.Pool({
    ...config,
    max: settings.max,
    application_name: settings.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    ...(limitMs > 0 && { statement_timeout: limitMs, query_timeout: limitMs + SILENCE_GRACE_MS }),
    ...(!settings.plainValues && { types: databaseTypes }),
  });
  // Without listeners Node ends the process when the server drops a connection, idle or lent out.
  pool.on('error', (error) =>
    log(`database: a connection of ${settings.applicationName} broke: ${error.message}`),
  );
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
