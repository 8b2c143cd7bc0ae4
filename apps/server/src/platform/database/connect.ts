import pg from 'pg';
import { type Embedded, startEmbedded } from './embedded.ts';
import type { Connection } from './pool.ts';
import { DatabaseRefusal, examineApp, examineOwner, requireHearing } from './requirements.ts';
import { APP_ROLE, actingAs, ensureRoles, OWNER_ROLE } from './roles.ts';

export { type Connection, createPool, databaseTypes, type PoolSettings } from './pool.ts';
export { DatabaseRefusal } from './requirements.ts';

/** The product's database: connection settings per role, and its release. */
export type Database = {
  /** For migrations, backup and repair: acts as the role that owns everything. */
  owner: pg.PoolConfig;
  /** For members' and operators' calls: only the rights that migrations grant. May lead through a pooler. */
  app: Connection;
  /** The same rights on connections that keep their session: notifications, jobs, the command line. */
  direct: Connection;
  /**
   * Call after closing every pool. Stops the built-in server unless another process uses it; an external server is
   * not touched.
   */
  stop(): Promise<void>;
};

/** Where the database is. */
export type DatabaseOptions = {
  /** Folder of the built-in server; unused with `databaseUrl`. */
  dataDir: string;
  /** A PostgreSQL of your own, version 15 or newer, reached as its owner and without a pooler. */
  databaseUrl?: string | undefined;
  /** The same database as the application's login; required with `databaseUrl`. May lead through PgBouncer. */
  databaseAppUrl?: string | undefined;
  /** Receives one line per event an administrator should know. Default: standard error. */
  log?: (line: string) => void;
};

/** Name of the database on the built-in server. */
const DATABASE_NAME = 'krapao';

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionTimeoutMillis: 10_000, ...config });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** {@link withClient}, whose failure to connect names the setting. */
async function withClientOf<T>(
  setting: string,
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  let isConnected = false;
  try {
    return await withClient(config, (client) => {
      isConnected = true;
      return work(client);
    });
  } catch (error) {
    if (isConnected) throw error;
    const { message, code } = error as { message: string; code?: string };
    throw new DatabaseRefusal(`${setting}: no connection: ${message || code}.`, {
      cause: error,
    });
  }
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [DATABASE_NAME]);
  if (rows.length > 0) return;
  try {
    await client.query(`create database ${DATABASE_NAME} owner ${OWNER_ROLE}`);
  } catch (error) {
    const { code } = error as { code?: string };
    // Two processes on one fresh folder: the other was faster.
    if (code !== '42P04' && code !== '23505') throw error;
  }
}

async function setPasswords(client: pg.Client, password: string): Promise<void> {
  for (const role of [OWNER_ROLE, APP_ROLE]) {
    await client.query(`alter role ${role} password ${client.escapeLiteral(password)}`);
  }
}

async function prepare({ host, port, password }: Embedded): Promise<void> {
  const superuser = { host, port, password, user: 'postgres', database: 'postgres' };
  await withClient(superuser, async (client) => {
    await ensureRoles(client);
    await ensureDatabase(client);
    if (password) await setPasswords(client, password);
  });
}

async function builtIn(options: DatabaseOptions): Promise<Database> {
  const server = await startEmbedded({ dataDir: options.dataDir, ...(options.log && { log: options.log }) });
  const { host, port, password, stop } = server;
  const place = { host, port, database: DATABASE_NAME, ...(password && { password }) };
  const app = { ...place, user: APP_ROLE };
  try {
    await prepare(server);
    await withClient(app, (client) => examineApp(client, 'The built-in database'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { owner: { ...place, user: OWNER_ROLE }, app, direct: app, stop };
}

/** The address of one URL with user and password of another. */
function withLogin(address: string, login: string): string {
  const url = new URL(address);
  const { username, password } = new URL(login);
  return Object.assign(url, { username, password }).toString();
}

async function external(databaseUrl: string, appUrl: string | undefined): Promise<Database> {
  if (!appUrl) {
    throw new DatabaseRefusal(
      "DATABASE_APP_URL is missing: with DATABASE_URL the server needs the application's own login, which " +
        'npm run admin -- database create makes; see "Database of your own" in docs/operate.md.',
    );
  }
  const ownerConfig = { connectionString: databaseUrl };
  const appConfig = { connectionString: appUrl };
  return withClientOf('DATABASE_URL', ownerConfig, async (owner) => {
    const role = await examineOwner(owner, 'DATABASE_URL');
    const isPooled = await withClientOf('DATABASE_APP_URL', appConfig, async (app) => {
      const found = await examineApp(app, 'DATABASE_APP_URL');
      await requireHearing(owner, app);
      return found.isPooled;
    });
    const direct = isPooled ? { connectionString: withLogin(databaseUrl, appUrl) } : appConfig;
    if (isPooled) {
      const setting = 'DATABASE_URL with the login of DATABASE_APP_URL';
      await withClientOf(setting, direct, (client) => examineApp(client, setting));
    }
    return {
      owner: role ? actingAs(ownerConfig, role) : ownerConfig,
      app: { ...appConfig, isPooled },
      direct,
      stop: async () => undefined,
    };
  });
}

/**
 * Makes the database reachable: starts or adopts the built-in server under `dataDir`, or with `databaseUrl` uses that
 * server, where roles and database exist (see `createDatabase`). Creates no tables: see `migrate`.
 * @throws DatabaseRefusal, one sentence, when a server of yours does not fit; one clear message when the built-in one
 *   cannot run
 */
export function databaseFor(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl ? external(options.databaseUrl, options.databaseAppUrl) : builtIn(options);
}
