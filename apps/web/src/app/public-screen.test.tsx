import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { i18n } from '../platform/i18n.ts';
import { sessionToken, startSession } from '../platform/session.ts';
import { memberApp } from '../testing/member-app.tsx';
import { App } from './app.tsx';

const LOGOUT = 'POST /api/logout';
const app = await memberApp();
const unsubscribe = vi.fn(async () => true);

beforeEach(() => {
  unsubscribe.mockClear();
  const registration = { pushManager: { getSubscription: async () => ({ unsubscribe }) } };
  const serviceWorker = { getRegistration: async () => registration };
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  app.reply('GET /api/lookup/active', { active: true, terminated: false });
  app.reply(LOGOUT, { message: 'OK' });
  history.replaceState(null, '', '/login');
});
afterEach(cleanup);

test('a public page ends an open session at the server too, and unsubscribes the browser', async () => {
  startSession('a', true);
  const sent = vi.spyOn(globalThis, 'fetch');
  render(<App i18n={i18n} />);
  await vi.waitFor(() => expect(unsubscribe).toHaveBeenCalled());
  await vi.waitFor(() => expect(app.received(LOGOUT)).toHaveLength(1));
  const [, init] = sent.mock.calls.find(([address]) => String(address).endsWith('/api/logout'))!;
  expect(new Headers(init?.headers).get('Authorization')).toBe('Bearer a');
  expect([sessionToken(), localStorage.getItem('token')]).toEqual([null, null]);
});

test('a public page of a visitor ends nothing', async () => {
  render(<App i18n={i18n} />);
  await vi.waitFor(() => expect(app.received('GET /api/lookup/active')).toHaveLength(1));
  expect(app.received(LOGOUT)).toEqual([]);
  expect(unsubscribe).not.toHaveBeenCalled();
});
