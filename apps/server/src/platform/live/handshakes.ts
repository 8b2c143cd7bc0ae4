import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Server } from 'socket.io';
import { type Budget, Overloaded } from '../budget.ts';
import { networkOf } from '../http/caller.ts';

interface HandshakeDeps {
  budget: Budget;
  callerOf(request: IncomingMessage): string;
}

type Handshake = IncomingMessage & { _query?: Record<string, string> };

/** The part of a response that exists for an upgrade request too: there socket.io has only the connection. */
type Response = ServerResponse | { req: IncomingMessage; end(): void };

const RETRY_AFTER_SECONDS = 5;

/** Responds with 429 or 503 and closes the connection; an upgrade request gets the response on its raw connection. */
function refuse(request: IncomingMessage, response: Response, status: 429 | 503): void {
  const text = status === 429 ? 'Too Many Requests' : 'Service Unavailable';
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS), connection: 'close', 'content-length': 0 };
  if ('headersSent' in response) {
    response.writeHead(status, headers).end();
    return;
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  request.socket.end([`HTTP/1.1 ${status} ${text}`, ...lines, '', ''].join('\r\n'), () =>
    request.socket.destroy(),
  );
}

/**
 * Counts every live connection from its handshake, before anything was said on it: websocket connections until they
 * close, polling sessions until they end. Past the budget the handshake is answered 429 (the network has its share)
 * or 503 (none is free), both with Retry-After. Returns the function that hangs up on every websocket connection: at the
 * end of the server, on those who do not answer its goodbye.
 */
export function limitHandshakes(
  // biome-ignore lint/suspicious/noExplicitAny: any typing of the server's events will do
  io: Server<any, any, any, any>,
  { budget, callerOf }: HandshakeDeps,
): () => void {
  const pending = new WeakMap<IncomingMessage, () => void>();
  const upgraded = new Set<Socket>();
  io.engine.use((request: Handshake, response: Response, next: (error?: Error) => void) => {
    const { socket } = request;
    if (!('headersSent' in response)) {
      upgraded.add(socket);
      socket.once('close', () => upgraded.delete(socket));
    }
    if (request._query?.sid) return next();
    let release: () => void;
    try {
      release = budget.take(networkOf(callerOf(request)));
    } catch (error) {
      return refuse(request, response, error instanceof Overloaded ? 503 : 429);
    }
    pending.set(request, release);
    // A handshake that fails becomes no connection: the end of its request gives back what it took.
    if ('headersSent' in response) response.once('close', () => pending.get(request)?.());
    else socket.once('close', release);
    return next();
  });
  io.engine.on(
    'connection',
    (connection: { request: IncomingMessage; once: (e: 'close', f: () => void) => void }) => {
      const release = pending.get(connection.request);
      if (!release) return;
      pending.delete(connection.request);
      connection.once('close', release);
    },
  );
  return () => {
    for (const socket of upgraded) socket.destroy();
  };
}
