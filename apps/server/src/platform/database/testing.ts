import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll } from 'vitest';
import { createPool, type Database } from './connect.ts';
import { OWNER_ROLE } from './roles.ts';
import { inDatabase, TEST_SERVER_VARIABLE, type TestServer } from './testing-server.ts';

/** A fresh, migrated database of its own for one test file. */
export type TestDatabase = {
  /** May do everything. */
  owner: pg.Pool;
  /** May do what the server may. */
  app: pg.Pool;
  /** As the server gets it, for code that makes pools of its own. `stop` does nothing. */
  config: Database;
  name: string;
};

const STATEMENT_TIMEOUT_MS = 30_000;

function testServer(): TestServer {
  const text = process.env[TEST_SERVER_VARIABLE];
  if (!text)
    throw new Error('No test database: name the file *.test.ts and run it in the project "database".');
  return JSON.parse(text);
}

/** How code under test reaches a database; `stop` does nothing. */
async function create(server: TestServer, name: string, template: string): Promise<Database> {
  const admin = new pg.Client(server.admin);
  await admin.connect();
  await admin.query(`create database ${name} template ${template} owner ${OWNER_ROLE}`);
  await admin.end();
  return {
    owner: inDatabase(server.owner, name),
    app: inDatabase(server.app, name),
    direct: inDatabase(server.app, name),
    stop: async () => undefined,
  };
}

/** A new database nothing was migrated into. */
export async function emptyDatabase(): Promise<Database> {
  const server = testServer();
  return create(server, `${server.template}_${randomBytes(5).toString('hex')}`, 'template0');
}

/**
 * Clones the migrated template. Call once a test file, at its top or in `beforeAll`.
 * The pools end with the file; the clone goes with the folder of the whole run, since dropping is slow.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = testServer();
  const name = `${server.template}_${randomBytes(5).toString('hex')}`;
  const config = await create(server, name, server.template);
  const settings = { max: 10, statementTimeoutMs: STATEMENT_TIMEOUT_MS, log: () => undefined };
  const owner = createPool(config.owner, { ...settings, applicationName: 'test owner' });
  const app = createPool(config.app, { ...settings, applicationName: 'test app' });
  afterAll(async () => {
    await Promise.all([owner, app].map((pool) => (pool.ended || pool.ending ? undefined : pool.end())));
  });
  return { owner, app, config, name };
}
