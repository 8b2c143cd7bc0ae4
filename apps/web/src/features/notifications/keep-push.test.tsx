import { act, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { activateLanguage } from '../../platform/language.ts';
import { clearSession, startSession } from '../../platform/session.ts';
import { memberApp } from '../../testing/member-app.tsx';
import { unsubscribeBrowser } from './browser-push.ts';
import { keepPush, useKeptPush } from './keep-push.ts';

const SUBSCRIBE = 'POST /api/push/subscription';
const app = await memberApp();

/** The browser's push manager: whether it is subscribed, and how long it takes to be. */
const browser = { isSubscribed: false, subscribing: Promise.resolve() };
const subscription = {
  options: { applicationServerKey: null },
  toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
  unsubscribe: async () => {
    browser.isSubscribed = false;
  },
};
const pushManager = {
  getSubscription: async () => (browser.isSubscribed ? subscription : null),
  async subscribe() {
    await browser.subscribing;
    browser.isSubscribed = true;
    return subscription;
  },
};

beforeEach(() => {
  browser.isSubscribed = false;
  browser.subscribing = Promise.resolve();
  const registration = { pushManager };
  const serviceWorker = { ready: Promise.resolve(registration), getRegistration: async () => registration };
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' });
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  const kinds = { money: true, bonus: true, chat: true, login: true };
  app.reply('GET /api/push', { isOn: true, publicKey: 'AAAA', kinds, hidesAmounts: false });
  app.reply(SUBSCRIBE, { message: 'OK' });
  startSession('a token', true);
});
afterEach(() => vi.unstubAllGlobals());

test('a browser whose member has turned notifications on is subscribed again', async () => {
  await keepPush('en');
  expect(browser.isSubscribed).toBe(true);
  expect(app.received(SUBSCRIBE)).toMatchObject([{ body: { endpoint: 'https://push.example/1' } }]);
});

test('a logout while the state is being read leaves the browser without a subscription', async () => {
  const kept = keepPush('en');
  clearSession();
  await unsubscribeBrowser();
  await kept.catch(() => undefined);
  expect(browser.isSubscribed).toBe(false);
  expect(app.received(SUBSCRIBE)).toEqual([]);
});

test('a logout in another tab while the browser is being subscribed leaves it without a subscription', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  browser.subscribing = promise;
  const subscribe = vi.spyOn(pushManager, 'subscribe');
  const kept = keepPush('en');
  await vi.waitFor(() => expect(subscribe).toHaveBeenCalled());
  localStorage.removeItem('token');
  resolve();
  await kept.catch(() => undefined);
  expect(browser.isSubscribed).toBe(false);
  expect(app.received(SUBSCRIBE)).toEqual([]);
});

test('a logout while the browser is being subscribed leaves it without a subscription', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  browser.subscribing = promise;
  const subscribe = vi.spyOn(pushManager, 'subscribe');
  const kept = keepPush('en');
  await vi.waitFor(() => expect(subscribe).toHaveBeenCalled());
  clearSession();
  await unsubscribeBrowser();
  resolve();
  await kept.catch(() => undefined);
  expect(browser.isSubscribed).toBe(false);
  expect(app.received(SUBSCRIBE)).toEqual([]);
});

test('once another language is chosen, messages come in it', async () => {
  function Kept() {
    useKeptPush();
    return null;
  }
  const languages = () => app.received(SUBSCRIBE).map(({ body }) => body.language);
  app.show(<Kept />);
  await waitFor(() => expect(languages()).toEqual(['en']));
  await act(() => activateLanguage('th', true));
  await waitFor(() => expect(languages()).toEqual(['en', 'th']));
  await act(() => activateLanguage('en', true));
  await waitFor(() => expect(languages()).toEqual(['en', 'th', 'en']));
});
