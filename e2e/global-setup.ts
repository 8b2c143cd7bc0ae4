import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyBuild, copyConsole } from './build.ts';
import { startTown } from './town.ts';
import { admin } from './world.ts';

/** All members of a run come from one address; what slows a crowd is tested where it belongs. */
const CROWD = ['otp.addressHourMax', 'register.addressHourMax'];

/** One town for all journeys: each registers members of its own, so they do not meet. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'krapao-e2e-build-'));
  // Towns that tests start for themselves read it from here too.
  process.env.WEB_DIR = copyBuild(folder);
  process.env.CONSOLE_DIR = copyConsole(folder);
  const town = await startTown();
  process.env.TOWN_URL = town.url;
  process.env.TOWN_CONSOLE_URL = town.consoleUrl;
  process.env.TOWN_SANDBOX_URL = town.sandboxUrl;
  process.env.TOWN_DATA_DIR = town.dataDir;
  for (const setting of CROWD) await admin(['setting', 'set', setting, '10000']);
  return async () => {
    await town.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
