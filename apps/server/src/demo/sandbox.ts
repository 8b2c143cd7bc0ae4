import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';

/** The sandbox's control API, and the virtual time that product and sandbox share. */
export interface DemoSandbox {
  clock: Clock;
  /** Moves both clocks to an instant and stops them there. */
  moveTo(ms: number): Promise<void>;
  /** Makes one control call; throws when it is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: replies differ by call
  control(path: string, body: object): Promise<any>;
  /** Lets the sandbox show real time again. */
  release(): Promise<void>;
}

const READY_WITHIN_MS = 30_000;

/** Waits until the sandbox, which starts beside the server, responds; false when it does not within 30 s. */
export async function isSandboxThere(origin: string): Promise<boolean> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until) {
    const reply = await fetch(`${origin}/control/clock`).catch(() => null);
    if (reply?.ok) return true;
    await delay(200);
  }
  return false;
}

/** Connects to the control API at `origin`; `startMs` is what the clock shows until it is moved. */
export function connectSandbox(origin: string, startMs: number): DemoSandbox {
  let nowMs = startMs;
  const control: DemoSandbox['control'] = async (path, body) => {
    const reply = await fetch(`${origin}/control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`sandbox ${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  return {
    clock: { now: () => new Date(nowMs), stop: () => undefined },
    control,
    async moveTo(ms) {
      nowMs = Math.max(nowMs, ms);
      await control('clock', { set: new Date(nowMs).toISOString(), freeze: true });
    },
    async release() {
      await control('clock', { set: new Date().toISOString(), freeze: false });
    },
  };
}
