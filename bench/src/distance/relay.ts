import { connect, createServer, type Socket } from 'node:net';

/** A TCP relay that holds what goes to one side for a time. */
export interface Relay {
  port: number;
  /** What the target sends arrives this many ms later. Set anew, it also holds for connections that exist. */
  delayMs: number;
  close(): void;
}

/** Passes chunks on in their order, each `delay()` ms after it came. */
function passLate(from: Socket, to: Socket, delay: () => number): void {
  from.on('data', (chunk) => {
    const delayMs = delay();
    if (delayMs === 0) to.write(chunk);
    else setTimeout(() => to.write(chunk), delayMs);
  });
}

/** Starts a relay to a port of this machine. The delay is on one way, so that a round trip takes one delay longer. */
export async function startRelay(targetPort: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.pipe(far);
    passLate(far, near, () => relay.delayMs);
  });
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a relay listens on a port');
  const relay: Relay = {
    port: address.port,
    delayMs: 0,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return relay;
}
