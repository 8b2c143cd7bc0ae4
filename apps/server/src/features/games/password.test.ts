import { afterAll, describe, expect, test } from 'vitest';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { pass, pushedClock } from '../testing.ts';
import { gameHelpers } from './testing-games.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { get, open, sandbox } = gameHelpers(env);
const aMinute = () => pass(env, clock, 61_000);
afterAll(async () => {
  const { rows } = await env.pool.query(
    'select count(*)::int as open from game_account where next_password_sealed is not null',
  );
  expect(rows[0].open).toBe(0);
});

const reset = (member: TestMember, slot: string) => get(member, `/api/wallet/resetpassword/${slot}`);
const read = (member: TestMember, slot: string) => get(member, `/api/wallet/account/${slot}`);

/** Whether the provider's own log-in page takes the pair. */
async function logsIn(slot: string, pair: { username: string; password: string }): Promise<boolean> {
  const reply = await fetch(`${sandbox}/games/${slot}/login`, {
    method: 'POST',
    body: new URLSearchParams(pair),
    redirect: 'manual',
  });
  return reply.headers.get('set-cookie') !== null;
}

async function player(slot: string) {
  const member = await env.member();
  expect((await open(member, slot)).status).toBe(200);
  return { member, old: (await read(member, slot)).body };
}

const DIALECTS = [
  ['betflix', 'game-f'],
  ['pg', 'game-j'],
] as const;

describe.each(DIALECTS)('a new password for %s', (slot, party) => {
  test('works at the provider, the old one does not, and the account tells it from then on', async () => {
    const { member, old } = await player(slot);
    const { status, body } = await reset(member, slot);
    expect([status, body.username]).toEqual([200, old.username]);
    expect(body.password).not.toBe(old.password);
    expect([await logsIn(slot, body), await logsIn(slot, old)]).toEqual([true, false]);
    expect((await read(member, slot)).body).toEqual(body);
  });

  test('is issued once a minute for any number of concurrent calls', async () => {
    const { member } = await player(slot);
    const responses = await Promise.all(Array.from({ length: 10 }, () => reset(member, slot)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of responses)
      if (status !== 200) expect([status, body.message]).toEqual([400, 'SLOT_RESET_PASSWORD_FAIL']);
    await aMinute();
    expect((await reset(member, slot)).status).toBe(200);
  });

  test.each([undefined, party === 'game-f' ? 1234 : 'NOT_PERMITTED'])(
    'refused by the provider (%s) leaves the old one, and can be requested again at once',
    async (code) => {
      const { member, old } = await player(slot);
      await env.fault({ party, call: 'password', kind: 'refuse', count: 1, code });
      expect(await reset(member, slot)).toMatchObject({
        status: 400,
        body: { message: 'SLOT_RESET_PASSWORD_FAIL' },
      });
      expect((await read(member, slot)).body).toEqual(old);
      expect((await reset(member, slot)).status).toBe(200);
    },
  );

  test.each(['cut-before', 'cut-after', '500', 'malformed'])(
    'whose answer was lost (%s) is sent again before anything is shown, so that what is shown works',
    async (kind) => {
      const { member } = await player(slot);
      await env.fault({ party, call: 'password', kind, count: 2 });
      expect(await reset(member, slot)).toMatchObject({
        status: 503,
        body: { message: 'PROVIDER_UNAVAILABLE' },
      });
      expect((await read(member, slot)).status).toBe(503);
      const { status, body } = await read(member, slot);
      expect(status).toBe(200);
      expect(await logsIn(slot, body)).toBe(true);
    },
  );

  test('a refusal after a lost response does not restore the old one', async () => {
    const { member } = await player(slot);
    await env.fault({ party, call: 'password', kind: 'cut-after', count: 1 });
    expect((await reset(member, slot)).status).toBe(503);
    await env.fault({ party, call: 'password', kind: 'refuse', count: 1 });
    expect((await read(member, slot)).body).toEqual({ message: 'SLOT_RESET_PASSWORD_FAIL' });
    const { body } = await read(member, slot);
    expect(await logsIn(slot, body)).toBe(true);
  });
});

test('needs an account of one’s own in a game that exists', async () => {
  const member = await env.member();
  expect((await reset(member, 'betflix')).body).toEqual({ message: 'SLOT_NO_ACCOUNT' });
  expect((await reset(member, 'nothing')).body).toEqual({ message: 'NO_GAME' });
  expect((await env.call('GET', '/api/wallet/resetpassword/betflix')).status).toBe(401);
});

test('an account at a provider with several events tells its own', async () => {
  const { old } = await player('askmebet');
  expect(old.event).toBe('SEASON-1');
  expect((await player('pg')).old).not.toHaveProperty('event');
});
