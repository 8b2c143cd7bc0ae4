import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbedded } from './embedded.ts';
import {
  cleanUp,
  folder,
  isRoot,
  isRunning,
  postmasterOf,
  request,
  start,
  until,
  userOf,
  writer,
} from './fixtures/embedded.ts';
import { processesIn } from './postmaster.ts';

const SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'TimeZone'];

test("a first start is durable, closed to the network and independent of the host's languages", async () => {
  const dataDir = folder();
  const server = await start({ dataDir });
  const found = await request(
    server,
    `select ${SETTINGS.map((name) => `current_setting('${name}') as "${name}"`)}`,
  );
  expect(found[0]).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    TimeZone: 'UTC',
  });
  const sql =
    'select datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding from pg_database limit 1';
  expect((await request(server, sql))[0]).toEqual({
    datlocprovider: 'b',
    datlocale: 'C.UTF-8',
    encoding: 'UTF8',
  });
  expect(server.host).toBe(join(dataDir, 'postgres', 'socket'));
  expect(statSync(server.host).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'postgres', 'secret')).mode & 0o777).toBe(0o600);
});

test('a stop is clean, and the next start finds the data', async () => {
  const dataDir = folder();
  const first = await start({ dataDir });
  await request(first, 'create table kept (id int); insert into kept values (7)');
  const pid = postmasterOf(dataDir);
  // Somebody looking around in the folder must not be taken for the server.
  const visitor = spawn('sleep', ['60'], { cwd: join(dataDir, 'postgres', 'cluster') });
  cleanUp(() => visitor.kill());
  await first.stop();
  await until(() => !isRunning(pid));
  expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false);
  const second = await start({ dataDir });
  expect(await request(second, 'select id from kept')).toEqual([{ id: 7 }]);
  expect(readFileSync(join(dataDir, 'postgres', 'postgres.log'), 'utf8')).not.toContain(
    'not properly shut down',
  );
});

test('after SIGKILL of the Node process the orphan is adopted with every acknowledged row', async () => {
  const dataDir = folder();
  const other = await writer(dataDir);
  await until(() => other.acknowledged() > 20);
  const orphan = postmasterOf(dataDir);
  other.child.kill('SIGKILL');
  await other.exited;
  const server = await start({ dataDir });
  expect(postmasterOf(dataDir)).toBe(orphan);
  const rows = await request(server, 'select count(*)::int as n from written');
  expect(rows[0]?.n).toBeGreaterThanOrEqual(other.acknowledged());
  // The server hears of its users' death a moment later.
  const keepers = "select 1 from pg_stat_activity where application_name = 'krapao keeper'";
  await until(async () => (await request(server, keepers)).length === 1);
  await server.stop();
  // PostgreSQL removes its pid file a moment before its process ends.
  await until(() => !isRunning(orphan));
});

test('after SIGKILL of Node and PostgreSQL together every acknowledged row is there', async () => {
  const dataDir = folder();
  const other = await writer(dataDir);
  await until(() => other.acknowledged() > 20);
  other.child.kill('SIGKILL');
  process.kill(postmasterOf(dataDir), 'SIGKILL');
  await other.exited;
  const server = await start({ dataDir });
  const rows = await request(server, 'select count(*)::int as n from written');
  expect(rows[0]?.n).toBeGreaterThanOrEqual(other.acknowledged());
});

test('a database that dies is started again at the same address, and one line says so', async () => {
  const dataDir = folder();
  const server = await start({ dataDir });
  const pid = postmasterOf(dataDir);
  process.kill(pid, 'SIGKILL');
  await until(() => server.lines.length === 2);
  expect(server.lines).toEqual([
    'database: PostgreSQL went away; starting it again',
    'database: PostgreSQL is back',
  ]);
  expect(await request(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(postmasterOf(dataDir)).not.toBe(pid);
});

test('a stop in the middle of a restart ends, and leaves no server behind', async () => {
  const dataDir = folder();
  const server = await start({ dataDir });
  process.kill(postmasterOf(dataDir), 'SIGKILL');
  await until(() => server.lines.length > 0);
  await server.stop();
  // Backends of the killed server end by themselves a moment after it.
  await until(() => processesIn(join(dataDir, 'postgres', 'cluster')).length === 0);
});

test('a keeper cut off by an administrator comes back without a restart', async () => {
  const dataDir = folder();
  const server = await start({ dataDir });
  const pid = postmasterOf(dataDir);
  await request(
    server,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'krapao keeper'",
  );
  await until(() => server.lines.at(-1) === 'database: PostgreSQL is back');
  expect(postmasterOf(dataDir)).toBe(pid);
});

test('two processes starting at once share one server, and the last to stop ends it', async () => {
  const dataDir = folder();
  const [one, two] = await Promise.all([start({ dataDir }), writer(dataDir)]);
  const pid = postmasterOf(dataDir);
  await one.stop();
  const before = two.acknowledged();
  await until(() => two.acknowledged() > before);
  two.child.kill('SIGTERM');
  expect(await two.exited).toBe(0);
  await until(() => !isRunning(pid));
});

test('a stop ends though another program starts the server again in that moment', async () => {
  const dataDir = folder();
  const first = await start({ dataDir });
  const stopped = first.stop();
  const next = await start({ dataDir });
  await stopped;
  expect(await request(next, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a stale postmaster.pid whose number now is another process is set aside, not deleted', async () => {
  const dataDir = folder();
  await (await start({ dataDir })).stop();
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  // A sibling PostgreSQL of the same user has taken the number: the server itself would refuse to start.
  const sibling = folder();
  await start({ dataDir: sibling });
  writeFileSync(file, `${postmasterOf(sibling)}\n${dataDir}\n1\n5432\n${dataDir}\n\n  1 2\nready\n`);
  const server = await start({ dataDir });
  expect(await request(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(readFileSync(`${file}.stale`, 'utf8')).toContain(String(postmasterOf(sibling)));
});

test('of several programs that start a dead server again, none takes the lock of the one that is faster', async () => {
  const dataDir = folder();
  const servers = [await start({ dataDir }), await start({ dataDir }), await start({ dataDir })];
  for (let round = 0; round < 12; round++) {
    const pid = postmasterOf(dataDir);
    process.kill(pid, 'SIGKILL');
    await until(() => !isRunning(pid));
    const isBack = () =>
      request(servers[0]!, 'select 1').then(
        () => postmasterOf(dataDir) !== pid,
        () => false,
      );
    await until(isBack);
    await until(() =>
      servers.every(({ lines }) => lines.filter((line) => line.includes('is back')).length > round),
    );
    expect(isRunning(postmasterOf(dataDir))).toBe(true);
  }
});

test('a postmaster.pid of a dead process does not stop a start', async () => {
  const dataDir = folder();
  await (await start({ dataDir })).stop();
  writeFileSync(
    join(dataDir, 'postgres', 'cluster', 'postmaster.pid'),
    `4194000\n${dataDir}\n1\n5432\n${dataDir}\n\n  1 2\nready\n`,
  );
  expect(await request(await start({ dataDir }), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a server that does not know our secret is refused, and its files stay', async () => {
  const dataDir = folder();
  await start({ dataDir });
  const pid = postmasterOf(dataDir);
  const secret = join(dataDir, 'postgres', 'secret');
  writeFileSync(secret, 'somebody else');
  await expect(startEmbedded({ dataDir, startTimeoutMs: 500 })).rejects.toThrow(
    'does not answer as our database',
  );
  expect(postmasterOf(dataDir)).toBe(pid);
});

test('a first start that was killed halfway leaves nothing that is taken for a cluster', async () => {
  const dataDir = folder();
  const other = writer(dataDir).catch((error) => error);
  await until(() => existsSync(join(dataDir, 'postgres', 'postgres.log')));
  expect(existsSync(join(dataDir, 'postgres', 'cluster'))).toBe(false);
  const draft = readdirSync(join(dataDir, 'postgres')).find((name) => name.includes('draft'));
  expect(draft).toBeDefined();
  for (const pid of processesIn(join(dataDir, 'postgres', draft ?? ''))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // initdb starts and ends helpers all the time: one may be gone since it was listed.
      expect((error as NodeJS.ErrnoException).code).toBe('ESRCH');
    }
  }
  cleanUp(() => other);
  expect(await request(await start({ dataDir }), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a path too long for a Unix socket gets a short private folder instead', async () => {
  const dataDir = join(folder(), 'ก'.repeat(40));
  const server = await start({ dataDir });
  expect(Buffer.byteLength(join(server.host, '.s.PGSQL.5432'))).toBeLessThanOrEqual(107);
  expect(statSync(server.host).mode & 0o777).toBe(0o700);
  const second = await start({ dataDir });
  expect(second.host).toBe(server.host);
  if (isRoot) expect(userOf(postmasterOf(dataDir))).toBe(65_534);
});

test('where sockets do not exist loopback asks for the password', async () => {
  const server = await start({ dataDir: folder(), transport: 'loopback' });
  expect(server.host).toBe('127.0.0.1');
  expect(await request(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  await expect(request({ ...server, password: 'guessed' }, 'select 1')).rejects.toThrow(
    'password authentication failed',
  );
});
