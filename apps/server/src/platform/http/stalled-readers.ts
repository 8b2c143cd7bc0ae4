import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';

/** A reader that takes next to nothing for this time, in ms, is disconnected. */
const STALLED_MS = 30_000;
/** What a reader must take in that time, about 1 KB/s: less holds a response open rather than reads it. */
const BYTES_LEAST = 32 * 1024;

/**
 * What Node knows of a connection and does not show: bytes handed to the operating system, and those of them that it
 * has not taken yet. A response of one large buffer is one write, whose progress shows nowhere else.
 */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
}

interface Progress {
  isPending: boolean;
  takenBytes: number;
}

function progressOf(socket: Socket): Progress {
  const { bytesWritten, writeQueueSize } = (socket as unknown as { _handle: Handle | null })._handle ?? {
    bytesWritten: 0,
    writeQueueSize: 0,
  };
  return {
    isPending: writeQueueSize > 0 || socket.writableLength > 0,
    takenBytes: bytesWritten - writeQueueSize,
  };
}

/**
 * Returns a check that destroys each connection with bytes to send at this check and at the one before, of which fewer
 * than 32 KB were taken in between. A reader with nothing to take does not stall.
 */
export function createStallCheck(connections: Connections): () => void {
  const previous = new WeakMap<Socket, Progress>();
  return () => {
    for (const socket of connections.keys()) {
      const last = previous.get(socket);
      const now = progressOf(socket);
      previous.set(socket, now);
      const wasPending = last?.isPending && now.isPending;
      if (wasPending && now.takenBytes - last.takenBytes < BYTES_LEAST) socket.destroy();
    }
  };
}

/**
 * Disconnects readers who stall, whatever the response: a file, a list, an export, an event stream. Otherwise it would
 * hold memory and a place among the pending calls for as long as its reader likes. Cuts off after one to two
 * `stalledMs`.
 */
export function disconnectStalledReaders(
  app: FastifyInstance,
  connections: Connections,
  stalledMs = STALLED_MS,
): void {
  const timer = setInterval(createStallCheck(connections), stalledMs);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
