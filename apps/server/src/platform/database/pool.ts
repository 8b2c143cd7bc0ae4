import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionLost, TAKEOVER_MS } from './away.ts';

/** How to reach the database. */
export type Connection = pg.PoolConfig & {
  /** A pooler is in between: session state may be gone at the next statement. */
  isPooled?: boolean;
};

/** How a pool behaves towards the server. */
export type PoolSettings = {
  /** The maximum number of connections. */
  max: number;
  /** What the server shows in pg_stat_activity. */
  applicationName: string;
  /** A statement running longer is cancelled by the server; 0 sets no limit. Behind a pooler the role's limit holds. */
  statementTimeoutMs: number;
  /** Receives one line when an idle connection breaks. Default: standard error. */
  log?: (line: string) => void;
  /** The server is a standby: connections read only, and nobody waits while it is away. */
  isStandby?: boolean;
  /** Values as `pg` has them, BIGINT as text: for libraries that bring queries of their own. */
  plainValues?: boolean;
};

const INT8 = 20;
const INT8_ARRAY = 1016;
/** Maximum wait for a free connection, in ms. */
const FREE_TIMEOUT_MS = 5_000;
/** A server that has not let a connection in by then is not there, as behind a proxy without a primary. */
const CONNECT_TIMEOUT_MS = 2_000;
const AGAIN_MS = 100;
/** The server ends a transaction that is idle for this time, which releases its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** The server cancels a statement earlier; this limit is for a server that no longer responds. */
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

/** The server accepts no writes: it is a standby, or was made read-only. */
export const READ_ONLY = '25006';

/** A client that gives up connecting before those who wait for a free one do. */
class DirectClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
}

/** Prepared statements without names: a name is known only on the server connection it was given on. */
class UnnamedClient extends DirectClient {
  override query(...parameters: unknown[]): never {
    const [query, ...rest] = parameters as [{ name?: string; submit?: unknown } | string, ...unknown[]];
    const isNamed = typeof query === 'object' && query.name !== undefined && !query.submit;
    const unnamed = isNamed ? { ...query, name: undefined } : query;
    return (super.query as (...all: unknown[]) => never)(unnamed, ...rest);
  }
}

type OnClient = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (broken?: Error | boolean) => void,
) => void;

/** A pool whose callers wait while the database is away for less than {@link TAKEOVER_MS}. */
class PatientPool extends pg.Pool {
  /** When the first of the failures since the last success was, in ms of the process. */
  #awayAt: number | undefined;
  /** Why the last try failed; undefined while connections are had. */
  outage: unknown;

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnClient): undefined;
  override connect(callback?: OnClient): Promise<pg.PoolClient> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, (broken) => client.release(broken)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        const client = await super.connect();
        this.#awayAt = undefined;
        this.outage = undefined;
        return client;
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        this.#awayAt ??= performance.now();
        this.outage = error;
        if (performance.now() - this.#awayAt > TAKEOVER_MS) throw error;
        await pause(AGAIN_MS * (1 + Math.random()));
      }
    }
  }
}

/** Whether a pool has no connection because the server takes no writes. */
export const isWaitingForPrimary = (pool: object): boolean =>
  (pool as { outage?: { code?: string } }).outage?.code === READ_ONLY;

/**
 * Our statements are short, but the planner may expect more rows than it finds; compiling one costs more than running it.
 */
const WITHOUT_JIT = 'set jit = off; ';

/** Sets what a session of our own needs and refuses a server that takes no writes. */
async function beginSession(client: pg.ClientBase, limitMs: number | null): Promise<void> {
  const set =
    limitMs === null
      ? ''
      : `${WITHOUT_JIT}set statement_timeout = ${limitMs}; set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; `;
  const results = await client.query({
    text: `${set}select current_setting('transaction_read_only') = 'on' as is_read_only`,
    query_timeout: CONNECT_TIMEOUT_MS,
  } as pg.QueryConfig);
  const { rows } = [results].flat().at(-1)!;
  if (rows[0].is_read_only) throw Object.assign(new Error('the database is read-only'), { code: READ_ONLY });
}

/** A standby that replays a table's change may keep its lock while it waits for more. */
const STANDBY_LOCK_MS = 1_000;

/** Sets what a session on a standby needs; it stays read-only when the standby is promoted. */
async function beginReading(client: pg.ClientBase, limitMs: number): Promise<void> {
  await client.query({
    text: `${WITHOUT_JIT}set statement_timeout = ${limitMs}; set lock_timeout = ${STANDBY_LOCK_MS}; set default_transaction_read_only = on`,
    query_timeout: CONNECT_TIMEOUT_MS,
  } as pg.QueryConfig);
}

/** Ends a connection whose server takes no writes any more, so that the pool makes a new one, to the new primary. */
function endWhenReadOnly(client: pg.ClientBase): void {
  const { connection } = client as pg.ClientBase & { connection: NodeJS.EventEmitter };
  connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code === READ_ONLY) void (client as pg.Client).end();
  });
}

/**
 * Makes a pool. It survives the server going away: broken connections are dropped and later ones made again. A caller
 * waits at most 5 s for a free one, and for a database that has gone away until that is 6 s ago. A server that takes no writes is as good as away: its connections are refused with
 * code 25006 or thrown away. Behind a pooler it keeps nothing in the session: no settings, no names of statements. A transaction
 * that waits for its caller is ended after 30 s.
 */
export function createPool({ isPooled, ...config }: Connection, settings: PoolSettings): pg.Pool {
  const log = settings.log ?? ((line: string) => process.stderr.write(`${line}\n`));
  const limitMs = settings.statementTimeoutMs;
  const isPrimary = !settings.isStandby;
  const pool = new (isPrimary ? PatientPool : pg.Pool)({
    ...config,
    Client: isPooled ? UnnamedClient : DirectClient,
    max: settings.max,
    application_name: settings.applicationName,
    connectionTimeoutMillis: FREE_TIMEOUT_MS,
    keepAlive: true,
    onConnect: (client) =>
      isPrimary ? beginSession(client, isPooled ? null : limitMs) : beginReading(client, limitMs),
    ...(limitMs > 0 && { query_timeout: limitMs + SILENCE_GRACE_MS }),
    ...(!settings.plainValues && { types: databaseTypes }),
  });
  // Without listeners Node ends the process when the server drops a connection, idle or lent out.
  pool.on('error', (error) =>
    log(`database: a connection of ${settings.applicationName} broke: ${error.message}`),
  );
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (isPrimary) endWhenReadOnly(client);
  });
  return pool;
}
