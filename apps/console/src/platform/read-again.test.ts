import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReadAgain, GATHER_MS } from './read-again.ts';

const SERVER_MS = 4 * GATHER_MS;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A list on the screen whose server answers after {@link SERVER_MS} with the state at the time of the request. */
async function shownList() {
  const client = new QueryClient();
  const server = { truth: 0, requests: 0 };
  const observer = new QueryObserver(client, {
    queryKey: ['list', 1],
    queryFn: async () => {
      server.requests += 1;
      const { truth } = server;
      await new Promise((done) => setTimeout(done, SERVER_MS));
      return truth;
    },
  });
  observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(SERVER_MS);
  return { client, server, shown: () => observer.getCurrentResult().data };
}

test('a list is read to its end while events come faster than the server answers', async () => {
  const { client, server, shown } = await shownList();
  const readAgain = createReadAgain(client);
  for (let event = 1; event <= 20; event += 1) {
    server.truth = event;
    readAgain(['list']);
    await vi.advanceTimersByTimeAsync(GATHER_MS);
  }
  // One reading at a time: each takes five of the twenty intervals.
  expect(shown()).toBeGreaterThan(10);
  expect(server.requests).toBeLessThanOrEqual(5);
  await vi.advanceTimersByTimeAsync(2 * (SERVER_MS + GATHER_MS));
  expect(shown()).toBe(20);
});

test('events within a moment are one reading, and none follows the stop', async () => {
  const { client, server, shown } = await shownList();
  const readAgain = createReadAgain(client);
  server.truth = 7;
  for (const keys of [['list'], ['list', 'other'], ['list']]) readAgain(keys);
  await vi.advanceTimersByTimeAsync(GATHER_MS + SERVER_MS);
  expect([shown(), server.requests]).toEqual([7, 2]);
  readAgain(['list']);
  readAgain.stop();
  await vi.advanceTimersByTimeAsync(2 * SERVER_MS);
  expect(server.requests).toBe(2);
});
