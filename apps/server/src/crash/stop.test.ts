import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestEnv, until } from '../testing/test-env.ts';
import { openScreen } from './fixtures/instances.ts';
import { databaseUrlOf, type RunningServer, send, startServer } from './fixtures/server.ts';

const env = await startTestEnv({ jobs: false });
const { config } = env.app.deps;
const running: RunningServer[] = [];
afterAll(() => Promise.all(running.map((server) => server.kill())));

async function start(more: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer({
    DATABASE_URL: await databaseUrlOf(env.pool),
    BANK_A_URL: config.BANK_A_URL,
    SMS_URL: config.SMS_URL,
    GAME_F_URL: config.GAME_F_URL,
    ...more,
  });
  running.push(server);
  return server;
}

const hasArrived = async (): Promise<boolean> => (await env.control('faults', {})).faults.length === 0;

/** A connection that stays open between calls, as browsers and proxies keep them. */
function keepOpen(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  return new Promise((done, fail) => {
    request(`${url}/healthz`, { agent }, (reply) => reply.resume().once('end', () => done()))
      .once('error', fail)
      .end();
  });
}

/** A connection that says nothing, as browsers open them ahead, or half a line. */
async function openQuietly(url: string, sent = ''): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  if (sent) socket.write(sent);
}

// A server that has not ended after 14 s ends itself with 1, so exit code 0 states that it ended in time.
describe('SIGTERM', () => {
  test('lets a running call end with its answer, tells the screens, and exits with 0', async () => {
    await env.set('game.timeoutSeconds', 5);
    const server = await start();
    const member = await env.member({ amountMinor: 100_000n });
    await env.call('POST', '/api/wallet/activate/betflix', undefined, { token: member.token });
    const screen = await openScreen(server.url, member.token);
    const hungUp = new Promise<string>((done) => screen.socket.once('disconnect', (reason) => done(reason)));
    await keepOpen(server.url);
    await openQuietly(server.url);
    await openQuietly(server.url, 'GET /api/wall');
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'delay', ms: 2000, count: 1 });
    const call = send(server.url, '/api/wallet/transfer', member.token, {
      from: 'wallet',
      to: 'betflix',
      amount: 100,
    });
    await until(hasArrived);
    const stopping = server.stop();
    const reply = await call;
    expect([reply.status, await reply.json()]).toMatchObject([200, { status: 'SUCCESS' }]);
    expect(['io server disconnect', 'transport close']).toContain(await hungUp);
    expect(await stopping).toBe(0);
    screen.socket.disconnect();
  });

  test('with STOP_DELAY_SECONDS is not ready and serves on, until proxies send nothing more', async () => {
    const server = await start({ STOP_DELAY_SECONDS: '120' });
    const member = await env.member({ amountMinor: 100_000n });
    void server.stop();
    await until(async () => (await fetch(`${server.url}/readyz`)).status === 503);
    const report = await (await fetch(`${server.url}/readyz`)).json();
    expect(report).toMatchObject({ failed: ['stopping'] });
    const reply = await send(server.url, '/api/wallet/withdraw', member.token, { amount: 100 });
    expect(reply.status).toBe(200);
    const brief = await start({ STOP_DELAY_SECONDS: '1' });
    expect(await brief.stop()).toBe(0);
  });

  test('does not wait for connections that upgraded, or requested it, and send nothing', async () => {
    const server = await start();
    const upgrade = (path: string) =>
      `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
      `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`;
    for (let count = 0; count < 50; count++) {
      await openQuietly(server.url, upgrade('/socket.io/?EIO=4&transport=websocket'));
      await openQuietly(server.url, upgrade('/api/elsewhere'));
    }
    await until(async () =>
      (await (await fetch(`${server.url}/metrics`)).text()).includes(
        'krapao_limit_used{resource="sockets"} 50',
      ),
    );
    expect(await server.stop()).toBe(0);
  });

  test('does not wait for callers who stop in the middle of sending, or of taking a file', async () => {
    const server = await start();
    const { id, token } = await env.member();
    await env.owner.query(
      `insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
       select $1::bigint, 1000 + n, 'ST' || $1::bigint || 'X' || n, 'transfer', 'SUCCESS', 'wallet', 'betflix', 100, now(), now()
       from generate_series(1, 80000) n`,
      [id],
    );
    const send = (path: string, type: string, length: number, body: string) =>
      openQuietly(
        server.url,
        `POST ${path} HTTP/1.1\r\nhost: x\r\nx-requested-with: wallet-user\r\nauthorization: Bearer ${token}\r\n` +
          `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`,
      );
    await send('/api/statement/csv', 'application/json', 2, '{}');
    await send('/api/wallet/withdraw', 'application/json', 15, '{"amount"');
    await send('/api/wallet/slip', 'multipart/form-data; boundary=x', 100_000, '--x\r\n');
    await until(async () => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return ['member_exports', 'upload_bytes'].every(
        (name) => !text.includes(`krapao_limit_used{resource="${name}"} 0`),
      );
    });
    expect(await server.stop()).toBe(0);
  });

  test('does not wait for a bank that stays silent, and the next start ends the payout', async () => {
    await env.set('bank.timeoutSeconds', 10);
    const server = await start();
    const member = await env.member({ amountMinor: 100_000n });
    await env.fault({ party: 'bank-a', call: 'payout', kind: 'delay', ms: 60_000, count: 1 });
    const reply = await send(server.url, '/api/wallet/withdraw', member.token, { amount: 100 });
    expect(reply.status).toBe(200);
    const { id } = (await reply.json()) as { id: string };
    await until(hasArrived);
    expect(await server.stop()).toBe(0);
    await env.set('bank.timeoutSeconds', 1);
    await start();
    await env.owner.query("update payout set touched_at = touched_at - interval '1 minute'");
    await env.app.runJob('withdrawals.sweep');
    await until(async () => {
      const { rows } = await env.pool.query('select status from withdrawal where id = $1', [id]);
      return rows[0].status === 'SUCCESS';
    });
  });

  test('sent while the server starts or twice ends it too', async () => {
    const server = await start();
    server.child.kill('SIGTERM');
    expect(await server.stop()).toBe(0);
  });
});
