import pg from 'pg';
import { type Embedded, startEmbedded } from './embedded.ts';
import { APP_ROLE, actingAs, ensureRoles, OWNER_ROLE } from './roles.ts';

export { createPool, databaseTypes, type PoolSettings } from './pool.ts';

/** The database of the product: how to reach it as each role, and how to let go of it. */
export type Database = {
  /** For migrations, backup and repair. */
  owner: pg.PoolConfig;
  /** For everything the server does: only the rights that migrations grant. */
  app: pg.PoolConfig;
  /** Close every pool first. Stops the built-in server when nobody else uses it; leaves a server of yours alone. */
  stop(): Promise<void>;
};

/** Where the database is. */
export type DatabaseOptions = {
  /** Folder of the built-in server; unused with `databaseUrl`. */
  dataDir: string;
  /** A PostgreSQL of your own, version 15 or newer. */
  databaseUrl?: string | undefined;
  /** Takes one line about every event an operator should know. Default: standard error. */
  log?: (line: string) => void;
};

/** Name of the database on the built-in server. */
const DATABASE_NAME = 'krapao';
/** PostgreSQL 15, as `server_version_num` has it. */
const VERSION_MIN = 150_000;

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
    await ensureRoles(client, true);
    await ensureDatabase(client);
    if (password) await setPasswords(client, password);
  });
}

async function builtIn(options: DatabaseOptions): Promise<Database> {
  const server = await startEmbedded({ dataDir: options.dataDir, ...(options.log && { log: options.log }) });
  const { host, port, password, stop } = server;
  try {
    await prepare(server);
  } catch (error) {
    await stop();
    throw error;
  }
  const place = { host, port, database: DATABASE_NAME, ...(password && { password }) };
  return { owner: { ...place, user: OWNER_ROLE }, app: { ...place, user: APP_ROLE }, stop };
}

async function external(databaseUrl: string): Promise<Database> {
  const config = { connectionString: databaseUrl };
  await withClient(config, async (client) => {
    const { rows } = await client.query("select current_setting('server_version_num')::int as version");
    if (rows[0].version < VERSION_MIN) {
      throw new Error(`DATABASE_URL leads to PostgreSQL ${rows[0].version / 10_000}; 15 or newer is needed.`);
    }
    await ensureRoles(client, false);
  });
  return { owner: config, app: actingAs(config, APP_ROLE), stop: async () => undefined };
}

/**
 * Makes the database reachable: starts or adopts the built-in server under `dataDir`, or with `databaseUrl` uses
 * that server, whose user is granted both roles. Creates roles and database, no tables: see `migrate`.
 * @throws one clear message when the server cannot run, is too old, or its user may not create the roles
 */
export function databaseFor(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl ? external(options.databaseUrl) : builtIn(options);
}
