/** The virtual clock. Every time the sandbox states comes from here. */
import type { Environment } from './environment.ts';
import { changed } from './environment.ts';

/** Virtual now, in milliseconds since 1970. */
export const nowMs = ({ state: { clock } }: Environment): number =>
  clock.frozenAtMs ?? Date.now() + clock.offsetMs;

/** A virtual instant as ISO 8601 text. */
export const iso = (ms: number): string => new Date(ms).toISOString();

export interface ClockChange {
  freeze?: boolean;
  advanceMs?: number;
  /** ISO 8601; the clock continues from there, or stops there when frozen. */
  set?: string;
}

/** Applies set, then advance, then freeze or thaw. Thawing continues from the clock's time. */
export function changeClock(environment: Environment, change: ClockChange): void {
  const { clock } = environment.state;
  const target =
    (change.set === undefined ? nowMs(environment) : Date.parse(change.set)) + (change.advanceMs ?? 0);
  const frozen = change.freeze ?? clock.frozenAtMs !== null;
  clock.frozenAtMs = frozen ? target : null;
  clock.offsetMs = target - Date.now();
  changed(environment);
}

/** What `GET /control/clock` answers. */
export function showClock(environment: Environment): { now: string; offsetMs: number; frozen: boolean } {
  const { offsetMs, frozenAtMs } = environment.state.clock;
  const isFrozen = frozenAtMs !== null;
  return {
    now: iso(nowMs(environment)),
    offsetMs: isFrozen ? frozenAtMs - Date.now() : offsetMs,
    frozen: isFrozen,
  };
}
