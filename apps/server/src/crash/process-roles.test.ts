import { io } from 'socket.io-client';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../testing/ports.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { openScreen } from './fixtures/instances.ts';
import { databaseUrlOf, type RunningServer, send, startServer } from './fixtures/server.ts';

const env = await startTestEnv({ jobs: false });
const { config } = env.app.deps;
const running: RunningServer[] = [];
afterAll(() => Promise.all(running.map((server) => server.kill())));

async function start(role: string): Promise<RunningServer & { consoleUrl: string }> {
  const consolePort = String(await freePort());
  const server = await startServer({
    DATABASE_URL: await databaseUrlOf(env.pool),
    ROLES: role,
    CONSOLE_PORT: consolePort,
    BANK_A_URL: config.BANK_A_URL,
    SMS_URL: config.SMS_URL,
    GAME_F_URL: config.GAME_F_URL,
  });
  running.push(server);
  return { ...server, consoleUrl: `http://127.0.0.1:${consolePort}` };
}

const [api, operators, worker] = await Promise.all([start('api'), start('console'), start('worker')]);

const statusOf = (url: string): Promise<number | 'refused'> =>
  fetch(url).then(
    (reply) => reply.status,
    () => 'refused' as const,
  );

test('each process answers health and metrics, and of the calls those of its role', async () => {
  for (const { url } of [api, operators, worker])
    for (const path of ['/healthz', '/readyz', '/metrics']) expect(await statusOf(url + path)).toBe(200);
  const calls = ({ url, consoleUrl }: typeof api) =>
    Promise.all([statusOf(`${url}/api/lookup/banks`), statusOf(`${consoleUrl}/api/operator/me`)]);
  expect(await calls(api)).toEqual([200, 'refused']);
  expect(await calls(operators)).toEqual([404, 401]);
  expect(await calls(worker)).toEqual([404, 'refused']);
});

test('a process without the role api takes no live connection', async () => {
  const socket = io(worker.url, { transports: ['websocket'], reconnection: false });
  const failed = new Promise<string>((done) => {
    socket.once('connect_error', (error) => done(error.message));
    socket.once('connect', () => done('connected'));
  });
  expect(await failed).not.toBe('connected');
  socket.close();
});

test('the worker pays what the api took, and the member’s screen at the api follows', async () => {
  const member = await env.member({ amountMinor: 100_000n });
  const screen = await openScreen(api.url, member.token);
  const notices: { kind?: string }[] = [];
  screen.socket.on('notice', (notice) => notices.push(notice));
  const reply = await send(api.url, '/api/wallet/withdraw', member.token, { amount: 300 });
  expect(reply.status).toBe(200);
  const status = async () =>
    (await env.pool.query('select status from withdrawal where member_id = $1', [member.id])).rows[0].status;
  await until(async () => (await status()) === 'SUCCESS');
  await until(async () => notices.some(({ kind }) => kind === 'withdraw'));
  screen.socket.close();
});

test('without a worker a withdrawal waits, and the next worker pays it', async () => {
  expect(await worker.stop()).toBe(0);
  const member = await env.member({ amountMinor: 100_000n });
  const reply = await send(api.url, '/api/wallet/withdraw', member.token, { amount: 300 });
  expect(await reply.json()).toMatchObject({ status: 'PENDING' });
  const { rows } = await env.pool.query('select status from withdrawal where member_id = $1', [member.id]);
  expect(rows[0].status).not.toBe('SUCCESS');
  await start('worker');
  await until(async () => {
    const sql = 'select status from withdrawal where member_id = $1';
    return (await env.pool.query(sql, [member.id])).rows[0].status === 'SUCCESS';
  });
});
