import { beforeEach, expect, test, vi } from 'vitest';
import { memberApp } from '../testing/member-app.tsx';
import { api } from './api.ts';
import { clearSession, onSessionEnd, sessionToken, startSession } from './session.ts';

const WITHDRAW = 'POST /api/wallet/withdrawAll';
const LIMITS = 'GET /api/limits';
const app = await memberApp();
const load = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
const sent = vi.spyOn(globalThis, 'fetch');

/** The tokens the calls so far were sent with; null for those without one. */
const sentTokens = () => sent.mock.calls.map(([, init]) => new Headers(init?.headers).get('Authorization'));
const withdraw = () => api(WITHDRAW, { body: { amount: 500 }, idempotencyKey: 'k1' });
/** What a login in another tab does to the lasting store, which all tabs share. */
const logInElsewhere = (token: string) => localStorage.setItem('token', token);

beforeEach(() => {
  load.mockClear();
  sent.mockClear();
});

test('a remembered login in another tab does not speak for the member of this one', async () => {
  startSession('a', false);
  logInElsewhere('b');
  dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  await api(LIMITS);
  expect(sentTokens()).toEqual(['Bearer a']);
  expect(load).not.toHaveBeenCalled();
});

test('a remembered member who is replaced in another tab sends nothing more; the page is loaded again', async () => {
  app.reply(WITHDRAW, {} as never);
  startSession('a', true);
  logInElsewhere('b');
  await expect(withdraw()).rejects.toMatchObject({ code: 'invalid-token' });
  expect(sentTokens()).toEqual([]);
  expect(load).toHaveBeenCalledWith('/user');
});

test.each(['b', null])(
  'a page whose token is replaced by %s is loaded again before its next call',
  (token) => {
    startSession('a', true);
    if (token) logInElsewhere(token);
    else localStorage.removeItem('token');
    dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect(load).toHaveBeenCalledWith('/user');
    expect(sessionToken()).toBe('a');
  },
);

test('a visitor stays a visitor while another tab logs in', async () => {
  logInElsewhere('b');
  dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  await api(LIMITS);
  expect(sentTokens()).toEqual([null]);
  expect(load).not.toHaveBeenCalled();
});

test('a logout leaves the session of another tab', () => {
  startSession('a', false);
  logInElsewhere('b');
  clearSession();
  expect([sessionToken(), localStorage.getItem('token'), sessionStorage.getItem('token')]).toEqual([
    null,
    'b',
    null,
  ]);
});

test('the refusal of an earlier token does not end the session of now', async () => {
  startSession('a', true);
  const ended = vi.fn();
  const release = app.hold(LIMITS);
  const call = api(LIMITS).catch(({ code }) => code);
  await vi.waitFor(() => expect(app.received(LIMITS)).toHaveLength(1));
  startSession('b', true);
  const stop = onSessionEnd(ended);
  app.refuse(LIMITS, 'invalid-token', {}, 401);
  release();
  expect(await call).toBe('invalid-token');
  stop();
  expect([sessionToken(), ended.mock.calls]).toEqual(['b', []]);
  expect(location.pathname).toBe('/user');
});

test('a refusal ends no session that another tab began meanwhile', async () => {
  startSession('a', true);
  const release = app.hold(LIMITS);
  const call = api(LIMITS).catch(({ code }) => code);
  await vi.waitFor(() => expect(app.received(LIMITS)).toHaveLength(1));
  logInElsewhere('b');
  app.refuse(LIMITS, 'invalid-token', {}, 401);
  release();
  expect(await call).toBe('invalid-token');
  expect(localStorage.getItem('token')).toBe('b');
  expect(load).toHaveBeenCalledWith('/user');
});

test('the refusal of the present token ends the session', async () => {
  startSession('a', true);
  app.refuse(LIMITS, 'invalid-token', {}, 401);
  await api(LIMITS).catch(() => undefined);
  expect([sessionToken(), localStorage.getItem('token'), location.pathname]).toEqual([null, null, '/login']);
});

// Last: it leaves a second copy of the module behind.
test('a page begins with the token of its own tab, not with a remembered one', async () => {
  sessionStorage.setItem('token', 'a');
  logInElsewhere('b');
  vi.resetModules();
  const session = await import('./session.ts');
  expect(session.sessionToken()).toBe('a');
});
