import {
  connectOwner,
  controlOf,
  mostMemoryMb,
  type Site,
  setSettings,
  verifyBooks,
} from '../installation.ts';
import { until } from '../server.ts';
import type { Cluster } from './cluster.ts';

/** Adds the demo's games and accounts to a cluster, sets settings, and shows it as the site that the benches of one installation use. */
export async function siteOf(cluster: Cluster, settings: Record<string, unknown>): Promise<Site> {
  const { ports, env, databases } = cluster;
  const url = `http://127.0.0.1:${ports.member}`;
  await cluster.addDemo();
  const servers = () => cluster.servers.map((program) => program.process());
  const { owner, asOwner } = await connectOwner('', env);
  await setSettings({ asOwner }, settings);
  return {
    url,
    consoleUrl: `http://127.0.0.1:${ports.console}`,
    urls: [url],
    readyzUrl: cluster.readyzUrl,
    env,
    servers,
    async allReady() {
      await databases.healthy();
      const areReady = async () =>
        (await Promise.all(cluster.servers.map((one) => one.isReady()))).every(Boolean);
      await until(areReady, 'every server', 2);
    },
    owner,
    asOwner,
    control: controlOf(cluster.sandboxUrl),
    verify: () => verifyBooks(env),
    memoryMb: () => mostMemoryMb(servers()),
    async stop() {
      await owner.end();
      await cluster.stop();
    },
  };
}
