import { io, type Socket } from 'socket.io-client';
import { afterAll, expect, test } from 'vitest';
import { startTestEnv, until } from '../testing/test-env.ts';
import { databaseUrlOf, send, startServer } from './fixtures/server.ts';

const env = await startTestEnv();
const { config } = env.app.deps;
const server = await startServer({
  DATABASE_URL: await databaseUrlOf(env.pool),
  BANK_A_URL: config.BANK_A_URL,
  SMS_URL: config.SMS_URL,
  GAME_F_URL: config.GAME_F_URL,
});
afterAll(() => server.kill());

/** Blocks reading events from the outbox; postings still write them. */
async function holdBack(): Promise<() => Promise<unknown>> {
  await env.owner.query('revoke select, update, delete on outbox from krapao_app');
  return () => env.owner.query('grant select, update, delete on outbox to krapao_app');
}

test('a server killed between posting and sending: every event still arrives, from the other server', async () => {
  const members = await Promise.all(Array.from({ length: 5 }, () => env.member({ amountMinor: 1_000_000n })));
  const received = new Map<string, Set<string>>();
  const sockets: Socket[] = [];
  for (const member of members) {
    await env.call('POST', '/api/wallet/activate/betflix', undefined, { token: member.token });
    const notices = new Set<string>();
    received.set(member.phone, notices);
    const socket = io(env.url, { transports: ['websocket'], auth: { token: member.token } });
    socket.on('notice', (notice: { id: string }) => notices.add(notice.id));
    await new Promise<void>((done) => socket.once('connect', () => done()));
    sockets.push(socket);
  }
  await until(
    async () => (await env.pool.query('select count(*)::int as rows from outbox')).rows[0].rows === 0,
  );

  const release = await holdBack();
  const sent = new Map<string, string[]>();
  for (const member of members) {
    const moves: Record<string, unknown>[] = [];
    for (const [from, to] of [
      ['wallet', 'betflix'],
      ['betflix', 'wallet'],
    ]) {
      const reply = await send(server.url, '/api/wallet/transfer', member.token, { from, to, amount: 100 });
      expect(reply.status).toBe(200);
      moves.push((await reply.json()) as Record<string, unknown>);
    }
    sent.set(
      member.phone,
      moves.map((one) => String(one.id)),
    );
  }
  expect([...received.values()].every((notices) => notices.size === 0)).toBe(true);
  await server.kill();
  await release();

  for (const member of members)
    await until(async () => sent.get(member.phone)!.every((id) => received.get(member.phone)!.has(id)));
  for (const socket of sockets) socket.disconnect();
  const { rows } = await env.pool.query('select 1 from outbox');
  expect(rows).toEqual([]);
});
