import { createHmac } from 'node:crypto';
import { gameJ } from '@krapao/contract/outside';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, startTestEnv, type TestEnv } from '../testing/test-env.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
beforeEach(async () => {
  await env.control('reset', { seed: 1 });
});
afterAll(() => env.stop());

const sign = (agent: string, text: string) =>
  createHmac('sha256', `sandbox-${agent}-secret`).update(text).digest('hex');

/** One signed call; `more` replaces what is sent. */
async function request(
  agent: string,
  path: string,
  body: object,
  more: { signature?: string; madeAt?: number } = {},
) {
  const text = JSON.stringify({ madeAt: more.madeAt ?? Date.now(), ...body });
  return call(`${env.sandbox.url}/outside/game-j/${agent}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': more.signature ?? sign(agent, text) },
    body: text,
  });
}

const player = { username: 'kp100' };
const join = async (credits = 100) => {
  await request('pg', 'players', { ...player, password: 'pass1234' });
  return request('pg', 'deposit', { ...player, credits, reference: 'in1' });
};

test('accepts only a recent signature of these bytes with this agent’s secret', async () => {
  await join();
  for (const more of [
    { signature: '00' },
    { signature: '' },
    { signature: sign('pgslot', '{}') },
    { madeAt: Date.now() - 400_000 },
  ])
    expect(await request('pg', 'credit', player, more)).toMatchObject({
      status: 401,
      body: { code: 'BAD_SIGNATURE' },
    });
  expect((await request('betflix', 'credit', player)).status).toBe(401);
  expect((await request('pg', 'credit', { username: 7 })).status).toBe(400);
  expect((await request('pg', 'none', {})).status).toBe(404);
});

describe('a player', () => {
  test('is created once, reported in upper case, with their event where there is one', async () => {
    const created = await request('askmebet', 'players', { ...player, password: 'pass1234' });
    expect(created.body).toEqual({ username: 'KP100', event: 'SEASON-1' });
    expect((await request('askmebet', 'players', { ...player, password: 'pass1234' })).body.code).toBe(
      'PLAYER_EXISTS',
    );
    expect((await request('askmebet', 'credit', { username: 'nobody' })).body.code).toBe('NO_PLAYER');
    expect((await request('pg', 'players', { ...player, password: 'pass1234' })).body).toEqual({
      username: 'KP100',
    });
  });

  test('moves whole credits once for each reference, and never below zero', async () => {
    expect((await join()).body).toMatchObject({ direction: 'IN', credits: 100, balance: '100.00' });
    expect((await join()).body).toMatchObject({ balance: '100.00' });
    const out = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        request('pg', 'withdraw', { ...player, credits: 30, reference: `out${at}` }),
      ),
    );
    expect(out.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await request('pg', 'credit', player)).body.balance).toBe('10.00');
    expect((await request('pg', 'deposit', { ...player, credits: 1.5, reference: 'x' })).status).toBe(400);
    expect((await request('pg', 'transaction', { reference: 'out0' })).body).toMatchObject({
      direction: 'OUT',
      credits: 30,
    });
    expect((await request('pg', 'transaction', { reference: 'never' })).body.code).toBe('NO_TRANSACTION');
  });

  test('plays by a link that works once, and their rounds are reported in order since a cursor', async () => {
    await join();
    const { body } = await request('pg', 'launch', {
      ...player,
      language: 'en',
      returnUrl: 'http://127.0.0.1:3000',
      device: 'mobile',
    });
    const enters = async () =>
      (await fetch(body.url, { redirect: 'manual' })).headers.get('set-cookie') !== null;
    expect([await enters(), await enters()]).toEqual([true, false]);
    await env.control('play', { agent: 'pg', username: 'kp100', rounds: 5, stake: 1, result: 'lose' });
    const first = (await request('pg', 'rounds', { cursor: '', limit: 3 })).body;
    expect(Value.Check(gameJ.RoundsReply, first)).toBe(true);
    const rest = (await request('pg', 'rounds', { cursor: first.next, limit: 3 })).body;
    expect([first.rounds.length, rest.rounds.length]).toEqual([3, 2]);
    expect((await request('pg', 'rounds', { cursor: rest.next, limit: 3 })).body).toEqual({
      rounds: [],
      next: rest.next,
    });
  });
});
