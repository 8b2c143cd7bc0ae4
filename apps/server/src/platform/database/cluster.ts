import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { createDurablySync, syncFileSync, syncFolderSync } from '../durable-file.ts';
import { packagedBinaries, usableBinaries } from './binaries.ts';
import { canReach, chownTo, type RuntimeUser, runtimeUserFor } from './runtime-user.ts';

/** How clients reach the server: a Unix socket, or loopback with a password where sockets do not exist. */
export type Transport = 'socket' | 'loopback';

/** One PostgreSQL data folder with everything around it. Paths are absolute. */
export type Cluster = {
  /** The cluster's folder inside DATA_DIR; the paths below are in it. */
  home: string;
  /** PostgreSQL's own data folder. */
  folder: string;
  /** Binaries the runtime user can run. */
  native: string;
  user: RuntimeUser | undefined;
  /** Random identity of the cluster; a server that returns it is ours. Also the password on loopback. */
  secret: string;
  transport: Transport;
  logFile: string;
};

/** The longest Unix socket path the kernel takes, in bytes; macOS takes a few less. */
const SOCKET_PATH_BYTES_MAX = process.platform === 'darwin' ? 103 : 107;
const LOG_BYTES_MAX = 5_000_000;
const SOCKET_PORT = 5432;

const ENVIRONMENT = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  SystemRoot: process.env.SystemRoot,
};

function readSecret(home: string): string {
  const file = join(home, 'secret');
  if (!existsSync(file)) createDurablySync(file, randomBytes(32).toString('hex'));
  return readFileSync(file, 'utf8').trim();
}

/** Finds or prepares the folders and binaries of the cluster in `dataDir`; starts nothing. */
export function openCluster(dataDir: string, transport: Transport, native = packagedBinaries()): Cluster {
  const home = resolve(dataDir, 'postgres');
  mkdirSync(resolve(dataDir), { recursive: true, mode: 0o755 });
  const folder = join(home, 'cluster');
  const user = runtimeUserFor(existsSync(folder) ? folder : home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const secret = readSecret(home);
  chownTo(home, user);
  chownTo(join(home, 'secret'), user);
  if (existsSync(folder)) chownTo(folder, user);
  const usable = usableBinaries(native, home, user);
  return { home, folder, native: usable, user, secret, transport, logFile: join(home, 'postgres.log') };
}

/**
 * Names a folder so that the runtime user can use it even below a folder it may not enter:
 * we open it, and the child passes through its inherited descriptor 3.
 */
function passage(cluster: Cluster, folder: string): { name: string; descriptor: number | undefined } {
  if (canReach(folder, cluster.user)) return { name: folder, descriptor: undefined };
  if (process.platform === 'linux') return { name: '/proc/self/fd/3', descriptor: openSync(folder, 'r') };
  throw new Error(
    `User ${cluster.user?.uid}, who runs PostgreSQL for root, cannot enter ${folder}: ` +
      'open the folders above it, choose another DATA_DIR, or do not start as root.',
  );
}

/** Starts one of PostgreSQL's programs on a data folder; its output goes to the log. Never through a shell. */
export function run(cluster: Cluster, program: 'initdb' | 'postgres', folder: string, args: string[]) {
  const { name, descriptor } = passage(cluster, folder);
  const log = openSync(cluster.logFile, 'a', 0o600);
  chownTo(cluster.logFile, cluster.user);
  const executable = join(cluster.native, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
  const child = spawn(executable, ['-D', name, ...args], {
    ...cluster.user,
    cwd: '/',
    env: ENVIRONMENT,
    // A session of its own: Ctrl-C in the terminal must reach the server first, which then stops the database.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log, descriptor ?? 'ignore'],
  });
  closeSync(log);
  if (descriptor !== undefined) closeSync(descriptor);
  return child;
}

/** The last lines of PostgreSQL's log, for an error message. */
export function logTail(cluster: Cluster): string {
  const text = existsSync(cluster.logFile) ? readFileSync(cluster.logFile, 'utf8') : '';
  return text.trim().split('\n').slice(-8).join('\n');
}

/** Keeps one older log beside the current one. */
export function turnLog(cluster: Cluster): void {
  if (existsSync(cluster.logFile) && lstatSync(cluster.logFile).size > LOG_BYTES_MAX) {
    renameSync(cluster.logFile, `${cluster.logFile}.1`);
  }
}

function accessRules(transport: Transport): string {
  // The socket's folder is closed to everybody else, so reaching it is the proof of identity.
  return transport === 'socket' ? 'local all all trust\n' : 'host all all 127.0.0.1/32 scram-sha-256\n';
}

function initArguments(cluster: Cluster, passwordFile: string): string[] {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const auth =
    cluster.transport === 'socket' ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  return ['--username=postgres', ...locale, ...auth];
}

/**
 * Creates the data folder when there is none yet. A killed run leaves only a draft behind, never half a cluster.
 * @throws with the end of PostgreSQL's log when initdb fails.
 */
export async function ensureInitialised(cluster: Cluster): Promise<void> {
  if (existsSync(join(cluster.folder, 'PG_VERSION'))) return;
  const draft = `${cluster.folder}.draft-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  chownTo(draft, cluster.user);
  const passwordFile = join(cluster.home, 'secret');
  const child = run(cluster, 'initdb', draft, initArguments(cluster, passwordFile));
  const code = await new Promise<number | null>((done, fail) => child.once('exit', done).once('error', fail));
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(`PostgreSQL could not create its data folder ${cluster.folder}:\n${logTail(cluster)}`);
  }
  appendFileSync(join(draft, 'postgresql.conf'), "\ninclude_if_exists 'krapao.conf'\n");
  writeFileSync(join(draft, 'pg_hba.conf'), accessRules(cluster.transport));
  // initdb has flushed what it wrote itself.
  for (const name of ['postgresql.conf', 'pg_hba.conf']) syncFileSync(join(draft, name));
  try {
    renameSync(draft, cluster.folder);
  } catch (error) {
    // Another process created the cluster meanwhile: its one counts.
    if (!existsSync(join(cluster.folder, 'PG_VERSION'))) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
  syncFolderSync(cluster.home);
}

/** Settings that every start writes again, so that changes reach existing clusters. */
export function writeSettings(cluster: Cluster, host: string, port: number): void {
  const socket = cluster.transport === 'socket';
  const settings = {
    listen_addresses: socket ? '' : host,
    port: String(port),
    unix_socket_directories: socket ? host : '',
    unix_socket_permissions: '0700',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: totalmem() > 3_500_000_000 ? '256MB' : '128MB',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    jit: 'off',
    'krapao.instance': fingerprint(cluster.secret),
  };
  const text = Object.entries(settings).map(([key, value]) => `${key} = '${value.replaceAll("'", "''")}'\n`);
  const file = join(cluster.folder, 'krapao.conf');
  const draft = `${file}.draft-${process.pid}`;
  writeFileSync(draft, text.join(''), { mode: 0o600 });
  chownTo(draft, cluster.user);
  renameSync(draft, file);
}

/** The public identity of our server. Every database role may read it, so it is not the secret. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function privateFolder(folder: string, user: RuntimeUser | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  const expected = user?.uid ?? process.getuid?.();
  if (!lstatSync(folder).isDirectory() || (uid !== expected && uid !== process.getuid?.())) {
    throw new Error(`${folder} is not ours: remove it, the database keeps its socket there.`);
  }
  chmodSync(folder, 0o700);
  chownTo(folder, user);
  return folder;
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_BYTES_MAX;
}

/**
 * The folder for the Unix socket, mode 0700: inside the data folder, or, where that path is too long for the
 * kernel or closed to PostgreSQL's user, a folder of unguessable name among the temporary ones.
 */
export function socketFolder(cluster: Cluster): { host: string; port: number } {
  const inside = join(cluster.home, 'socket');
  const name = `krapao-${fingerprint(`socket ${cluster.secret}`).slice(0, 16)}`;
  const candidates = [inside, join(tmpdir(), name), join('/tmp', name)];
  const folder = candidates.find((path) => fits(path) && canReachFrom(path, cluster.user));
  if (!folder)
    throw new Error(`No folder short and open enough for a Unix socket: tried ${candidates.join(', ')}.`);
  return { host: privateFolder(folder, cluster.user), port: SOCKET_PORT };
}

function canReachFrom(path: string, user: RuntimeUser | undefined): boolean {
  try {
    return canReach(path, user);
  } catch {
    return false;
  }
}

/** Removes the socket's folder after a stop if it is a temporary one. */
export function forgetSocket(cluster: Cluster, host: string | undefined): void {
  if (cluster.transport === 'socket' && host && !host.startsWith(cluster.home)) {
    rmSync(host, { recursive: true, force: true });
  }
}
