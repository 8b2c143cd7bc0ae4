import { createServer } from 'node:net';

/**
 * Below the ports that outgoing connections are given (from 32,768 on Linux, 49,152 elsewhere): a program that is
 * down for a moment finds its port free, not taken by somebody's call, nor by its own callers connected to themselves.
 */
const FIRST = 16_384;
const LAST = 32_767;
/** Ports of one process; those that start at the same time have neighbouring numbers, so never the same ports. */
const SHARE = 128;

const start = FIRST + ((process.pid * SHARE) % (LAST + 1 - FIRST));
let given = 0;

/** A port of 127.0.0.1 without a listener that no other test receives. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = start + (given++ % SHARE);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await new Promise<boolean>((resume) => {
      probe.once('listening', () => probe.close(() => resume(true))).once('error', () => resume(false));
    });
    if (isFree) return port;
  }
}
