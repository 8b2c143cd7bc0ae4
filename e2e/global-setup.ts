import { startTown } from './town.ts';

/** One town for all journeys: each registers members of its own, so they do not meet. */
export default async function setup(): Promise<() => Promise<void>> {
  const town = await startTown();
  process.env.TOWN_URL = town.url;
  process.env.TOWN_SANDBOX_URL = town.sandboxUrl;
  process.env.TOWN_DATA_DIR = town.dataDir;
  return town.stop;
}
