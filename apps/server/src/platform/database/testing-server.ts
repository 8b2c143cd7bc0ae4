import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databaseFor } from './connect.ts';
import { migrate } from './migrate.ts';
import { OWNER_ROLE } from './roles.ts';

/** What the workers of one test run know about the server; travels in the environment. */
export type TestServer = {
  /** May create databases. */
  admin: pg.ClientConfig;
  owner: pg.PoolConfig;
  app: pg.PoolConfig;
  template: string;
};

/** Name of the variable that carries {@link TestServer} as JSON. */
export const TEST_SERVER_VARIABLE = 'KRAPAO_TEST_SERVER';

/** The same settings, leading to another database. */
export function inDatabase<T extends pg.ClientConfig>(config: T, database: string): T {
  if (!config.connectionString) return { ...config, database };
  const url = new URL(config.connectionString);
  url.pathname = `/${database}`;
  return { ...config, connectionString: url.toString() };
}

async function statement(config: pg.ClientConfig, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

async function fillTemplate(server: TestServer): Promise<void> {
  await migrate(inDatabase(server.owner, server.template));
  // A template somebody is connected to cannot be cloned; this keeps autovacuum out too.
  await statement(server.admin, `alter database ${server.template} with allow_connections false`);
}

/** Removes a folder after us: many databases make many files, and some disks give them back slowly. */
function leaveBehind(folder: string): void {
  const remove = `fs.rmSync(${JSON.stringify(folder)}, { recursive: true, force: true })`;
  spawn(process.execPath, ['--eval', remove], { detached: true, stdio: 'ignore' }).unref();
}

/** Servers of several test files, with all their pools, are connected at once. */
const CONNECTIONS_MAX = 500;

async function builtIn(template: string): Promise<{ server: TestServer; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'krapao-test-'));
  // As an ordinary data folder is, for the user PostgreSQL runs as when we are root.
  chmodSync(folder, 0o755);
  const start = () => databaseFor({ dataDir: folder, log: () => undefined });
  const first = await start();
  const superuser = { ...first.owner, user: 'postgres', database: 'postgres' };
  await statement(superuser, `alter system set max_connections = ${CONNECTIONS_MAX}`);
  await first.stop();
  const database = await start();
  const admin = { ...database.owner, user: 'postgres', database: 'postgres' };
  await statement(admin, `create database ${template} owner ${OWNER_ROLE}`);
  const stop = async () => {
    await database.stop();
    leaveBehind(folder);
  };
  return { server: { admin, owner: database.owner, app: database.app, template }, stop };
}

async function yours(
  databaseUrl: string,
  template: string,
): Promise<{ server: TestServer; stop: () => Promise<void> }> {
  const admin = { connectionString: databaseUrl };
  const databaseAppUrl = process.env.TEST_DATABASE_APP_URL;
  const { owner, app } = await databaseFor({ dataDir: '', databaseUrl, databaseAppUrl });
  await statement(admin, `create database ${template} owner ${OWNER_ROLE}`);
  const stop = async () => {
    // A server of yours outlives the run, so what the run left on it goes.
    const { rows } = await statement(
      admin,
      `select datname from pg_database where datname like '${template}%'`,
    );
    for (const { datname } of rows) await statement(admin, `drop database ${datname} with (force)`);
  };
  return { server: { admin, owner, app, template }, stop };
}

/**
 * Vitest's global setup: one server and one migrated template database for the whole run.
 * The built-in server on a folder thrown away afterwards, or the one TEST_DATABASE_URL leads to as a superuser, and
 * TEST_DATABASE_APP_URL as the application's login.
 * @returns the teardown
 */
export default async function setup(): Promise<() => Promise<void>> {
  const template = `krapao_test_${randomBytes(4).toString('hex')}`;
  const url = process.env.TEST_DATABASE_URL;
  const { server, stop } = url ? await yours(url, template) : await builtIn(template);
  try {
    await fillTemplate(server);
  } catch (error) {
    await stop();
    throw error;
  }
  process.env[TEST_SERVER_VARIABLE] = JSON.stringify(server);
  return stop;
}
