import { HOUR_MS } from '@krapao/contract/durations';
import sharp from 'sharp';
import { io, type Socket } from 'socket.io-client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { pushedClock } from '../../testing.ts';
import { uploadFile } from '../testing-files.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const helpers = operatorHelpers(env);
const BANNERS = '/api/operator/banners';

const text = (title: string, more: object = {}) => ({
  title,
  html: `<p>${title}</p>`,
  picture: null as string | null,
  ...more,
});
const TEXTS = { th: text('ไทย'), la: text('ລາວ'), en: text('English') };
const banner = (more: object = {}) => ({
  place: 'home',
  words: TEXTS,
  link: '',
  isOpen: true,
  startsAt: null,
  endsAt: null,
  reason: 'a new offer',
  ...more,
});
const add = (as: TestOperator | null, more: object = {}) => helpers.call(as, 'POST', BANNERS, banner(more));
const seen = async (member: TestMember, place = 'home', language = 'TH') =>
  (
    await env.call('GET', `/api/${place}/banners`, undefined, {
      token: member.token,
      headers: { cookie: `language=${language}` },
    })
  ).body;
const titles = async (member: TestMember, place = 'home') =>
  (await seen(member, place)).banners.map((row: { title: string }) => row.title);
const find = async (as: TestOperator, id: string) =>
  (await helpers.call(as, 'GET', BANNERS)).body.banners.find((row: { id: string }) => row.id === id);
async function change(as: TestOperator, id: string, to: object) {
  const { words, link, isOpen, startsAt, endsAt, version } = await find(as, id);
  const body = { words, link, isOpen, startsAt, endsAt, version, reason: 'changed', ...to };
  return helpers.call(as, 'PUT', `${BANNERS}/${id}`, body);
}
const picture = async () =>
  sharp({ create: { width: 90, height: 40, channels: 3, background: '#0b5d4e' } })
    .png()
    .toBuffer();

describe('a banner', () => {
  test('is on the members’ screens in their language as soon as it is saved, and gone when taken down', async () => {
    const [admin, member] = [await helpers.operator('marketing'), await env.member()];
    const { body: file } = await uploadFile(env, admin, await picture());
    const words = { ...TEXTS, th: text('ไทย', { picture: file.id }), en: text('English', { html: '' }) };
    const { body } = await add(admin, { words, link: '/user/bonus' });
    const one = { id: body.id, image: file.path, link: '/user/bonus' };
    expect((await seen(member)).banners).toEqual([{ ...one, title: 'ไทย', html: '<p>ไทย</p>' }]);
    // The Thai picture is used where a language has none.
    expect((await seen(member, 'home', 'EN')).banners).toEqual([{ ...one, title: 'English', html: '' }]);
    expect([await titles(member, 'invite'), await titles(member, 'refund')]).toEqual([[], []]);
    expect((await change(admin, body.id, { isOpen: false })).status).toBe(200);
    expect(await titles(member)).toEqual([]);
    expect(await find(admin, body.id)).toMatchObject({ state: 'OFF', version: 2 });
    expect((await helpers.audit(`banner:${body.id}`)).map((row) => [row.action, row.reason])).toEqual([
      ['banner.add', 'a new offer'],
      ['banner.change', 'changed'],
    ]);
  });

  test('is shown from its start to its end, in the order operators choose', async () => {
    const [admin, member] = [await helpers.operator('marketing'), await env.member()];
    const at = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS).toISOString();
    const place = 'refund';
    const named = (title: string) => ({ ...TEXTS, th: text(title) });
    const later = await add(admin, { place, words: named('later'), startsAt: at(1), endsAt: at(2) });
    const always = await add(admin, { place, words: named('always') });
    expect(await titles(member, place)).toEqual(['always']);
    expect((await find(admin, later.body.id)).state).toBe('WAITS');
    clock.push(HOUR_MS + 1000);
    expect(await titles(member, place)).toEqual(['later', 'always']);
    const awake = await helpers.operator('marketing');
    const order = (ids: string[]) =>
      helpers.call(awake, 'POST', '/api/operator/banner-order', { place, ids });
    expect((await order([always.body.id, later.body.id])).status).toBe(200);
    expect(await titles(member, place)).toEqual(['always', 'later']);
    expect((await order([always.body.id])).body).toMatchObject({ message: 'ROW_CHANGED' });
    clock.push(HOUR_MS);
    expect(await titles(member, place)).toEqual(['always']);
    expect((await find(await helpers.operator('auditor'), later.body.id)).state).toBe('OVER');
  });

  test('is not shown to an excluded member', async () => {
    const [admin, me] = [await helpers.operator('marketing'), await env.member()];
    await add(admin);
    expect(await titles(me)).not.toEqual([]);
    await env.call('POST', '/api/limits/break', { length: '24h' }, { token: me.token });
    for (const place of ['home', 'invite', 'refund']) expect(await titles(me, place)).toEqual([]);
  });

  test('contains no script, links to no foreign site, and shows only stored pictures', async () => {
    const [admin, member] = [await helpers.operator('admin'), await env.member()];
    const html = '<p onclick="steal()">ข่าว<script>steal()</script><img src=x onerror=steal()></p>';
    await add(admin, { place: 'invite', words: { ...TEXTS, th: text('<b>ข่าว</b>', { html }) } });
    expect((await seen(member, 'invite')).banners).toMatchObject([{ title: 'ข่าว', html: '<p>ข่าว</p>' }]);
    const bare = { ...TEXTS, la: text('ລາວ', { html: '' }) };
    const strange = { ...TEXTS, th: text('ไทย', { picture: 'AAAAAAAAAAAAAAAAAAAA' }) };
    for (const wrong of [
      { link: 'javascript:steal()' },
      { link: 'http://plain.example' },
      { link: '//evil.example' },
      // A public page ends the session; the others are none.
      { link: '/contact' },
      { link: '/login' },
      { link: '/terminated' },
      { link: '/user/bonuses' },
      { words: bare },
      { words: strange },
      { words: { ...TEXTS, en: text('<i></i>') } },
      { startsAt: 'tomorrow' },
      { startsAt: '2026-03-02T00:00:00Z', endsAt: '2026-03-01T00:00:00Z' },
      { place: 'elsewhere' },
      { reason: '' },
    ])
      expect([wrong, (await add(admin, wrong)).status]).toEqual([wrong, 400]);
  });

  test('with a link stored before public pages were refused can be taken down, but gets no other such link', async () => {
    const admin = await helpers.operator('marketing');
    const { body } = await add(admin, { place: 'invite' });
    await env.owner.query("update banner set link = '/howto' where id = $1", [body.id]);
    expect((await change(admin, body.id, { isOpen: false })).status).toBe(200);
    expect(await find(admin, body.id)).toMatchObject({ link: '/howto', state: 'OFF' });
    expect((await change(admin, body.id, { link: '/contact' })).status).toBe(400);
  });

  test('accepts changes by permitted operators, and rejects a stale version', async () => {
    const [admin, looker] = [await helpers.operator('admin'), await helpers.operator('auditor')];
    const { body } = await add(admin, { place: 'invite' });
    expect([(await add(null)).status, (await add(looker)).status]).toEqual([401, 403]);
    expect((await uploadFile(env, null, await picture())).status).toBe(401);
    expect((await uploadFile(env, looker, await picture())).status).toBe(403);
    const both = await Promise.all(
      ['/user/bonus', ''].map((link) => change(admin, body.id, { link, version: 1 })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { place: _place, ...rest } = { ...banner(), version: 1 };
    const missing = await helpers.call(admin, 'PUT', `${BANNERS}/999999999999999999999`, rest);
    expect(missing.status).toBe(404);
    expect((await env.call('GET', '/api/home/banners')).status).toBe(401);
  });
});

describe('screens that are open', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  let listeners = 0;
  const listening = async (member: TestMember): Promise<{ socket: Socket; parts: string[] }> => {
    // A read repeats the changes of the last minute: each read here is a minute after the one before.
    listeners += 1;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + listeners * 61_000 });
    const socket = io(env.url, { auth: { token: member.token }, transports: ['websocket'] });
    const parts: string[] = [];
    socket.on('site', ({ part }: { part: string }) => parts.push(part));
    await new Promise<void>((resume) => socket.once('connect', resume));
    return { socket, parts };
  };

  test('are notified of a banner, of news, of a game under maintenance and of switched-off features', async () => {
    const [admin, member] = [await helpers.operator('admin'), await env.member()];
    const { socket, parts } = await listening(member);
    const received = (part: string) => expect.poll(() => parts.splice(0)).toContain(part);
    await add(admin);
    await received('words');
    const news = (notice: string) => ({ th: { notice }, la: { notice }, en: { notice } });
    const path = '/api/operator/content/news';
    const draft = await helpers.call(admin, 'PUT', `${path}/draft`, {
      words: news('<b>ปิดปรับปรุง</b> คืนนี้<script>steal()</script>'),
      after: null,
    });
    await helpers.call(admin, 'POST', `${path}/publish`, { draft: draft.body.id, reason: 'tonight' });
    await received('words');
    expect((await seen(member)).news).toBe('<b>ปิดปรับปรุง</b> คืนนี้');

    const isInMaintenance = async () =>
      (await env.call('GET', '/api/wallet', undefined, { token: member.token })).body.slots.find(
        (slot: { code: string }) => slot.code === 'circus',
      ).isInMaintenance;
    expect(await isInMaintenance()).toBe(false);
    const { games } = (await helpers.call(admin, 'GET', '/api/operator/games')).body;
    const { name, rate, rateLak, least, version } = games.find(
      (row: { code: string }) => row.code === 'circus',
    );
    await helpers.call(admin, 'PUT', '/api/operator/games/circus', {
      ...{ name, rate, rateLak, least, version },
      state: 'MAINTENANCE',
      reason: 'provider request',
    });
    await received('games');
    expect(await isInMaintenance()).toBe(true);
    await env.set('game.open', false);
    await received('settings');
    socket.disconnect();
  });

  test('are notified of a banner at its start time, and of nothing otherwise', async () => {
    const [admin, member] = [await helpers.operator('admin'), await env.member()];
    const { socket, parts } = await listening(member);
    const startsAt = new Date(clock.now().getTime() + HOUR_MS).toISOString();
    // Notices come in order, so one of another kind ends the list of the notices before it.
    const shown = async (isOpen: boolean) => {
      await env.set('game.open', isOpen);
      await expect.poll(() => parts).toContain('settings');
      return parts.splice(0).filter((part) => part !== 'settings');
    };
    await add(admin, { startsAt });
    await shown(true);
    // The times of the banners before are over by then.
    clock.push(HOUR_MS / 2);
    await env.app.runJob('banners.turn');
    expect(await shown(false)).toEqual([]);
    clock.push(HOUR_MS / 2 + 1000);
    await env.app.runJob('banners.turn');
    expect(await shown(true)).toEqual(['words']);
    socket.disconnect();
  });
});
