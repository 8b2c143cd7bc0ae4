import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyBuild, copyConsole } from './build.ts';
import { admin, operatorCall } from './env-calls.ts';
import { newOperator } from './operator.ts';
import { type Prepared, startTestEnv, type TestEnv } from './test-env.ts';

/**
 * All members of a run share one address, so rate limits are raised; they have tests of their own. Slips are accepted
 * at every hour. Most journeys withdraw a fresh deposit, which would otherwise need review.
 */
const SETTINGS = {
  'otp.addressHourMax': '10000',
  'register.addressHourMax': '10000',
  'slip.closedHours': '[]',
  'withdraw.playedTimes': '0',
};

/** Creates an administrator by the command line and signs in; returns the cookie. */
async function administrator(env: TestEnv): Promise<string> {
  const { name, password, code } = await newOperator('admin', env);
  return (await operatorCall('login', { name, password, code: code() }, env)).cookie;
}

/** What the run's test environments begin with: made once, with two administrators who let each journey's operators in. */
async function prepare(): Promise<Prepared> {
  const env = await startTestEnv();
  for (const [name, value] of Object.entries(SETTINGS)) await admin(['setting', 'set', name, value], env);
  const [maker, checker] = await Promise.all([administrator(env), administrator(env)]);
  await env.end();
  return { folder: env.dataDir, staff: { maker, checker } };
}

/** One test environment for all journeys: each registers members of its own, so they do not meet. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'krapao-e2e-build-'));
  // Test environments that tests start for themselves read it from here too.
  process.env.WEB_DIR = copyBuild(folder);
  process.env.CONSOLE_DIR = copyConsole(folder);
  const prepared = await prepare();
  process.env.TEST_ENV_PREPARED = prepared.folder;
  process.env.TEST_ENV_STAFF = JSON.stringify(prepared.staff);
  const env = await startTestEnv({}, prepared);
  process.env.TEST_ENV_URL = env.url;
  process.env.TEST_ENV_CONSOLE_URL = env.consoleUrl;
  process.env.TEST_ENV_SANDBOX_URL = env.sandboxUrl;
  process.env.TEST_ENV_DATA_DIR = env.dataDir;
  return async () => {
    await env.stop();
    for (const done of [prepared.folder, folder]) rmSync(done, { recursive: true, force: true });
  };
}
