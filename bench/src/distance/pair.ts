import { createDatabase } from '../../../apps/server/src/platform/database/create.ts';
import {
  type External,
  hasPostgres15,
  startExternal,
  startStandbyOf,
} from '../../../apps/server/src/platform/database/fixtures/external.ts';
import { until } from '../server.ts';
import { startRelay } from './relay.ts';

/** A primary and its synchronous standby, with a distance between them. */
export interface Pair {
  primary: External;
  /** Time in ms that a message takes to the standby and its confirmation back, besides the network of this machine. */
  setDistance(roundTripMs: number): void;
  stop(): void;
}

/** What deploy/patroni/patroni.yml gives a machine, with fewer buffers. */
const SETTINGS = { max_connections: '300', shared_buffers: "'256MB'", max_wal_size: "'2GB'" };

/** Starts both, with the product's roles; the standby follows through a relay. Needs Debian's postgresql-15. */
export async function startPair(): Promise<Pair> {
  if (!hasPostgres15) throw new Error('PostgreSQL is missing: apt-get install postgresql-15');
  const primary = await startExternal(15);
  for (const [name, value] of Object.entries(SETTINGS))
    await primary.request(`alter system set ${name} = ${value}`);
  primary.halt();
  primary.resume();
  await createDatabase(primary.url('admin', 'postgres'), 'krapao');
  const relay = await startRelay(primary.port);
  const standby = await startStandbyOf(primary);
  const source = `host=127.0.0.1 port=${relay.port} user=admin application_name=standby`;
  await standby.request(`alter system set primary_conninfo = '${source}'`);
  await standby.request('select pg_reload_conf()');
  await primary.request("alter system set synchronous_standby_names = 'standby'");
  await primary.request('select pg_reload_conf()');
  const confirming = "select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'";
  await until(async () => (await primary.request(confirming)).length === 1, 'a synchronous standby');
  return {
    primary,
    setDistance(roundTripMs) {
      relay.delayMs = roundTripMs;
    },
    stop() {
      standby.stop();
      primary.stop();
      relay.close();
    },
  };
}
