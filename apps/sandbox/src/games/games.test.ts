import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, startTestEnv, type TestEnv } from '../testing/test-env.ts';
import { AGENTS } from './agents.ts';
import { reelsReturn, waysOf } from './reels.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
beforeEach(async () => {
  await env.control('reset', { seed: 1 });
});
afterAll(() => env.stop());

const kp1 = { username: 'kp1', password: 'pass1234' };
const join = async (agent: string, amount = '100.00') => {
  await env.game(agent, 'user/register', kp1);
  await env.game(agent, 'user/transfer', { username: 'kp1', amount, ref: `${agent}-in` });
};
const code = async (path: string, form: Record<string, string>) =>
  (await env.game('betflix', path, form)).body.error_code;

describe('accounts', () => {
  test.each(Object.keys(AGENTS).filter((agent) => AGENTS[agent]!.style === 'F'))(
    '%s registers, funds and reports a player',
    async (agent) => {
      await join(agent);
      const { body } = await env.game(agent, 'user/balance', { username: 'KP1' });
      expect(body.data).toEqual({ username: 'kp1', balance: '100.00', outstanding: '0.00' });
      const { body: credit } = await env.game(agent, 'agent/balance');
      expect(credit.data.balance).toBe('999900.00');
    },
  );

  test('refusals carry the documented codes, with HTTP 200', async () => {
    await join('betflix');
    expect(await code('user/register', kp1)).toBe(1001);
    expect(await code('user/balance', { username: 'nobody' })).toBe(1002);
    expect(await code('user/register', { username: 'other', password: 'x' })).toBe(1003);
    expect(await code('user/register', { username: '!', password: 'pass1234' })).toBe(1004);
    expect(await code('user/transfer', { username: 'kp1', amount: '-100.01', ref: 'a' })).toBe(2001);
    expect(await code('user/transfer', { username: 'kp1', amount: '9999999.00', ref: 'b' })).toBe(2002);
    expect(await code('user/transfer/status', { ref: 'never' })).toBe(2004);
    for (const amount of ['0', 'x', '1.001', ''])
      expect(await code('user/transfer', { username: 'kp1', amount, ref: 'c' })).toBe(2005);
    expect(await code('user/transfer', { username: 'kp1', amount: '1', ref: '' })).toBe(9004);
    expect(await code('user/transfer', { username: 'kp1', amount: '1', ref: 'taken' })).toBeUndefined();
    expect(await code('user/transfer', { username: 'kp1', amount: '2', ref: 'taken' })).toBe(2006);
    expect(await code('report/summary', { username: 'kp1', start: 'x', end: 'y' })).toBe(9004);
    const wrong = await env.game('betflix', 'user/balance', {}, { 'x-api-key': 'no' });
    expect([wrong.status, wrong.body.error_code]).toEqual([200, 9003]);
    expect((await env.game('nobody', 'user/balance')).body.error_code).toBe(9003);
    const asJson = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await call(`${env.sandbox.url}/outside/game-f/betflix/v4/user/balance`, asJson)).status).toBe(
      400,
    );
    expect((await call(`${env.sandbox.url}/outside/game-f/betflix/v4/none`, { method: 'POST' })).status).toBe(
      404,
    );
  });

  test('a transfer happens once for each ref', async () => {
    await join('betflix');
    const move = { username: 'kp1', amount: '-40.00', ref: 'out1' };
    const first = await env.game('betflix', 'user/transfer', move);
    expect(first.body.data).toEqual({ ref: 'out1', amount: '-40.00', balance: '60.00' });
    expect((await env.game('betflix', 'user/transfer', move)).body).toEqual(first.body);
    expect(await code('user/transfer', { ...move, amount: '-1.00' })).toBe(2006);
    const status = await env.game('betflix', 'user/transfer/status', { ref: 'out1' });
    expect(status.body.data).toEqual({ ref: 'out1', username: 'kp1', amount: '-40.00', state: 'DONE' });
    expect((await env.game('betflix', 'user/balance', kp1)).body.data.balance).toBe('60.00');
  });

  test('racing out-transfers never take a balance below zero', async () => {
    await join('betflix');
    const moves = Array.from({ length: 8 }, (_, index) =>
      env.game('betflix', 'user/transfer', { username: 'kp1', amount: '-30.00', ref: `race${index}` }),
    );
    const done = (await Promise.all(moves)).filter(({ body }) => body.status === 'success');
    expect(done).toHaveLength(3);
    expect((await env.game('betflix', 'user/balance', kp1)).body.data.balance).toBe('10.00');
  });
});

describe('play link', () => {
  const open = async (): Promise<string> =>
    (
      await env.game('betflix', 'play/login', {
        username: 'kp1',
        lang: 'en',
        returnUrl: 'http://127.0.0.1:3000/user',
      })
    ).body.data.url;
  const follow = (url: string) => fetch(url, { redirect: 'manual' });

  test('works once', async () => {
    await join('betflix');
    const url = await open();
    const first = await follow(url);
    const cookie = first.headers.getSetCookie().map((line) => line.split(';')[0]);
    expect(first.headers.get('location')).toBe('/games/betflix/play');
    const page = await call(`${env.sandbox.url}/games/betflix/play`, {
      headers: { cookie: cookie.join('; ') },
    });
    expect(page.text).toContain('Back to the wallet');
    expect((await follow(url)).headers.get('location')).toContain('badTicket');
  });

  test('ends after 60 seconds, at its own agent only, and with the password', async () => {
    await join('betflix');
    const late = await open();
    await env.control('clock', { advanceMs: 60_000 });
    expect((await follow(late)).headers.get('location')).toContain('badTicket');
    const other = (await open()).replace('/games/betflix/', '/games/imi/');
    expect((await follow(other)).headers.get('location')).toContain('badTicket');
    const session = (await follow(await open())).headers.getSetCookie()[0]!.split(';')[0]!;
    await env.game('betflix', 'user/password', { username: 'kp1', password: 'changed1' });
    const page = await call(`${env.sandbox.url}/games/betflix/play`, { headers: { cookie: session } });
    expect(page.text).toContain('name="password"');
  });
});

describe('rounds', () => {
  const play = (agent: string, result: string, rounds = 5) =>
    env.control('play', { agent, username: 'kp1', rounds, result, stake: '1.00' });

  test.each(['betflix', 'imi', 'huayhd'])('%s plays wins and losses on demand', async (agent) => {
    await join(agent);
    const won = await play(agent, 'win');
    expect(won.body.rounds.every((round: { payout: string }) => Number(round.payout) > 1)).toBe(true);
    const before = Number(won.body.balance);
    expect(Number((await play(agent, 'lose')).body.balance)).toBe(before - 5);
  });

  test('stop where the credits end, and need a player', async () => {
    await join('betflix', '3.00');
    expect((await play('betflix', 'lose')).body).toMatchObject({
      balance: '0.00',
      stoppedBy: 'NOT_ENOUGH_CREDIT',
    });
    expect((await play('betflix', 'lose')).status).toBe(409);
    expect((await env.control('play', { agent: 'imi', username: 'x', stake: 1 })).status).toBe(404);
  });

  test('the summary counts what settled in the span', async () => {
    await join('betflix');
    await play('betflix', 'lose', 4);
    const now = Date.now();
    const summary = async (start: number, end: number) => {
      const form = {
        username: 'kp1',
        start: new Date(start).toISOString(),
        end: new Date(end).toISOString(),
      };
      return (await env.game('betflix', 'report/summary', form)).body.data;
    };
    expect(await summary(now - 60_000, now + 60_000)).toEqual({ turnover: '4.00', winloss: '-4.00' });
    expect(await summary(now + 60_000, now + 120_000)).toEqual({ turnover: '0.00', winloss: '0.00' });
  });

  test('a match stays outstanding until the whistle', async () => {
    await join('imi');
    await env.control('clock', { freeze: true });
    const login = await fetch(`${env.sandbox.url}/games/imi/login`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(kp1),
    });
    const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!;
    const body = new URLSearchParams({ stake: '10', pick: 'home' });
    await fetch(`${env.sandbox.url}/games/imi/bet`, {
      method: 'POST',
      headers: { cookie },
      body,
      redirect: 'manual',
    });
    const balance = async () => (await env.game('imi', 'user/balance', kp1)).body.data;
    expect(await balance()).toMatchObject({ balance: '90.00', outstanding: '10.00' });
    await env.control('clock', { advanceMs: 10_000 });
    expect((await balance()).outstanding).toBe('0.00');
  });

  test('the same seed and the same calls draw the same', async () => {
    const run = async (seed: number) => {
      await env.control('reset', { seed });
      await join('betflix');
      return (await play('betflix', 'fair', 50)).body.rounds.map((round: { drawn: string }) => round.drawn);
    };
    const first = await run(42);
    expect(await run(42)).toEqual(first);
    expect(await run(43)).not.toEqual(first);
  });
});

test('the reels’ table is what the rules page says', () => {
  expect(reelsReturn()).toBeCloseTo(1588 / 1728, 10);
  expect([waysOf('naga', 3), waysOf('naga', 2), waysOf('lantern', 2)]).toEqual([1, 33, 120]);
});
