import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT } from '../apps/server/src/platform/config.ts';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { filesBelow, ROOT } from './lib/files.ts';

const DEPLOY = join(ROOT, 'deploy');
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');
const folder = mkdtempSync('/tmp/krapao-deploy-');
afterAll(() => rmSync(folder, { recursive: true }));

/** Where a program of a Debian package is; undefined, with a message, where it is not installed. */
function programOf(program: string, debian: string): string | undefined {
  const found = [`/usr/sbin/${program}`, `/usr/bin/${program}`].find((path) => existsSync(path));
  if (!found) console.warn(`SKIPPED: ${program} judges files in deploy/. Install Debian's ${debian} for it.`);
  return found;
}

/** What a program prints; the test fails with it when the program does. */
function judged(program: string, args: string[], environment: Record<string, string> = {}): string {
  try {
    return execFileSync(program, args, {
      cwd: DEPLOY,
      env: { ...process.env, HOME: folder, ...environment },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

interface Compose {
  services: Record<
    string,
    {
      image?: string;
      volumes?: string[];
      networks?: string[];
      depends_on?: string[] | Record<string, unknown>;
    }
  >;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
}

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (file) => {
  const compose = parse(read(file), { merge: true }) as Compose;

  test('has the form of the Compose specification', () => {
    // github.com/compose-spec/compose-spec, schema/compose-spec.json of 170098ba (2026-06-23), Apache-2.0.
    const schema = JSON.parse(
      readFileSync(join(ROOT, 'tools/fixtures/compose-spec/compose-spec.json'), 'utf8'),
    ) as { $schema?: string };
    delete schema.$schema;
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    validate(compose);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('names only services, volumes, networks and files that there are', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      const dependsOn = Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {});
      for (const other of dependsOn) expect(Object.keys(compose.services), name).toContain(other);
      for (const network of service.networks ?? [])
        expect(Object.keys(compose.networks), name).toContain(network);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./')) accessSync(join(DEPLOY, source));
        else expect(Object.keys(compose.volumes), name).toContain(source);
      }
    }
  });

  test('runs the servers without rights, on a root they cannot write', () => {
    const servers = Object.values(compose.services).filter(({ image }) => image?.startsWith('krapao:'));
    expect(servers.length).toBeGreaterThan(0);
    for (const server of servers)
      expect(server).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
  });

  test('sets and requires existing settings', () => {
    const known = new Set([...Object.keys(ENVIRONMENT), 'CONSOLE_SITE', 'API_SERVERS', 'CONSOLE_SERVERS']);
    const servers = Object.entries(compose.services).filter(([, { image }]) => image?.startsWith('krapao:'));
    for (const [name, { environment }] of servers as [string, { environment: object }][])
      for (const setting of Object.keys(environment)) expect(known, name).toContain(setting);
    const explained = `${read(file)
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .join('\n')}${read('example.env')}`;
    for (const [, name = ''] of read(file).matchAll(/\$\{(\w+)/g)) expect(explained).toContain(name);
  });
});

test('the example of settings names settings that there are', () => {
  const names = [...read('example.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(names.filter((name) => !(name! in ENVIRONMENT))).toEqual([]);
});

test('alerts and dashboard name metrics that the server has', () => {
  const sources = filesBelow('apps/server/src').filter((path) => !path.includes('.test.'));
  const code = sources.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
  const used = `${read('prometheus/alerts.yml')}${read('grafana/krapao.json')}`.matchAll(/\bkrapao_\w+/g);
  const names = new Set([...used].map(([name]) => name.replace(/_(bucket|sum|count)$/, '')));
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter((name) => !code.includes(`'${name}'`))).toEqual([]);
});

test('every panel of the dashboard has a query and a place of its own', () => {
  const { panels } = JSON.parse(read('grafana/krapao.json')) as {
    panels: { title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[];
  };
  const places = panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`);
  expect(new Set(places).size).toBe(panels.length);
  for (const { title, targets } of panels)
    for (const { expr } of targets) expect(expr, title).toMatch(/\w+_\w+/);
});

test('Patroni keeps its own rule of times, and acknowledges nothing without a standby', () => {
  const { bootstrap } = parse(read('patroni/patroni.yml')) as { bootstrap: { dcs: Record<string, number> } };
  const { ttl = 0, loop_wait: loopWait = 0, retry_timeout: retry = 0 } = bootstrap.dcs;
  expect(ttl).toBeGreaterThanOrEqual(20);
  expect(loopWait + 2 * retry).toBeLessThanOrEqual(ttl);
  expect(bootstrap.dcs).toMatchObject({ synchronous_mode: 'quorum', synchronous_mode_strict: true });
});

test('the image is made of folders that there are', () => {
  const copied = [...read('Containerfile').matchAll(/cp (?:-r )?(.+?) \/out/g)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  expect(copied.length).toBeGreaterThan(5);
  // Built folders are there only after a build.
  for (const path of copied.filter((one) => !one.endsWith('/dist'))) accessSync(join(ROOT, path));
});

const haproxy = programOf('haproxy', 'haproxy');
test.skipIf(!haproxy)('HAProxy takes its configuration', () => {
  judged(haproxy!, ['-c', '-f', 'haproxy/haproxy.cfg']);
});

const caddy = programOf('caddy', 'caddy');
test.skipIf(!caddy)('Caddy takes its configuration', () => {
  judged(caddy!, ['validate', '--adapter', 'caddyfile', '--config', 'caddy/Caddyfile'], {
    SITE_HOST: 'play.example',
    CONSOLE_SITE: 'https://console.example',
    API_SERVERS: '127.0.0.1:3000 127.0.0.2:3000',
    CONSOLE_SERVERS: '127.0.0.1:3001',
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
});

const promtool = programOf('promtool', 'prometheus');
test.skipIf(!promtool)('Prometheus takes the alerts, and they open when they should', () => {
  judged(promtool!, ['check', 'rules', 'prometheus/alerts.yml']);
  judged(promtool!, ['test', 'rules', 'prometheus/alerts.test.yml']);
  judged(promtool!, ['check', 'config', '--syntax-only', 'prometheus/prometheus.yml']);
});

const systemd = programOf('systemd-analyze', 'systemd');
test.skipIf(!systemd)('systemd takes the units', () => {
  const units = readdirSync(join(DEPLOY, 'systemd')).map((name) => {
    // The programs of an installation are not on this machine.
    const text = read(`systemd/${name}`).replace(/^(ExecStart=)\/\S+/gm, '$1/bin/true');
    const copy = join(folder, name.replace('backup@.', 'backup@full.').replace('@.', '@api.'));
    writeFileSync(copy, text);
    // Each timer starts its own instance.
    if (name === 'krapao-backup@.service') writeFileSync(copy.replace('full', 'diff'), text);
    return copy;
  });
  expect(judged(systemd!, ['verify', ...units])).toBe('');
});

const pgbouncer = programOf('pgbouncer', 'pgbouncer');
test.skipIf(!pgbouncer)('PgBouncer starts with its configuration', async () => {
  const port = await freePort();
  const own = join(folder, 'pgbouncer');
  mkdirSync(own);
  writeFileSync(join(own, 'userlist.txt'), '"krapao_app" "x"\n');
  const text = read('pgbouncer/pgbouncer.ini')
    .replace(/^auth_file = .*/m, `auth_file = ${own}/userlist.txt`)
    .replace(/^listen_port = .*/m, `listen_port = ${port}`)
    .replace(/^listen_addr = .*/m, 'listen_addr = 127.0.0.1');
  writeFileSync(join(own, 'pgbouncer.ini'), text);
  // It does not run as root.
  const otherUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (otherUser.uid)
    for (const path of [folder, own, ...readdirSync(own).map((name) => join(own, name))])
      chownSync(path, otherUser.uid, otherUser.gid);
  const child = spawn(pgbouncer!, [join(own, 'pgbouncer.ini')], {
    ...otherUser,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    output += more;
  });
  const ended = once(child, 'exit');
  await expect.poll(() => output).toMatch(/process up/);
  child.kill('SIGINT');
  await ended;
  expect(output).not.toMatch(/ERROR|WARNING|FATAL/);
});

const pgbackrest = programOf('pgbackrest', 'pgbackrest');
const POSTGRES = '/usr/lib/postgresql/15/bin';
/** PostgreSQL does not run as root. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

test.skipIf(!pgbackrest)('pgBackRest knows every option of both configurations', () => {
  for (const file of ['pgbackrest.conf', 'pgbackrest.s3.conf']) {
    const needed = {
      PGBACKREST_REPO1_CIPHER_PASS: 'x',
      PGBACKREST_REPO1_S3_KEY: 'x',
      PGBACKREST_REPO1_S3_KEY_SECRET: 'x',
    };
    const options = [
      `--config=${join(DEPLOY, 'pgbackrest', file)}`,
      '--stanza=krapao',
      `--lock-path=${folder}`,
    ];
    const quiet = ['--log-level-file=off', '--log-level-stderr=off', '--log-level-console=warn'];
    expect(judged(pgbackrest!, [...options, ...quiet, 'stop'], needed), file).toBe('');
    judged(pgbackrest!, [...options, ...quiet, 'start'], needed);
  }
});

test.skipIf(!pgbackrest || !existsSync(join(POSTGRES, 'postgres')))(
  'PostgreSQL archives to pgBackRest with both files, and a backup can be taken',
  { timeout: 60_000 },
  async () => {
    const own = mkdtempSync('/tmp/krapao-archive-');
    const data = join(own, 'data');
    for (const path of ['repository', 'log', 'lock']) mkdirSync(join(own, path));
    const config = read('pgbackrest/pgbackrest.conf')
      .replace('repo1-path=/var/lib/pgbackrest', `repo1-path=${own}/repository`)
      .replace('pg1-path=/var/lib/postgresql/15/main', `pg1-path=${data}`);
    writeFileSync(join(own, 'pgbackrest.conf'), config);
    const port = await freePort();
    writeFileSync(
      join(own, 'postgresql.conf'),
      `${read('postgres/archiving.conf')}\nlisten_addresses = ''\nport = ${port}\nunix_socket_directories = '${own}'\n`,
    );
    if (asNobody.uid)
      for (const path of ['', ...readdirSync(own)]) chownSync(join(own, path), asNobody.uid, asNobody.gid);
    const env = {
      ...process.env,
      PGBACKREST_CONFIG: join(own, 'pgbackrest.conf'),
      PGBACKREST_REPO1_CIPHER_PASS: 'x',
      PGBACKREST_LOG_PATH: join(own, 'log'),
      PGBACKREST_LOCK_PATH: join(own, 'lock'),
      PGBACKREST_PG1_PORT: String(port),
      PGBACKREST_PG1_SOCKET_PATH: own,
      PGBACKREST_PG1_USER: 'postgres',
    };
    const run = (program: string, ...args: string[]) =>
      execFileSync(program, args, {
        ...asNobody,
        cwd: '/',
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    run(join(POSTGRES, 'initdb'), '-D', data, '-U', 'postgres', '--auth=trust', '--data-checksums');
    const options = `-c config_file=${own}/postgresql.conf -c data_directory=${data} -c hba_file=${data}/pg_hba.conf -c ident_file=${data}/pg_ident.conf`;
    run(
      join(POSTGRES, 'pg_ctl'),
      'start',
      '-w',
      '-D',
      data,
      '-l',
      join(own, 'log', 'postgres'),
      '-o',
      options,
    );
    try {
      const stanza = (...args: string[]) => run(pgbackrest!, '--stanza=krapao', ...args);
      stanza('stanza-create');
      expect(stanza('check')).not.toMatch(/WARN|ERROR/);
      stanza('--type=full', 'backup');
      expect(JSON.parse(stanza('info', '--output=json'))[0]).toMatchObject({
        status: { message: 'ok' },
        cipher: 'aes-256-cbc',
        backup: [{ type: 'full' }],
      });
    } finally {
      run(join(POSTGRES, 'pg_ctl'), 'stop', '-m', 'immediate', '-D', data);
      rmSync(own, { recursive: true });
    }
  },
);

test('Patroni archives nothing before there is a repository, and lets pgBackRest in', () => {
  const patroni = parse(read('patroni/patroni.yml')) as {
    bootstrap: { dcs: { postgresql: { parameters: Record<string, string> } } };
    postgresql: { data_dir: string; pg_hba: string[]; parameters: Record<string, string> };
  };
  const { parameters } = patroni.bootstrap.dcs.postgresql;
  expect(parameters).toMatchObject({ archive_mode: 'on', archive_command: '/bin/true' });
  expect(patroni.postgresql.pg_hba[0]).toBe('local all postgres peer');
  const s3 = read('pgbackrest/pgbackrest.s3.conf');
  expect(s3).toContain(`pg1-path=${patroni.postgresql.data_dir}\n`);
  expect(s3).toContain(`pg1-socket-path=${patroni.postgresql.parameters.unix_socket_directories}\n`);
});

test('what is run as a program may be run', () => {
  accessSync(join(DEPLOY, 'postgres/create.sh'), constants.X_OK);
});
