import { MINUTE_MS } from '@krapao/contract/durations';
import { config } from '../../platform/config.ts';
import { readCookie, writeCookie } from '../../platform/storage.ts';

/** After so long without the app open, playing begins again. */
const PAUSE_MS = 15 * MINUTE_MS;

/** Since when the member has been here, when they were last seen, and how often they were reminded. */
export interface PlayTime {
  since: number;
  last: number;
  reminded: number;
}

/** The stored start, or a new one after a pause or without a valid stored value. */
export function playTimeOf(kept: string | null, now: number): PlayTime {
  const [since = Number.NaN, last = Number.NaN, reminded = Number.NaN] = (kept ?? '').split('-').map(Number);
  const isGoingOn = since <= last && last <= now && now - last <= PAUSE_MS && reminded >= 0;
  return isGoingOn ? { since, last: now, reminded } : { since: now, last: now, reminded: 0 };
}

/** Full minutes to tell of, or null while the next reminder is not due. */
export function dueReminder({ since, last, reminded }: PlayTime, everyMinutes: number): number | null {
  const times = Math.floor((last - since) / (everyMinutes * MINUTE_MS));
  return times > reminded ? Math.floor((last - since) / MINUTE_MS) : null;
}

const NAME = 'playing';

/** The time stored by this browser, extended to now. A cookie, so that reloads and other tabs count as one visit. */
export function tickPlayTime(now: number): PlayTime {
  const time = playTimeOf(readCookie(NAME), now);
  keepPlayTime(time);
  return time;
}

/** Keeps the time as it is. */
export const keepPlayTime = ({ since, last, reminded }: PlayTime): void =>
  writeCookie(NAME, `${since}-${last}-${reminded}`, config.isFramed);
