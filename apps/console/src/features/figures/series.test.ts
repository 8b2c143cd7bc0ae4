import { describe, expect, test } from 'vitest';
import {
  cashPoints,
  changeOf,
  channelPoints,
  dayPoints,
  daysBetween,
  gamePoints,
  hourPoints,
  lastDays,
  lastOf,
  periodBefore,
  sumOf,
} from './series.ts';

const cash = (day: string, currency: 'BAHT' | 'LAK', deposits: number, withdrawals: number) => ({
  id: day,
  day,
  currency,
  deposits,
  withdrawals,
  unmatched: 0,
  sentBack: 0,
  cameBack: 0,
  net: deposits - withdrawals,
});

describe('points of a chart', () => {
  test('have every day of the period, also one without a row, in one currency', () => {
    const days = daysBetween('2026-02-27', '2026-03-01');
    expect(days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    const rows = [cash('2026-03-01', 'BAHT', 5, 2), cash('2026-02-27', 'LAK', 9_000, 0)];
    expect(cashPoints(rows, 'BAHT', days)).toEqual([
      { at: '2026-02-27', deposits: 0, withdrawals: 0 },
      { at: '2026-02-28', deposits: 0, withdrawals: 0 },
      { at: '2026-03-01', deposits: 5, withdrawals: 2 },
    ]);
  });

  test('of channels are stacked from the largest, and zero where a channel had nothing', () => {
    const row = (day: string, channel: string, amount: number) =>
      ({ id: day + channel, day, channel, currency: 'BAHT', count: 1, amount }) as const;
    const rows = [row('2026-03-01', 'gift', 10), row('2026-03-01', 'qr', 50), row('2026-03-02', 'qr', 5)];
    expect(channelPoints(rows, 'BAHT', ['2026-03-01', '2026-03-02'])).toEqual({
      channels: ['qr', 'gift'],
      points: [
        { at: '2026-03-01', qr: 50, gift: 10 },
        { at: '2026-03-02', qr: 5, gift: 0 },
      ],
    });
  });

  test('of hours have all 24, stacked by channel', () => {
    const row = (hour: number, channel: string, amount: number) =>
      ({ id: `${hour}`, hour, channel, currency: 'BAHT', count: 1, amount }) as const;
    const { points, channels } = hourPoints([row(9, 'qr', 5), row(9, 'gift', 7)], 'BAHT');
    expect(channels).toEqual(['gift', 'qr']);
    expect(points).toHaveLength(24);
    expect(points.slice(8, 10)).toEqual([
      { at: '08:00', gift: 0, qr: 0 },
      { at: '09:00', gift: 7, qr: 5 },
    ]);
  });

  test('of levels are read from the newest row, and drawn from the oldest', () => {
    const row = (day: string, members: number) =>
      ({ id: day, day, currency: 'BAHT', members, unmatched: 0 }) as const;
    const rows = [row('2026-03-02', 7), row('2026-03-01', 5)];
    expect(lastOf(rows, 'members', 'BAHT')).toBe(7);
    expect(lastOf(rows, 'members', 'LAK')).toBe(0);
    expect(dayPoints(rows, 'BAHT', ['2026-03-01', '2026-03-02'], ['members'])).toEqual([
      { at: '2026-03-01', members: 5 },
      { at: '2026-03-02', members: 7 },
    ]);
  });

  test('of games begin with what earned most', () => {
    const row = (name: string, result: number) =>
      ({ id: name, game: name, name, currency: 'BAHT', movedIn: 0, movedOut: 0, result }) as const;
    expect(gamePoints([row('A', -5), row('B', 7)], 'BAHT')).toEqual([
      { at: 'B', result: 7 },
      { at: 'A', result: -5 },
    ]);
  });
});

test('the period before is as long and ends the day before', () => {
  expect(periodBefore({ from: '2026-03-01', to: '2026-03-07' })).toEqual({
    from: '2026-02-22',
    to: '2026-02-28',
  });
  expect(lastDays('2026-03-07', 7)).toEqual({ from: '2026-03-01', to: '2026-03-07' });
});

test('sums are exact, and a change from nothing or a loss has no percentage', () => {
  expect(
    sumOf([cash('a', 'BAHT', 0.1, 0), cash('b', 'BAHT', 0.2, 0), cash('c', 'LAK', 7, 0)], 'deposits', 'BAHT'),
  ).toBe(0.3);
  expect([changeOf(150, 100), changeOf(40, 100), changeOf(5, 0), changeOf(5, -100)]).toEqual([
    50,
    -60,
    null,
    null,
  ]);
});
