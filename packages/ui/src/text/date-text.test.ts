import { describe, expect, test } from 'vitest';
import { countdownText, dateTimeText, dayLabel, timeAgo } from './date-text.ts';

describe('dates', () => {
  test.each([
    ['2024-03-05T17:06:07Z', '06/03/2024 00:06:07'],
    ['2024-02-29T16:59:59Z', '29/02/2024 23:59:59'],
    ['2024-12-31T17:00:00Z', '01/01/2025 00:00:00'],
  ])('%s is written %s: Gregorian, in Bangkok', (instant, text) => {
    expect(dateTimeText(instant)).toBe(text);
  });

  test('a day begins at midnight in Bangkok', () => {
    const now = Date.parse('2026-11-21T17:30:00Z');
    expect(dayLabel('2026-11-21T17:00:00Z', now)).toBe('today');
    expect(dayLabel('2026-11-21T16:59:59Z', now)).toBe('yesterday');
    expect(dayLabel('2026-11-20T16:59:59Z', now)).toBeNull();
  });

  test.each([
    [0, null],
    [59, { unit: 'second', count: 59 }],
    [60, { unit: 'minute', count: 1 }],
    [3600 * 23, { unit: 'hour', count: 23 }],
    [86_400 * 29, { unit: 'day', count: 29 }],
    [86_400 * 30, { unit: 'month', count: 1 }],
    [86_400 * 364, { unit: 'month', count: 12 }],
    [86_400 * 365, { unit: 'year', count: 1 }],
  ])('%i seconds ago', (seconds, expected) => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(timeAgo(now - seconds * 1000, now)).toEqual(expected);
  });

  test('a countdown never goes below zero', () => {
    expect(countdownText(582)).toBe('09:42');
    expect(countdownText(-3)).toBe('00:00');
  });
});
