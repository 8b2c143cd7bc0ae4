import { connect } from 'node:net';

export interface LoadOptions {
  port: number;
  tokens: readonly string[];
  inFlight: number;
  seconds: number;
}

let serial = 0;

/** Builds a request directly as bytes, so that generating load costs little beside what is measured. */
function requestText(options: LoadOptions): string {
  const token = options.tokens[Math.floor(Math.random() * options.tokens.length)]!;
  const body = '{"amount":1}';
  return (
    `POST /api/wallet/withdraw HTTP/1.1\r\nHost: 127.0.0.1:${options.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
    `X-Requested-With: wallet-user\r\nIdempotency-Key: bench-${process.pid}-${serial++}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Returns whether a response is complete: its head and the announced number of bytes. */
function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  const length = text.indexOf('content-length: ');
  return head > 0 && text.length >= head + 4 + Number.parseInt(text.slice(length + 16, length + 24), 10);
}

/**
 * Uses one keep-alive connection: each response starts the next call until the time is over. Rejects at any response
 * but success.
 */
function converse(options: LoadOptions, until: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
    let text = '';
    let at = 0;
    const end = (failure?: Error) => {
      socket.destroy();
      if (failure) reject(failure);
      else resolve();
    };
    const send = () => {
      at = performance.now();
      if (at >= until) end();
      else socket.write(requestText(options), 'latin1');
    };
    socket.on('connect', send).on('error', end);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (!isWhole(text)) return;
      if (!text.startsWith('HTTP/1.1 200')) return end(new Error(text.slice(0, 400)));
      text = '';
      times.push(performance.now() - at);
      send();
    });
  });
}

/** Keeps a number of calls in flight for a time; returns calls per second and the duration of each in ms. */
export async function runLoad(options: LoadOptions): Promise<{ rate: number; times: number[] }> {
  const times: number[] = [];
  const started = performance.now();
  const until = started + options.seconds * 1000;
  await Promise.all(Array.from({ length: options.inFlight }, () => converse(options, until, times)));
  return { rate: times.length / ((performance.now() - started) / 1000), times };
}
