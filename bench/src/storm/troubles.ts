import { join } from 'node:path';
import { processesIn } from '../../../apps/server/src/platform/database/postmaster.ts';
import { type Cluster, restartPart } from '../cluster/cluster.ts';
import type { Machine } from '../cluster/machines.ts';
import type { Installation } from '../installation.ts';
import { killDatabase, pause } from '../server.ts';
import type { Disk } from './disk.ts';

/**
 * Faults of the installation, by name. Each resolves when the fault is over, not when the installation has recovered.
 */
export type Troubles = Record<string, () => Promise<void>>;

const between = (leastMs: number, mostMs: number): number => leastMs + Math.random() * (mostMs - leastMs);

/** Refuses writes on every connection, like a demoted primary. */
async function demote({ asSuperuser }: Installation, ms: number): Promise<void> {
  await asSuperuser('alter system set default_transaction_read_only = on');
  await asSuperuser('select pg_reload_conf()');
  await pause(ms);
  await asSuperuser('alter system reset default_transaction_read_only');
  await asSuperuser('select pg_reload_conf()');
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      // Backends come and go.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

/** Pauses the database where a file system cannot be frozen. */
async function suspendDatabase({ dataDir }: Installation, ms: number): Promise<void> {
  const cluster = join(dataDir, 'postgres', 'cluster');
  signalAll(processesIn(cluster), 'SIGSTOP');
  await pause(ms);
  signalAll(processesIn(cluster), 'SIGCONT');
}

async function fillDisk(disk: Disk, ms: number): Promise<void> {
  disk.fill();
  await pause(ms);
  disk.free();
}

/** The troubles of an installation; those of the disk only where it has one of its own. */
export function troublesOf(place: Installation, disk: Disk | null): Troubles {
  return {
    ...Object.fromEntries(
      place.servers().map((_server, at) => [`server ${at} killed`, () => place.restart(at)]),
    ),
    'database killed': () => killDatabase(place.dataDir),
    'database demoted': () => demote(place, between(2_000, 5_000)),
    ...(disk && { 'disk full': () => fillDisk(disk, between(2_000, 6_000)) }),
    ...(disk
      ? { 'disk frozen': () => disk.freeze(between(2_000, 9_000)) }
      : { 'database suspended': () => suspendDatabase(place, between(2_000, 9_000)) }),
  };
}

/** Longer than Patroni's `ttl`, so that a standby takes over. */
const TAKEOVER_MS = 30_000;

/** The troubles of a cluster: each part killed, and its primary lost, frozen, cut off or replaced. */
export function clusterTroublesOf({ databases, parts, apis, workers }: Cluster): Troubles {
  const killed = {
    ...parts,
    'member server 1': apis[0]!,
    'member server 2': apis[1]!,
    worker: workers[0]!,
    'worker with a wrong clock': workers[1]!,
  };
  const atPrimary = (strike: (primary: Machine) => Promise<void>) => async () =>
    strike(await databases.primary());
  return {
    ...Object.fromEntries(
      Object.entries(killed).map(([name, part]) => [`${name} killed`, () => restartPart(part)]),
    ),
    switchover: atPrimary((primary) => databases.switchover(primary)),
    "primary's process killed": atPrimary(async (primary) => databases.killPostgres(primary)),
    "primary's machine lost": atPrimary(async (primary) => {
      primary.signal('SIGKILL');
      await pause(TAKEOVER_MS);
      databases.startMachine(primary);
    }),
    "primary's machine frozen": atPrimary(async (primary) => {
      primary.signal('SIGSTOP');
      await pause(between(2_000, TAKEOVER_MS));
      primary.signal('SIGCONT');
    }),
    "primary's machine cut off": atPrimary(async (primary) => {
      primary.connect(false);
      await pause(between(2_000, TAKEOVER_MS));
      primary.connect(true);
    }),
  };
}

/** In random order, all of them before any comes again. */
export function* inTurn(names: readonly string[]): Generator<string, never> {
  for (;;) {
    const left = [...names];
    while (left.length > 0) yield left.splice(Math.floor(Math.random() * left.length), 1)[0]!;
  }
}
