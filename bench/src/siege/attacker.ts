import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** An address of this machine's loopback range, as one of `count` attackers. */
export const attackerAddress = (number: number): string =>
  `127.66.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;

export interface Shot {
  port: number;
  method: string;
  path: string;
  from: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends one request from an attacker's address; returns its status, or 0 when the connection broke. */
export function shoot({
  port,
  method,
  path,
  from,
  headers,
  body,
}: Shot): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  return new Promise((resolve) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        localAddress: from,
        agent: false,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        timeout: 30_000,
      },
      (reply) => {
        reply.resume();
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers }));
        reply.on('error', () => resolve({ status: 0, headers: {} }));
      },
    );
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve({ status: 0, headers: {} }));
    call.end(body);
  });
}

/** A connection that writes some bytes and then keeps silent; `onEnd` is called when the other side has ended it. */
export function holdConnection(port: number, from: string, text: string | Buffer, onEnd: () => void): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let hasEnded = false;
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    socket.destroy();
    onEnd();
  };
  socket.on('connect', () => socket.write(text));
  // Not reading is part of the attack where the caller pauses the socket.
  socket.on('data', () => undefined);
  socket.on('error', end).on('close', end).on('end', end);
  return socket;
}
