import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from './app.ts';
import { createDemoHistory } from './demo/history.ts';
import { seedDemo } from './demo.ts';
import { followClock, systemClock } from './platform/clock.ts';
import { readConfig, warningsOf } from './platform/config.ts';
import { createPool, DatabaseRefusal, databaseFor } from './platform/database/connect.ts';
import { migrate, OWN_FILES } from './platform/database/migrate.ts';
import { requireSameSecret } from './platform/database/same-secret.ts';
import { openStandby } from './platform/database/standby.ts';
import { requireSameSettings } from './platform/http/pages.ts';
import { ALL_ROLES } from './platform/process-roles.ts';
import { createSecrets } from './platform/secrets.ts';

const STOP_WITHIN_MS = 14_000;

const config = readConfig();
const log = (line: string) => process.stderr.write(`${line}\n`);

/** Ends the process with one sentence where the database refuses it. */
function refuseStart(error: unknown): never {
  if (!(error instanceof DatabaseRefusal)) throw error;
  log(error.message);
  process.exit(1);
}

const database = await databaseFor({
  dataDir: config.dataDir,
  databaseUrl: config.DATABASE_URL || undefined,
  databaseAppUrl: config.DATABASE_APP_URL || undefined,
  log,
}).catch(refuseStart);
await migrate(database.owner, { ...OWN_FILES, returnsToOlder: !config.production });
await requireSameSecret(database.owner, createSecrets(config.SECRET), { stores: true }).catch(refuseStart);
const { roles } = config;
const callsOf = (applicationName: string, max: number) =>
  createPool(database.app, { max, applicationName, statementTimeoutMs: 5_000, log });
// A process keeps connections for what it does; of the rest it only looks things up.
const pool = callsOf('krapao', roles.has('api') ? 14 : 4);
const operatorPool = callsOf('krapao-operators', roles.has('console') ? 4 : 1);
const ledgerPool = callsOf('krapao-ledger', 2);
const backgroundPool = createPool(database.direct, {
  max: roles.has('worker') ? 8 : 4,
  applicationName: 'krapao-background',
  statementTimeoutMs: 30_000,
  log,
});
const standby = config.DATABASE_READ_URL ? openStandby(config.DATABASE_READ_URL, log) : undefined;
const clock = config.CLOCK_URL ? await followClock(config.CLOCK_URL) : systemClock;
const folder = config.WEB_DIR || join(import.meta.dirname, '../../web/dist/client');
const pages = existsSync(join(folder, 'index.html')) ? folder : undefined;
if (pages && config.production) requireSameSettings(pages, config);
const consoleFolder = config.CONSOLE_DIR || join(import.meta.dirname, '../../console/dist');
const consolePages = existsSync(join(consoleFolder, 'index.html')) ? consoleFolder : undefined;
const parts = { config, pool, backgroundPool, operatorPool, ledgerPool, standby, pages, consolePages };
const hasDemo = !config.production && config.DEMO !== 'false' && roles.size === ALL_ROLES.size;
const days = Number(config.DEMO_DAYS);
if (hasDemo && days > 0) await createDemoHistory({ ...parts, days, log });
const app = await createApp({ ...parts, clock });
for (const warning of warningsOf(config)) app.http.log.warn({ event: 'configuration' }, warning);
if (hasDemo) await seedDemo(app.deps);
for (const check of await app.deps.readiness.failed())
  app.http.log.warn({ event: 'not ready', check }, 'a check of /readyz fails');
await app.http.listen({ port: Number(config.PORT), host: config.HOST });
if (roles.has('console'))
  await app.consoleHttp.listen({ port: Number(config.CONSOLE_PORT), host: config.HOST });
const operators = roles.has('console') ? `, for operators on ${config.CONSOLE_PORT}` : '';
log(`${[...roles].join(', ')}: listening on http://${config.HOST}:${config.PORT}${operators}`);

let stopping = false;
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log(`${signal}: finishing what is running`);
  if (roles.has('api') || roles.has('console')) {
    app.deps.readiness.stop();
    await pause(Number(config.STOP_DELAY_SECONDS) * 1000);
  }
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  await app.close();
  await Promise.all([pool, operatorPool, ledgerPool, backgroundPool, standby].map((one) => one?.end()));
  await database.stop();
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
