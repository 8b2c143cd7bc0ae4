import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { io } from 'socket.io-client';
import type { Semaphore } from './semaphore.ts';

/**
 * Measures round trips to a bare socket.io server: messages over several sockets, with as many in flight as the
 * semaphore allows.
 */
export async function timeEcho(intent: {
  sockets: number;
  messages: number;
  semaphore: Semaphore;
}): Promise<{ rate: number; times: number[] }> {
  const server = new Worker(new URL('./echo.ts', import.meta.url));
  const [port] = await once(server, 'message');
  const times: number[] = [];
  const sockets = await Promise.all(
    Array.from({ length: intent.sockets }, async () => {
      const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true });
      await new Promise((resume) => socket.once('connect', () => resume(null)));
      return socket;
    }),
  );
  const started = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      for (let message = 0; message < intent.messages; message++)
        await intent.semaphore(async () => {
          const at = performance.now();
          await socket.emitWithAck('message', `message ${message}`);
          times.push(performance.now() - at);
        });
    }),
  );
  const rate = times.length / ((performance.now() - started) / 1000);
  for (const socket of sockets) socket.disconnect();
  await server.terminate();
  return { rate, times };
}
