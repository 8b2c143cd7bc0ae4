import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const HANG_UP_MS = 50;
/** Time in ms that callers have to finish requests and responses while the server closes. */
const CALLER_MS_MAX = 3_000;
/** Time in ms that a refused caller has to receive the response before the connection is destroyed. */
const LINGER_MS = 1_000;

/** The open connections, each with the responses of its pending calls. */
export type Connections = Map<Socket, Set<ServerResponse>>;

/** Returns whether the server waits for the caller: the body is incomplete, or the response is not being received. */
const waitsForCaller = ({ req, headersSent }: ServerResponse): boolean => !req.complete || headersSent;

/**
 * As the server closes, connections without a call are hung up: one that has not said a word, as browsers open them
 * ahead, or half a line, Node would wait for as long as headers may take. After a while so are those whose callers
 * keep the server waiting; a call that the server works on is not cut off.
 */
export function hangUpOnClosing(app: FastifyInstance, connections: Connections): void {
  app.server.on('connection', (socket) => {
    connections.set(socket, new Set());
    socket.once('close', () => connections.delete(socket));
  });
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    const startedAt = performance.now();
    timer = setInterval(() => {
      const isLate = performance.now() - startedAt > CALLER_MS_MAX;
      for (const [socket, responses] of connections)
        if ([...responses].every((response) => isLate && waitsForCaller(response))) socket.destroy();
    }, HANG_UP_MS);
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Errors of Node with their own status, as Node's `http` server responds; all others are 400. */
const BROKEN_STATUSES: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Responds to input that is no valid request: headers above Node's limit (16 kB with the address), a line that is not
 * HTTP, a request that takes too long. The response has a code of ours, and the connection ends. Remaining input is
 * read for a moment, because destroying a connection with unread bytes resets it and loses the response.
 */
export function respondBroken(connections: Connections, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  // A second response cannot follow one that has begun.
  if ([...(connections.get(socket) ?? [])].some((response) => response.headersSent)) {
    socket.destroy(error);
    return;
  }
  const status = BROKEN_STATUSES[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ message: 'INVALID_REQUEST' });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'cache-control: no-store',
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
