/** The reference of bench/chat.ts: a bare socket.io server on its own thread that acknowledges every message. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { Server } from 'socket.io';

const http = createServer();
new Server(http, { serveClient: false }).on('connection', (socket) => {
  socket.on('message', (message: unknown, response: (message: unknown) => void) => response(message));
});
http.listen(0, '127.0.0.1', () => parentPort?.postMessage((http.address() as AddressInfo).port));
