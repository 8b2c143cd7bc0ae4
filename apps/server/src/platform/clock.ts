import { setTimeout as delay } from 'node:timers/promises';

/** Where the product reads the time. Business times only; network time-outs and back-off run on real time. */
export interface Clock {
  now(): Date;
  /** Stops following a remote clock. */
  stop(): void;
}

export const systemClock: Clock = { now: () => new Date(), stop: () => undefined };

const FOLLOW_INTERVAL_MS = 200;
/** The sandbox starts beside the server, and may be the later one. */
const FIRST_READING_WITHIN_MS = 30_000;

/**
 * Follows the sandbox's clock, so that a test moves both programs through time together. Resolves once the first
 * reading is in, for which it waits at most 30 s, and rejects then; keeps the last offset while the sandbox does
 * not answer later on.
 */
export async function followClock(url: string): Promise<Clock> {
  let offsetMs = 0;
  let frozenAt: number | null = null;
  const read = async () => {
    const reply = await fetch(url, { signal: AbortSignal.timeout(2000) });
    const body = (await reply.json()) as { now: string; offsetMs: number; frozen: boolean };
    const remote = Date.parse(body.now);
    frozenAt = body.frozen ? remote : null;
    offsetMs = remote - Date.now();
  };
  const patientUntil = Date.now() + FIRST_READING_WITHIN_MS;
  for (let isRead = false; !isRead; ) {
    try {
      await read();
      isRead = true;
    } catch (cause) {
      if (Date.now() > patientUntil) throw new Error(`The clock at ${url} does not answer.`, { cause });
      await delay(FOLLOW_INTERVAL_MS);
    }
  }
  const timer = setInterval(() => void read().catch(() => undefined), FOLLOW_INTERVAL_MS);
  timer.unref();
  return {
    now: () => new Date(frozenAt ?? Date.now() + offsetMs),
    stop: () => clearInterval(timer),
  };
}
