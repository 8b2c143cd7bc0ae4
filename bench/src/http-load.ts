import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  port: number;
  tokens: readonly string[];
  inFlight: number;
  seconds: number;
}

let serial = 0;

/** One request as bytes: written by hand, so that the load costs little beside what it measures. */
function requestText(options: LoadOptions): string {
  const token = options.tokens[Math.floor(Math.random() * options.tokens.length)]!;
  const body = '{"amount":1}';
  return (
    `POST /api/wallet/withdraw HTTP/1.1\r\nHost: 127.0.0.1:${options.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
    `X-Requested-With: wallet-user\r\nIdempotency-Key: bench-${process.pid}-${serial++}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Reads one answer of a keep-alive connection; throws when it is not a success. */
function readAnswer(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < head + 4 + length) return;
      socket.off('data', onData).off('error', reject);
      if (text.startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(text.slice(0, 400)));
    };
    socket.on('data', onData);
    socket.once('error', reject);
  });
}

/** Keeps so many calls in flight for the time; answers calls a second and each one's time in ms. */
export async function runLoad(options: LoadOptions): Promise<{ rate: number; times: number[] }> {
  const times: number[] = [];
  const started = performance.now();
  const until = started + options.seconds * 1000;
  await Promise.all(
    Array.from({ length: options.inFlight }, async () => {
      const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
      await new Promise((resume) => socket.once('connect', resume));
      while (performance.now() < until) {
        const at = performance.now();
        const answer = readAnswer(socket);
        socket.write(requestText(options));
        await answer;
        times.push(performance.now() - at);
      }
      socket.destroy();
    }),
  );
  return { rate: times.length / ((performance.now() - started) / 1000), times };
}
