import { afterAll, describe, expect, test } from 'vitest';
import { chatHelpers } from '../features/chat/testing-chat.ts';
import { gameHelpers } from '../features/games/testing-games.ts';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { WITHDRAWAL_CHECK } from '../features/withdrawals/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { changeSetting } from '../platform/settings.ts';
import { startTestEnv, until } from '../testing/test-env.ts';
import { anotherInstance, openScreen } from './fixtures/instances.ts';

const env = await startTestEnv();
const [second, third] = [await anotherInstance(env), await anotherInstance(env)];
afterAll(async () => {
  await second.close();
  await third.close();
});
const apps = [env.app, second.app, third.app];
const urls = [env.url, second.url, third.url];

const get = async (url: string, path: string, token: string) => {
  const reply = await fetch(url + path, {
    headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'wallet-user' },
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};

describe('three servers on one database', () => {
  test('close an expired QR once, and record the late payment as unmatched once', async () => {
    const member = await env.member();
    const qr = await env.call('POST', '/api/qrcode/KBANK', { amount: 100 }, { token: member.token });
    await env.owner.query("update qr set expires_at = now() - interval '1 second' where id = $1", [
      qr.body.reference,
    ]);
    const changes = (
      await Promise.all(
        apps.map(async (app) => {
          await app.runJob('qr.expire');
          const { rows } = await env.pool.query(
            'select xmin::text as version, status from qr where id = $1',
            [qr.body.reference],
          );
          return rows[0];
        }),
      )
    ).map((row) => `${row.status} ${row.version}`);
    expect(new Set(changes).size).toBe(1);
    expect(changes[0]).toMatch(/^EXPIRED/);
    await env.control('pay-qr', { payload: qr.body.payload, phone: member.phone });
    await until(
      async () =>
        (await env.pool.query("select 1 from bank_transaction where state = 'UNMATCHED'")).rows.length > 0,
    );
    await Promise.all(apps.map((app) => app.runJob('deposits.ask')));
    expect((await env.pool.query('select 1 from bank_transaction')).rows).toHaveLength(1);
    expect(await env.balance(member)).toBe(0n);
  });

  test('pay each of thirty withdrawals once although all three work the queue', async () => {
    const members = await Promise.all(
      Array.from({ length: 30 }, () => env.member({ amountMinor: 100_000n })),
    );
    const ids = await Promise.all(
      members.map(async (member, at) => {
        const reply = await fetch(`${urls[at % 3]}/api/wallet/withdraw`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-requested-with': 'wallet-user',
            authorization: `Bearer ${member.token}`,
          },
          body: '{"amount":200}',
        });
        expect(reply.status).toBe(200);
        return ((await reply.json()) as { id: string }).id;
      }),
    );
    await Promise.all(
      apps.flatMap((app) => [app.runJob('withdrawals.pay'), app.runJob('withdrawals.sweep')]),
    );
    await until(async () => {
      const { rows } = await env.pool.query(
        "select 1 from withdrawal where id = any($1) and status = 'SUCCESS'",
        [ids],
      );
      return rows.length === ids.length;
    });
    const { entries } = await env.control(`log?party=bank-a&call=payout&limit=1000`);
    const orders = entries.map((entry: { reference: string }) => entry.reference);
    expect(orders.sort()).toEqual([...ids].sort());
    for (const member of members) expect(await env.balance(member)).toBe(80_000n);
  });

  test('pay one refund once, for calls to any instance and any number of concurrent sums', async () => {
    const member = await env.member({ amountMinor: 10_000n });
    const games = gameHelpers(env);
    await games.open(member, 'betflix');
    await games.transfer(member, 'wallet', 'betflix', 100);
    await games.play(member, 'betflix', 100, 'lose');
    const forty = (path: string) =>
      Promise.all(
        Array.from({ length: 40 }, async (_, at) => (await get(urls[at % 3]!, path, member.token)).status),
      );
    const added = apps.map((app) => app.runJob('refunds.addUp'));
    const received = await forty('/api/refund/receive');
    await Promise.all(added);
    expect(received.filter((status) => status === 200)).toHaveLength(1);
    expect((await forty('/api/refund/addWallet')).filter((status) => status === 200)).toHaveLength(1);
    expect(await env.balance(member)).toBe(500n);
  });

  test('end a session everywhere: its calls and its screens', async () => {
    const member = await env.member();
    const screens = await Promise.all(urls.map((url) => openScreen(url, member.token)));
    const reply = await fetch(`${second.url}/api/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member.token}`, 'x-requested-with': 'wallet-user' },
    });
    expect(reply.status).toBe(200);
    for (const url of urls)
      expect(await get(url, '/api/wallet', member.token)).toMatchObject({
        status: 401,
        body: { message: 'INVALID_USER_2' },
      });
    for (const screen of screens) {
      await until(async () => !screen.socket.connected);
      expect(screen.received).toContainEqual({ event: 'ended', payload: { message: 'INVALID_USER_2' } });
    }
  });

  test('follow a changed setting by its notification', async () => {
    await changeSetting(env.owner, 'withdraw.minimum', { BAHT: 123, LAK: 9 }, new Date());
    await until(async () => apps.every((app) => app.deps.settings.get('withdraw.minimum').BAHT === 123));
  });

  test('tell a screen on one of a deposit that was confirmed at another', async () => {
    const member = await env.member();
    const screens = await Promise.all(urls.slice(1).map((url) => openScreen(url, member.token)));
    const qr = await env.call('POST', '/api/qrcode/KBANK', { amount: 150 }, { token: member.token });
    await env.control('pay-qr', { payload: qr.body.payload, phone: member.phone });
    for (const { received, socket } of screens) {
      await until(async () => received.some(({ event }) => event === 'notice'));
      expect(received).toContainEqual({
        event: 'notice',
        payload: expect.objectContaining({ kind: 'deposit', amount: 150, status: 'SUCCESS' }),
      });
      expect(received).toContainEqual({ event: 'wallet', payload: expect.objectContaining({ amount: 150 }) });
      socket.disconnect();
    }
  });

  test('receive every message of a conversation once and in one order, from any instance', async () => {
    const { guest, listen, closeSockets } = chatHelpers(env);
    const { PREFIX } = (await env.call('GET', '/api/chat/config')).body;
    const [member, visitor] = [await env.member(), guest()];
    for (const [pageName, as] of [
      [`${PREFIX}-${member.id}`, { token: member.token }],
      [`${PREFIX}-${visitor.guestId}`, { guestId: visitor.guestId }],
    ] as const) {
      const token = 'token' in as ? as.token : undefined;
      const screens = await Promise.all(urls.map((url) => listen([pageName], token, url)));
      const say = async (url: string, message: string): Promise<string> => {
        const reply = await fetch(`${url}/api/chat/send-message`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-requested-with': 'wallet-user',
            ...(token ? { authorization: `Bearer ${token}` } : {}),
          },
          body: JSON.stringify({
            ...('guestId' in as ? as : {}),
            message: { message_type: 'text', payload: { message } },
          }),
        });
        expect(reply.status).toBe(200);
        return ((await reply.json()) as { _id: string })._id;
      };
      await expect
        .poll(async () => {
          await Promise.all(urls.map((url) => say(url, 'are you there')));
          return screens.every(({ received }) => received.length > 0);
        })
        .toBe(true);
      const ids = (await Promise.all(Array.from({ length: 12 }, (_, n) => say(urls[n % 3]!, `word ${n}`))))
        .map(Number)
        .sort((a, b) => a - b);
      for (const { received } of screens)
        await expect.poll(() => received.slice(-12).map(({ _id }) => Number(_id))).toEqual(ids);
    }
    closeSockets();
  });
});

test('the books are right after all of this', async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});
