import { expect, test } from 'vitest';
import { isDay, isMoment } from './times.ts';

test.each(['2026-11-23', '2024-02-29', '1000-01-01', '9999-12-31'])('%s is a day and a moment', (text) => {
  expect([isDay(text), isMoment(text)]).toEqual([true, true]);
});

test.each([
  '2026-11-30T00:00:00+07:00',
  '2026-11-30T00:00Z',
  '2026-11-30T23:59:59.999Z',
  '2026-11-30T12:00:00.123456Z',
])('%s is a moment and no day', (text) => expect([isDay(text), isMoment(text)]).toEqual([false, true]));

test.each([
  '',
  '-1',
  '2026',
  '2026-02-30',
  '2025-02-29',
  '2026-02-30T00:00:00Z',
  '2026-13-01',
  '0000-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01T24:00:01Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01T00:00:00+99:99',
  '9999-12-31T23:59:59-01:00',
  '1000-01-01T00:00:00+01:00',
  '+012026-01-01T00:00:00Z',
  'Nov 2026',
  'infinity',
])('%j is neither', (text) => expect([isDay(text), isMoment(text)]).toEqual([false, false]));
