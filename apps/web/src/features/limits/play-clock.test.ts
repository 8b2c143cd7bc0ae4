import { expect, test } from 'vitest';
import { dueReminder, playTimeOf } from './play-clock.ts';

const MINUTE = 60_000;
const now = 1_000 * MINUTE;

test('time continues over reloads and restarts after a pause, without a stored value, or with an invalid one', () => {
  const since = now - 40 * MINUTE;
  expect(playTimeOf(`${since}-${now - 15 * MINUTE}-1`, now)).toEqual({ since, last: now, reminded: 1 });
  const anew = { since: now, last: now, reminded: 0 };
  expect(playTimeOf(`${since}-${now - 16 * MINUTE}-1`, now)).toEqual(anew);
  for (const stored of [null, '', 'x', `${since}`, `${since}-${now + 1}-0`, `${now}-${since}-0`])
    expect(playTimeOf(stored, now)).toEqual(anew);
});

test('a reminder appears once for each configured time', () => {
  const time = { since: now - 61 * MINUTE, last: now, reminded: 1 };
  expect(dueReminder(time, 30)).toBe(61);
  expect(dueReminder({ ...time, reminded: 2 }, 30)).toBeNull();
  expect(dueReminder({ ...time, since: now - 29 * MINUTE, reminded: 0 }, 30)).toBeNull();
});
