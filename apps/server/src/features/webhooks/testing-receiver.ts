/** A receiver of webhooks for tests: a real HTTP server whose responses the test decides. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests check any response
  event: any;
  /** Responds later to a request that got no response. */
  reply(response: NonNullable<TestResponse>): void;
}

/** The response to a request; null: none. */
export type TestResponse = { status: number; headers?: Record<string, string>; body?: string } | null;

export interface Receiver {
  url: string;
  received: Received[];
  /** Decides the responses to the next requests; 200 by default. */
  respond(decide: (received: Received) => TestResponse): void;
}

/** Starts a receiver that ends with the test file. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let decide: (one: Received) => TestResponse = () => ({ status: 200 });
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      text,
      event: JSON.parse(text || 'null'),
      reply: ({ status, headers, body }: NonNullable<TestResponse>) => {
        response.writeHead(status, headers).end(body ?? 'ok');
      },
    };
    received.push(one);
    const reply = decide(one);
    if (reply) one.reply(reply);
  });
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond(next) {
      decide = next;
    },
  };
}
