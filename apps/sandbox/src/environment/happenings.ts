/** Events that tests wait for and pages refresh on. Stored in memory, the newest few thousand. */
import { nowMs } from './clock.ts';
import type { Environment, Happening } from './environment.ts';

const KEPT = 5000;
const WAIT_MS_MAX = 120_000;

/** Emits an event to all listeners. */
export function happen(
  environment: Environment,
  kind: Happening['kind'],
  about: { phone?: string; reference?: string; facts?: Record<string, unknown> } = {},
): Happening {
  const { facts = {}, ...who } = about;
  const happening: Happening = { seq: ++environment.seq, atMs: nowMs(environment), kind, ...who, facts };
  if (kind !== 'log') environment.happenings.push(happening);
  if (environment.happenings.length > KEPT)
    environment.happenings.splice(0, environment.happenings.length - KEPT);
  environment.bus.emit('happening', happening);
  return happening;
}

export interface Waiter {
  kind: Happening['kind'];
  phone?: string;
  reference?: string;
  /** A happening counts only when its seq is greater. Absent: the newest that already happened counts too. */
  after?: number;
  /** Exact values wanted among the facts. */
  facts?: Record<string, unknown>;
  timeoutMs: number;
}

const fits = (waiter: Waiter, happening: Happening): boolean =>
  happening.kind === waiter.kind &&
  happening.seq > (waiter.after ?? 0) &&
  (waiter.phone === undefined || happening.phone === waiter.phone) &&
  (waiter.reference === undefined || happening.reference === waiter.reference) &&
  Object.entries(waiter.facts ?? {}).every(([name, value]) => happening.facts[name] === value);

/**
 * Resolves with a fitting happening, or null when none came within `timeoutMs` of real time (at most two minutes)
 * or the sandbox stops. With `after` it is the first one after that, without it the newest.
 */
export function waitFor(environment: Environment, waiter: Waiter): Promise<Happening | null> {
  const known =
    waiter.after === undefined
      ? environment.happenings.findLast((happening) => fits(waiter, happening))
      : environment.happenings.find((happening) => fits(waiter, happening));
  if (known) return Promise.resolve(known);
  return new Promise((resolve) => {
    const finish = (result: Happening | null) => {
      clearTimeout(timer);
      environment.bus.off('happening', listen);
      environment.stopping.signal.removeEventListener('abort', stop);
      resolve(result);
    };
    const listen = (happening: Happening) => {
      if (fits(waiter, happening)) finish(happening);
    };
    const stop = () => finish(null);
    const timer = setTimeout(stop, Math.min(waiter.timeoutMs, WAIT_MS_MAX));
    environment.bus.on('happening', listen);
    environment.stopping.signal.addEventListener('abort', stop);
  });
}
