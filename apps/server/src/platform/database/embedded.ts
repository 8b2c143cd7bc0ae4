import type { ChildProcess } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import {
  type Cluster,
  ensureInitialised,
  fingerprint,
  forgetSocket,
  logTail,
  openCluster,
  run,
  socketFolder,
  type Transport,
  turnLog,
  writeSettings,
} from './cluster.ts';
import { processesIn, readPostmasterFile, setAsideStaleFiles } from './postmaster.ts';

/** A running PostgreSQL of our own. */
export type Embedded = {
  /** Folder of the Unix socket, or an address where sockets do not exist: what `pg` calls `host`. */
  host: string;
  port: number;
  /** Only on loopback. */
  password: string | undefined;
  /**
   * Releases the server; the last process to release it stops it. Resolves when it has stopped. A repeat does
   * nothing.
   */
  stop(): Promise<void>;
};

/** Settings of {@link startEmbedded}. */
export type EmbeddedOptions = {
  /** The data folder; created when missing. */
  dataDir: string;
  /** Receives one line per event an administrator should know. Default: standard error. */
  log?: (line: string) => void;
  transport?: Transport;
  /** Another `native` folder with PostgreSQL's binaries. */
  native?: string;
  /** How long a server that holds the data may take to respond or stop, in ms. Default 60,000. */
  startTimeoutMs?: number;
};

type Place = { host: string; port: number };

/** Held shared by every process that uses the server; the process that gets it exclusively is the last one. */
const USERS_LOCK = 7_071_001;
const START_TIMEOUT_MS = 60_000;
/** The last checkpoint of a busy database on a slow disk takes its time. */
const STOP_TIMEOUT_MS = 25_000;
const POLL_MS = 20;
const RESTART_PAUSE_MS_MAX = 5_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 5432;
}

/** Connects and takes the users' lock; undefined when nothing or another server answers there. */
async function answering(cluster: Cluster, place: Place): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...place,
    user: 'postgres',
    database: 'postgres',
    password: cluster.transport === 'loopback' ? cluster.secret : undefined,
    application_name: 'krapao keeper',
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('krapao.instance', true) as instance");
    if (rows[0].instance !== fingerprint(cluster.secret)) throw new Error('not ours');
    await client.query('select pg_advisory_lock_shared($1)', [USERS_LOCK]);
    return client;
  } catch {
    await client.end().catch(() => undefined);
    return undefined;
  }
}

/** Releases our share of the users' lock; returns whether no other process holds one. */
async function isLastUser(keeper: pg.Client): Promise<boolean> {
  try {
    await keeper.query('select pg_advisory_unlock_shared($1)', [USERS_LOCK]);
    const { rows } = await keeper.query('select pg_try_advisory_lock($1) as alone', [USERS_LOCK]);
    return rows[0].alone;
  } catch {
    // The server stopped at this moment; the next start adopts or recovers it.
    return false;
  }
}

/** One process's hold on one cluster: starts, adopts, restarts and stops its PostgreSQL. */
class Supervisor {
  private readonly cluster: Cluster;
  private readonly log: (line: string) => void;
  private readonly startTimeoutMs: number;
  private keeper: pg.Client | undefined;
  private place: Place | undefined;
  private stopped: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private restarting: Promise<void> | undefined;

  constructor(cluster: Cluster, log: (line: string) => void, startTimeoutMs = START_TIMEOUT_MS) {
    this.cluster = cluster;
    this.log = log;
    this.startTimeoutMs = startTimeoutMs;
  }

  /** Adopts a server that already runs on this data, else starts one. */
  async start(): Promise<Place> {
    const deadline = Date.now() + this.startTimeoutMs;
    while (Date.now() < deadline) {
      if (this.stopping.signal.aborted) throw new Error('PostgreSQL was not started again: we are stopping.');
      const adopted = await this.adopt();
      if (adopted) return adopted;
      if (processesIn(this.cluster.folder).length === 0) {
        const launched = await this.launch();
        if (launched) return launched;
      }
      // Another process's server is starting or stopping: checks again until it responds or is gone.
      await pause(POLL_MS);
    }
    throw new Error(
      `A process holds ${this.cluster.folder} but does not answer as our database ` +
        `(processes ${processesIn(this.cluster.folder).join(', ')}):\n${logTail(this.cluster)}`,
    );
  }

  private async adopt(): Promise<Place | undefined> {
    const file = readPostmasterFile(this.cluster.folder);
    if (!file) return undefined;
    const place = { host: file.host, port: file.port };
    return this.keep(place, await answering(this.cluster, place));
  }

  private async launch(): Promise<Place | undefined> {
    const { cluster } = this;
    const place = this.place ?? (await this.choosePlace());
    setAsideStaleFiles(cluster.folder, place.host);
    writeSettings(cluster, place.host, place.port);
    turnLog(cluster);
    const child = run(cluster, 'postgres', cluster.folder, []);
    child.unref();
    const exited = exitOf(child);
    let ended: string | undefined;
    exited.then((reason) => {
      ended = reason;
    });
    while (ended === undefined) {
      const kept = this.keep(place, await answering(cluster, place));
      if (kept) return kept;
      await Promise.race([exited, pause(POLL_MS)]);
    }
    // Lost a race against another process's start: the caller adopts that one.
    if (processesIn(cluster.folder).length > 0) return undefined;
    throw new Error(`PostgreSQL did not start (${ended}):\n${logTail(cluster)}`);
  }

  private async choosePlace(): Promise<Place> {
    return this.cluster.transport === 'socket'
      ? socketFolder(this.cluster)
      : { host: '127.0.0.1', port: await freePort() };
  }

  private keep(place: Place, client: pg.Client | undefined): Place | undefined {
    if (!client) return undefined;
    this.keeper = client;
    this.place = place;
    client.once('end', () => {
      if (this.keeper === client && !this.stopping.signal.aborted) this.restarting = this.restart();
    });
    return place;
  }

  /**
   * The server stopped unexpectedly. It is restarted until that succeeds. Meanwhile queries fail and calls respond
   * with 503, which ends by itself when, for example, the disk has space again.
   */
  private async restart(): Promise<void> {
    this.log('database: PostgreSQL went away; starting it again');
    this.keeper = undefined;
    for (
      let pauseMs = 100;
      !this.stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MS_MAX)
    ) {
      try {
        await this.start();
        this.log('database: PostgreSQL is back');
        return;
      } catch (error) {
        if (!this.stopping.signal.aborted) this.log(`database: ${(error as Error).message}`);
        await pause(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  stop(): Promise<void> {
    this.stopped ??= this.letGo();
    return this.stopped;
  }

  private async letGo(): Promise<void> {
    this.stopping.abort();
    await this.restarting;
    const keeper = this.keeper;
    if (!keeper) return;
    try {
      if (await isLastUser(keeper)) await this.shutDown();
    } finally {
      await keeper.end().catch(() => undefined);
    }
  }

  private async shutDown(): Promise<void> {
    const { cluster } = this;
    const pid = readPostmasterFile(cluster.folder)?.pid;
    if (!pid) return;
    // Fast: open transactions end, a checkpoint is written. Immediate only when that takes too long: safe as a
    // power cut is, the log brings everything acknowledged back.
    for (const [signal, mode] of [
      ['SIGINT', 'fast'],
      ['SIGQUIT', 'immediate'],
    ] as const) {
      end(cluster, pid, signal, mode);
      const deadline = Date.now() + STOP_TIMEOUT_MS;
      while (Date.now() < deadline) {
        // Only the server that we stopped: another process may start the next one at the same moment.
        const running = processesIn(cluster.folder);
        if (running.length === 0) return forgetSocket(cluster, this.place?.host);
        if (!running.includes(pid)) return;
        await pause(POLL_MS);
      }
    }
    const left = processesIn(cluster.folder).join(', ');
    throw new Error(`PostgreSQL (process ${pid}) did not stop (left: ${left}):\n${logTail(cluster)}`);
  }
}

function end(cluster: Cluster, pid: number, signal: NodeJS.Signals, mode: string): void {
  if (process.platform === 'win32') {
    // Signals kill outright there; pg_ctl knows the polite way.
    spawnSync(join(cluster.native, 'bin', 'pg_ctl.exe'), ['stop', '-W', '-m', mode, '-D', cluster.folder]);
    return;
  }
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((done) => {
    child.once('exit', (code, signal) => done(signal ?? `code ${code}`));
    child.once('error', (error) => done(error.message));
  });
}

/**
 * Starts the built-in PostgreSQL on `dataDir`, or adopts the one that still runs there: left over by a killed
 * process, or used by another one right now. Durable: fsync and synchronous commit are on.
 * When the server dies it is started again, and one line says so.
 * @throws one clear message when it cannot run here, with the end of PostgreSQL's log.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const transport = options.transport ?? (process.platform === 'win32' ? 'loopback' : 'socket');
  const log = options.log ?? ((line: string) => process.stderr.write(`${line}\n`));
  const cluster = openCluster(options.dataDir, transport, options.native);
  await ensureInitialised(cluster);
  const supervisor = new Supervisor(cluster, log, options.startTimeoutMs);
  const { host, port } = await supervisor.start();
  const password = transport === 'loopback' ? cluster.secret : undefined;
  return { host, port, password, stop: () => supervisor.stop() };
}
