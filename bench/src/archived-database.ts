import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { DEPLOY, findPostgres } from './cluster/databases.ts';
import { until } from './server.ts';

const PASSWORD = 'bench-only';
const PGBACKREST = '/usr/bin/pgbackrest';
const isRoot = process.getuid?.() === 0;

/** A PostgreSQL of Debian's package that archives by pgBackRest, with the files of deploy/. */
export interface ArchivedDatabase {
  /** The superuser's address. */
  adminUrl: string;
  /** Runs pgBackRest on the stanza; throws with what it printed when it fails. */
  pgbackrest(...args: string[]): string;
  start(): Promise<void>;
  /** Stops PostgreSQL, which sends the last WAL to the archive. */
  stop(): Promise<void>;
  /** Moves the data folder away and restores into a new one, up to a moment as PostgreSQL writes it. */
  restoreTo(time: string): void;
}

/** Throws one sentence when a package is missing. */
function requirePgbackrest(): void {
  if (!existsSync(PGBACKREST)) throw new Error('pgBackRest is missing: apt-get install pgbackrest');
}

/** The files of deploy/ with the folders of this run. */
function configure(folder: string, data: string, port: number): void {
  const repository = join(folder, 'repository');
  for (const path of ['repository', 'log', 'lock']) mkdirSync(join(folder, path));
  writeFileSync(
    join(folder, 'pgbackrest.conf'),
    readFileSync(join(DEPLOY, 'pgbackrest/pgbackrest.conf'), 'utf8')
      .replace('repo1-path=/var/lib/pgbackrest', `repo1-path=${repository}`)
      .replace('pg1-path=/var/lib/postgresql/15/main', `pg1-path=${data}`),
  );
  writeFileSync(
    join(folder, 'krapao.conf'),
    `${readFileSync(join(DEPLOY, 'postgres/archiving.conf'), 'utf8')}
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
max_connections = 200
shared_buffers = 256MB
`,
  );
  writeFileSync(join(folder, 'password'), PASSWORD);
}

/** Runs programs as the user of PostgreSQL, with pgBackRest's settings of this run. */
function programsOf(folder: string, port: number) {
  const asPostgres = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];
  const env = {
    PATH: process.env.PATH,
    LC_ALL: 'C.UTF-8',
    PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
    PGBACKREST_REPO1_CIPHER_PASS: 'a passphrase of the bench',
    PGBACKREST_LOG_PATH: join(folder, 'log'),
    PGBACKREST_LOCK_PATH: join(folder, 'lock'),
    PGBACKREST_PG1_PORT: String(port),
    PGBACKREST_PG1_SOCKET_PATH: folder,
  };
  const commandOf = (program: string, args: string[]): [string, string[]] => {
    const [first, ...rest] = [...asPostgres, program, ...args];
    return [first!, rest];
  };
  return {
    begin: (program: string, ...args: string[]): ChildProcess =>
      spawn(...commandOf(program, args), {
        cwd: '/',
        env,
        stdio: ['ignore', 'ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore'],
      }),
    run(program: string, ...args: string[]): string {
      try {
        const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
        return execFileSync(...commandOf(program, args), { cwd: '/', env, encoding: 'utf8', stdio });
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
      }
    },
  };
}

/** Whether a server takes connections and is no standby. */
async function isPrimary(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return !(await client.query('select pg_is_in_recovery() as standby')).rows[0].standby;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates a database server in a folder, starts it with archiving and creates its repository. */
export async function startArchivedDatabase(folder: string, port: number): Promise<ArchivedDatabase> {
  requirePgbackrest();
  mkdirSync(folder);
  const bin = findPostgres();
  const data = join(folder, 'data');
  configure(folder, data, port);
  if (isRoot) execFileSync('chown', ['-R', 'postgres:postgres', folder]);
  const { begin, run } = programsOf(folder, port);
  run(
    join(bin, 'initdb'),
    ...['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '--data-checksums'],
    ...['--auth-host=scram-sha-256', `--auth-local=${isRoot ? 'peer' : 'trust'}`],
    `--pwfile=${join(folder, 'password')}`,
  );
  writeFileSync(join(data, 'postgresql.conf'), `include '${join(folder, 'krapao.conf')}'\n`, { flag: 'a' });
  const adminUrl = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const pgbackrest = (...args: string[]) => run(PGBACKREST, '--stanza=krapao', ...args);
  let server: ChildProcess | undefined;
  const database: ArchivedDatabase = {
    adminUrl,
    pgbackrest,
    async start() {
      server = begin(join(bin, 'postgres'), '-D', data);
      await until(() => isPrimary(adminUrl), 'PostgreSQL', 10);
    },
    async stop() {
      if (!server || server.exitCode !== null) return;
      const ended = new Promise((resolve) => server!.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
    },
    restoreTo(time) {
      renameSync(data, join(folder, 'damaged'));
      run('/bin/mkdir', '-m', '700', data);
      pgbackrest('--type=time', `--target=${time}`, '--target-action=promote', 'restore');
    },
  };
  await database.start();
  // Archiving fails until there is a repository; PostgreSQL tries again.
  pgbackrest('stanza-create');
  pgbackrest('check');
  return database;
}
