import { afterEach, expect, test, vi } from 'vitest';
import { memberApp } from '../../testing/member-app.tsx';
import { sessionToken, startSession } from '../session.ts';
import { startLive } from './live.ts';
import {
  profileQuery,
  queryClient,
  slipsQuery,
  statementQuery,
  walletQuery,
  withdrawQuery,
} from './queries.ts';

/** The client of socket.io: what it was opened with, and the handlers that the page has set. */
const client = vi.hoisted(() => ({
  auth: undefined as unknown,
  handlers: new Map<string, ((event: unknown) => void)[]>(),
}));
vi.mock('socket.io-client', () => ({
  io: (_: string, { auth }: { auth: unknown }) => {
    client.auth = auth;
    const socket = {
      connected: true,
      active: true,
      on: (name: string, handler: (event: unknown) => void) => {
        client.handlers.set(name, [...(client.handlers.get(name) ?? []), handler]);
        return socket;
      },
      off: () => socket,
      close: () => undefined,
    };
    return socket;
  },
}));

const app = await memberApp();
afterEach(() => vi.restoreAllMocks());

/** Opens the live connection of a session. Returns the function that delivers an event to it. */
async function connect(token: string): Promise<(name: string, event: unknown) => void> {
  client.handlers.clear();
  startSession(token, true);
  startLive();
  await vi.waitFor(() => expect(client.handlers.has('connect_error')).toBe(true));
  return (name, event) => {
    for (const handler of client.handlers.get(name) ?? []) handler(event);
  };
}

const REFUSAL = Object.assign(new Error('refused'), { data: { code: 'invalid-token' } });

test.each([
  ['connect_error', REFUSAL],
  ['ended', { message: 'invalid-token' }],
])('%s of a former session leaves the session of now', async (name, event) => {
  const deliver = await connect('a');
  startSession('b', true);
  deliver(name, event);
  expect(sessionToken()).toBe('b');
  expect(location.pathname).toBe('/user');
});

test.each([
  ['connect_error', REFUSAL],
  ['ended', { message: 'invalid-token' }],
])('%s ends the session it belongs to', async (name, event) => {
  const deliver = await connect('a');
  deliver(name, event);
  expect(sessionToken()).toBeNull();
  expect(location.pathname).toBe('/login');
});

test('the connection belongs to the session that its page was loaded with, also when it is made again', async () => {
  await connect('a');
  localStorage.setItem('token', 'b');
  expect(client.auth).toEqual({ token: 'a' });
});

test('a movement without a notice of its own is read into the statement, the withdrawal and the refund', async () => {
  const deliver = await connect('a');
  const keys = [statementQuery(1).queryKey, withdrawQuery.queryKey, ['refund', 'check']];
  for (const key of keys) queryClient.setQueryData<unknown>(key, {});
  deliver('wallet', { version: 2, amount: 900, currency: 'BAHT' });
  expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
});

test('a decision about another bank account is read into the profile, the wallet that names it, and the withdrawal', async () => {
  const deliver = await connect('a');
  const keys = [profileQuery.queryKey, walletQuery.queryKey, withdrawQuery.queryKey];
  for (const key of keys) queryClient.setQueryData<unknown>(key, {});
  deliver('account', {});
  expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
});

test('a slip that was refused is read into the list of slips and the notifications', async () => {
  const deliver = await connect('a');
  const keys = [slipsQuery(1).queryKey, ['notifications', 1]];
  for (const key of keys) queryClient.setQueryData<unknown>(key, {});
  deliver('slip', {});
  expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true]);
});

test.each([
  ['words', 1],
  ['settings', 1],
  ['games', 0],
])('after a change of the %s at the site its agreement is read again %i times', async (part, times) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const deliver = await connect('a');
  const before = app.received('GET /api/lookup/info').length;
  deliver('site', { part });
  const read = () => expect(app.received('GET /api/lookup/info')).toHaveLength(before + times);
  await vi.waitFor(read);
});

test('another wheel is read into its sheet and its tile, and nothing else is', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const deliver = await connect('a');
  const keys = [['wheel', 'setup'], ['spinwheel', 'active'], walletQuery.queryKey];
  for (const key of keys) queryClient.setQueryData<unknown>(key, {});
  deliver('site', { part: 'wheel' });
  const stale = () => keys.map((key) => queryClient.getQueryState(key)?.isInvalidated);
  await vi.waitFor(() => expect(stale()).toEqual([true, true, false]));
});

test('a connection that is made again reads the agreement again', async () => {
  const deliver = await connect('a');
  deliver('connect', undefined);
  const before = app.received('GET /api/lookup/info').length;
  deliver('connect', undefined);
  await vi.waitFor(() => expect(app.received('GET /api/lookup/info')).toHaveLength(before + 1));
});
