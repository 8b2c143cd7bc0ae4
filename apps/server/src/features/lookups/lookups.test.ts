import { HOUR_MS } from '@krapao/contract/durations';
import { lookups } from '@krapao/contract/member';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { changeSetting } from '../../platform/settings.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { pushedClock } from '../testing.ts';
import { isWithinHours, minutesOutside } from './read.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const look = (name: string, options = {}) => env.call('GET', `/api/lookup/${name}`, undefined, options);
const asMember = async (name: string) => look(name, { token: (await env.member()).token });

describe('lookups', () => {
  test('are these thirteen, and each answer has its declared shape', async () => {
    const { token } = await env.member();
    const names = Object.values(lookups).map((call) => call.path.replace('/api/lookup/', ''));
    expect(names.toSorted()).toEqual([
      'active',
      'agreements',
      'banks',
      'conditions',
      'contact',
      'deposit',
      'enableChatWidget',
      'info',
      'notice',
      'registerOTP',
      'slip',
      'sources',
      'withdraw',
    ]);
    for (const call of Object.values(lookups)) {
      const response = await look(call.path.replace('/api/lookup/', ''), { token });
      expect([call.path, response.status, Value.Check(call.reply, response.body)]).toEqual([
        call.path,
        200,
        true,
      ]);
    }
  });

  test('that depend on a member’s currency need one; the others are public', async () => {
    for (const call of Object.values(lookups)) {
      const mustLogIn = ['deposit', 'withdraw', 'slip'].some((name) => call.path.endsWith(`/${name}`));
      expect([call.path, (await look(call.path.replace('/api/lookup/', ''))).status]).toEqual([
        call.path,
        mustLogIn ? 401 : 200,
      ]);
    }
  });

  test('banks, sources and agreements are bare arrays, the two switches bare booleans', async () => {
    for (const name of ['banks', 'sources', 'agreements'])
      expect(Array.isArray((await look(name)).body)).toBe(true);
    for (const name of ['registerOTP', 'enableChatWidget'])
      expect(typeof (await look(name)).body).toBe('boolean');
    expect((await look('banks')).body.slice(0, 2)).toMatchObject([{ code: 'KBANK' }, { code: 'KTB' }]);
  });

  test('return the operators’ settings, at once', async () => {
    await env.set('register.otp', false);
    await env.set('chat.widget', true);
    await env.set('withdraw.minimum', { BAHT: 250, LAK: 175_000 });
    await env.set('qr.minutes', 7);
    expect((await look('registerOTP')).body).toBe(false);
    expect((await look('enableChatWidget')).body).toBe(true);
    expect((await asMember('withdraw')).body).toEqual({
      isOpen: true,
      withdrawMin: 250,
      withdrawMax: 50_000,
      automaticMax: 2_000,
      owesBets: false,
      playedTimes: 1,
      payoutsFrom: null,
      needsPin: false,
      hasOpen: false,
      last: null,
      verifyFrom: null,
    });
    expect((await asMember('deposit')).body).toMatchObject({
      isManual: false,
      qrMinutes: 7,
      wallets: [
        { mode: 'AUTO', walletAccountName: 'บริษัท กระเป๋า จำกัด', walletAccountNo: '0815550199' },
        { mode: 'LINK', walletAccountName: 'KRAPAO', walletAccountNo: null },
      ],
      giftMinimum: 2,
      banks: expect.arrayContaining([
        expect.objectContaining({
          bankCode: 'KBANK',
          bankType: 'BANK',
          mode: 'QR',
          currency: 'BAHT',
          minimum: 1,
        }),
      ]),
    });
  });

  test('speak the language of the cookie, the variant’s own without one', async () => {
    await env.owner.query(
      "insert into content values ('notice', 'th', '\"ไทย\"', now()), ('notice', 'en', '\"English\"', now()), ('notice', 'la', '\"ລາວ\"', now()) on conflict (key, language) do update set body = excluded.body",
    );
    const notice = async (cookie?: string) =>
      (await look('notice', cookie ? { headers: { cookie } } : {})).body.notice;
    expect([
      await notice(),
      await notice('language=EN'),
      await notice('a=b; language=LA'),
      await notice('language=XX'),
    ]).toEqual(['ไทย', 'English', 'ລາວ', 'ไทย']);
    // How the app sends it to a backend that gets no cookie of its page; the browser's own preference does not count.
    const accepting = async (language: string, cookie = '') =>
      (await look('notice', { headers: { 'accept-language': language, cookie } })).body.notice;
    expect([
      await accepting('lo'),
      await accepting('en'),
      await accepting('en', 'language=LA'),
      await accepting('en-US,en;q=0.9'),
    ]).toEqual(['ລາວ', 'English', 'ລາວ', 'ไทย']);
  });

  test('active reports when the service has ended', async () => {
    expect((await look('active')).body).toEqual({ active: true, terminated: false });
    await env.set('service.terminated', 'gone');
    expect((await look('active')).body).toEqual({ active: false, terminated: 'gone' });
    await env.set('service.terminated', false);
  });

  test('an unknown lookup is 404', async () => {
    expect(await look('everything')).toMatchObject({ status: 404, body: { message: 'NO_DATA' } });
  });

  test('settings that do not fit are refused', async () => {
    for (const value of [-1, '5', null, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(changeSetting(env.owner, 'qr.minutes', value, new Date())).rejects.toThrow(TypeError);
  });
});

describe('slip hours', () => {
  test('are closed from 23:45 to 00:15 in Bangkok', async () => {
    const at = (time: string) =>
      isWithinHours(new Date(`2026-03-01T${time}:00+07:00`), { from: '23:45', to: '00:15' });
    expect(['23:44', '23:45', '23:59', '00:00', '00:14', '00:15', '12:00'].map(at)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    const within = (time: string) =>
      isWithinHours(new Date(`2026-03-01T${time}:00+07:00`), { from: '02:00', to: '04:00' });
    expect(['01:59', '02:00', '03:59', '04:00'].map(within)).toEqual([false, true, true, false]);
  });

  test('do not count as time that has passed', () => {
    const at = (time: string) => new Date(`2026-03-${time}:00+07:00`);
    const hours = [{ from: '23:45', to: '00:15' }];
    expect(minutesOutside(hours, at('01T23:10'), at('02T00:15'), 60)).toBe(35);
    expect(minutesOutside([], at('01T23:10'), at('02T00:05'), 60)).toBe(55);
    expect(minutesOutside(hours, at('01T12:00'), at('09T12:00'), 60)).toBe(61);
  });

  test('show in the lookup by the clock', async () => {
    await env.set('slip.closedHours', [{ from: '23:45', to: '00:15' }]);
    const next = new Date(clock.now().getTime() + 7 * HOUR_MS).toISOString().slice(0, 10);
    clock.push(new Date(`${next}T23:50:00+07:00`).getTime() - clock.now().getTime());
    expect((await look('slip', { token: (await env.member()).token })).body).toEqual({
      open: false,
      isManual: false,
      windowMinutes: 60,
      closedHours: [{ from: '23:45', to: '00:15' }],
      maxSizeMB: 10,
    });
    clock.push(HOUR_MS);
    expect((await look('slip', { token: (await env.member()).token })).body.open).toBe(true);
  });
});
