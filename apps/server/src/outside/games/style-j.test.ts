import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { styleJProvider } from './style-j.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const SECOND = 1_000;

interface TestRound {
  id: string;
  username: string;
  game: string;
  stake: string;
  win: string;
  state: string;
  at: string;
}

/** The provider's list in the order of changes, from which `since` and cursor take their parts. */
let rounds: TestRound[] = [];
/** Called before each page is cut. */
let beforePage: () => void = () => undefined;
let pages = 0;

const server = createServer(async (request, reply) => {
  const { cursor, limit, since } = JSON.parse(await text(request));
  pages++;
  beforePage();
  const from = cursor === '' ? 0 : Number(cursor);
  const wanted = rounds.slice(from).filter(({ at }) => at >= since);
  const page = wanted.slice(0, limit);
  const last = page.at(-1);
  reply.end(JSON.stringify({ rounds: page, next: last ? String(rounds.indexOf(last) + 1) : cursor }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());

const provider = styleJProvider({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  secret: 'secret',
  timeoutMs: () => 30_000,
});

const timeOf = (second: number): Date => new Date(START + second * SECOND);
const round = (number: number, change: Partial<TestRound> = {}): TestRound => ({
  id: `r${number}`,
  username: 'KP1',
  game: 'match',
  stake: '1.00',
  win: '0.00',
  state: 'SETTLED',
  at: timeOf(number).toISOString(),
  ...change,
});
const played = (from: number, to: number) => provider.played('kp1', { from: timeOf(from), to: timeOf(to) });

test('all rounds of a player are counted, however many there are, in some readings of bounded length', async () => {
  const count = 45_000;
  rounds = Array.from({ length: count }, (_, number) => round(number));
  let [from, turnover, readings] = [timeOf(0), 0n, 0];
  for (;;) {
    pages = 0;
    const reading = await provider.played('kp1', { from, to: timeOf(count) });
    if (reading.outcome !== 'ok') throw new Error(JSON.stringify(reading));
    expect(pages).toBeLessThanOrEqual(40);
    turnover += reading.value.turnover;
    readings++;
    if (!reading.value.until) break;
    from = reading.value.until;
  }
  expect(turnover).toBe(BigInt(count) * 100n);
  expect(readings).toBeLessThan(5);
});

test('counted twice: a round that changes while the pages are read counts once, as it ended', async () => {
  rounds = Array.from({ length: 600 }, (_, number) => round(number));
  pages = 0;
  beforePage = () => {
    if (pages !== 2) return;
    rounds.push(round(0, { at: timeOf(600).toISOString(), win: '2.00' }));
    rounds.push(round(1, { at: timeOf(601).toISOString(), state: 'VOID' }));
  };
  const reading = await played(0, 1_000);
  beforePage = () => undefined;
  expect(reading).toEqual({
    outcome: 'ok',
    value: { turnover: 59_900n, result: -59_900n + 200n, until: null },
  });
});

test('a reading of a past span ends with it', async () => {
  rounds = Array.from({ length: 30_000 }, (_, number) => round(number));
  pages = 0;
  expect(await played(100, 200)).toMatchObject({ outcome: 'ok', value: { turnover: 10_000n, until: null } });
  expect(pages).toBe(1);
});

test('rounds that are all of one moment cannot be read in parts', async () => {
  rounds = Array.from({ length: 20_001 }, (_, number) => round(number, { at: timeOf(0).toISOString() }));
  expect(await played(0, 10)).toMatchObject({ outcome: 'unknown' });
});

test('a round without a time proves nothing', async () => {
  rounds = [round(0, { at: '9999' }), round(1, { at: 'yesterday' })];
  expect(await played(0, 10)).toMatchObject({ outcome: 'unknown' });
});
