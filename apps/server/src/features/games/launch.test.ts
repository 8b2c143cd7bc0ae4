import { describe, expect, test } from 'vitest';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { contents } from '../testing.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false, environment: { CORS_ORIGINS: 'https://friend.example' } });
const { get, open, sandbox } = gameHelpers(env);

async function player(...slots: string[]) {
  const member = await env.member();
  for (const slot of slots) await open(member, slot);
  return member;
}

const STYLE_F = ['betflix', 'areaslot', 'slotracha', 'circus', 'imi', 'usun', 'huayhd'];
const STYLE_J = ['pg', 'pgslot', 'joker2', 'askmebet'];

const launch = (member: TestMember, game: string, ...rest: string[]) =>
  get(member, `/api/autoLogin/${[game, ...rest].map(encodeURIComponent).join('/')}`);

test('limits the game entries of each member in an hour, with and without the password', async () => {
  await env.set('game.entryHourMax', 2);
  const [member, other] = [await player('betflix', 'pg'), await player('betflix')];
  const { username, password } = (await get(member, '/api/wallet/account/betflix')).body;
  expect((await launch(member, 'betflix', username)).status).toBe(200);
  expect((await launch(member, 'betflix', username, password)).status).toBe(200);
  const refused = { status: 429, body: { message: 'REQUEST_LIMIT', data: { minutes: 60 } } };
  for (const game of ['betflix', 'pg']) expect(await launch(member, game, username)).toMatchObject(refused);
  expect(await launch(member, 'betflix', username, password)).toMatchObject(refused);
  expect((await launch(other, 'betflix', `kp${other.id}`)).status).toBe(200);
  await env.set('game.entryHourMax', 1_000);
});

describe('auto-login', () => {
  test.each([...STYLE_F, ...STYLE_J])('opens %s logged in, once', async (game) => {
    const member = await player(game);
    const { username, password } = (await get(member, `/api/wallet/account/${game}`)).body;
    for (const response of [
      await launch(member, game, username),
      await launch(member, game, username, password),
    ]) {
      expect(response.status).toBe(200);
      const { link } = response.body;
      expect(link.startsWith(`${sandbox}/games/${game}/play?`)).toBe(true);
      expect(link).not.toContain(password);
      const first = await fetch(link, { redirect: 'manual' });
      expect([first.status, first.headers.get('location')]).toEqual([303, `/games/${game}/play`]);
      expect((await fetch(link, { redirect: 'manual' })).headers.get('location')).toContain('badTicket');
    }
  });

  test('its link is over after sixty seconds', async () => {
    const member = await player('betflix');
    const { link } = (await launch(member, 'betflix', `kp${member.id}`)).body;
    await env.control('clock', { advanceMs: 61_000 });
    expect((await fetch(link, { redirect: 'manual' })).headers.get('location')).toContain('badTicket');
  });

  test('with another’s, an unknown or a differently written username is NO_USER', async () => {
    const [member, other] = [await player('betflix'), await player('betflix')];
    const { password } = (await get(other, '/api/wallet/account/betflix')).body;
    for (const username of [`kp${other.id}`, 'nobody', `KP${member.id}`, `kp${member.id} `, '__proto__'])
      expect(await launch(member, 'betflix', username)).toMatchObject({
        status: 400,
        body: { message: 'NO_USER' },
      });
    expect((await launch(member, 'betflix', `kp${other.id}`, password)).body).toMatchObject({
      message: 'NO_USER',
    });
  });

  test('with a wrong password is NO_USER', async () => {
    const member = await player('betflix');
    for (const password of ['wrong', 'x'.repeat(80)])
      expect((await launch(member, 'betflix', `kp${member.id}`, password)).body).toMatchObject({
        message: 'NO_USER',
      });
  });

  test('into an unknown game is NO_GAME, into one not opened SLOT_NO_ACCOUNT', async () => {
    const member = await player('betflix');
    for (const game of ['pg-slot', 'nothing', '__proto__', 'betflix/..'])
      expect((await launch(member, game, `kp${member.id}`)).body).toEqual({ message: 'NO_GAME' });
    expect((await launch(member, 'imi', `kp${member.id}`)).body).toEqual({ message: 'SLOT_NO_ACCOUNT' });
  });

  test.each([
    ['areaslot', 'NOT_AREASLOT'],
    ['betflix', 'NO_USER'],
    ['usun', 'NOT_UFABET'],
  ])('when %s does not know the user is %s', async (game, code) => {
    await env.owner.query("update slot set unknown_user_code = 'NOT_UFABET' where code = 'usun'");
    const member = await player(game);
    await env.fault({ party: 'game-f', call: 'play', kind: 'refuse', code: 1002, count: 1 });
    expect(await launch(member, game, `kp${member.id}`)).toMatchObject({
      status: 400,
      body: { message: code },
    });
  });

  test('refused is LOGIN_FAIL, unanswered is PROVIDER_UNAVAILABLE', async () => {
    const member = await player('betflix');
    await env.fault({ party: 'game-f', call: 'play', kind: 'refuse', count: 1 });
    expect((await launch(member, 'betflix', `kp${member.id}`)).body).toMatchObject({ message: 'LOGIN_FAIL' });
    for (const kind of ['outage', 'cut-after', 'malformed']) {
      await env.fault({ party: 'game-f', call: 'play', kind, count: 1 });
      expect(await launch(member, 'betflix', `kp${member.id}`)).toMatchObject({
        status: 503,
        body: { message: 'PROVIDER_UNAVAILABLE' },
      });
    }
  });
});

describe('a GET that changes something', () => {
  const paths = (member: TestMember) => ['/api/wallet/activate/imi', `/api/autoLogin/betflix/kp${member.id}`];

  test.each<Record<string, string>>([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'sec-purpose': 'preview' },
  ])('does nothing for %j', async (headers) => {
    const member = await player('betflix');
    const before = await contents(env.owner);
    for (const path of paths(member)) {
      const response = await get(member, path, headers);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(await contents(env.owner)).toEqual(before);
  });

  test('does nothing for a page of another site, unless its origin is allowed', async () => {
    const member = await player('betflix');
    const before = await contents(env.owner);
    for (const path of paths(member))
      for (const origin of [undefined, 'https://evil.example', 'https://friend.example.evil.example', 'null'])
        expect(
          await get(member, path, { 'sec-fetch-site': 'cross-site', ...(origin ? { origin } : {}) }),
        ).toMatchObject({ status: 403, body: { message: 'UNAUTHORIZED' } });
    expect(await contents(env.owner)).toEqual(before);
    const allowed = { 'sec-fetch-site': 'cross-site', origin: 'https://friend.example' };
    expect((await get(member, '/api/wallet/activate/imi', allowed)).status).toBe(200);
  });

  test('returns the player to the site they started from, never to one that is not ours', async () => {
    const member = await player('betflix');
    const path = paths(member)[1]!;
    const backFor = async (headers: Record<string, string>) => {
      await get(member, path, headers);
      const { entries } = await env.control('log?party=game-f&call=play&limit=1');
      return decodeURIComponent(JSON.stringify(entries[0]));
    };
    expect(await backFor({ origin: 'https://friend.example' })).toContain('https://friend.example/user/home');
    expect(await backFor({ origin: 'https://evil.example' })).toContain(`${env.url}/user/home`);
  });

  test('is not there for HEAD', async () => {
    const member = await player('betflix');
    const before = await contents(env.owner);
    for (const path of paths(member))
      expect((await env.call('HEAD', path, undefined, { token: member.token })).status).toBe(404);
    expect(await contents(env.owner)).toEqual(before);
  });

  test('needs the header: a cookie or a query is no identity', async () => {
    const member = await player('betflix');
    for (const path of paths(member)) {
      const response = await env.call(
        'GET',
        `${path}?token=${member.token}&authorization=Bearer%20${member.token}`,
        undefined,
        {
          headers: { cookie: `token=${member.token}; authorization=Bearer ${member.token}` },
        },
      );
      expect(response).toMatchObject({ status: 401, body: { message: 'invalid-token' } });
    }
  });

  test('works as POST too, and is never cached', async () => {
    const member = await player('betflix');
    for (const path of paths(member)) {
      const response = await env.call('POST', path, undefined, { token: member.token });
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    }
  });
});
