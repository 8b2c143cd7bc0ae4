import { Agent, request } from 'node:http';

/** One end that calls over a connection and from an address of its own, as one phone does. */
export interface Caller {
  agent: Agent;
  headers: Record<string, string>;
}

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
  body: any;
}

/** An address of this machine for each caller: what is counted by address is counted for each. Linux has them all. */
export const addressOf = (at: number): string | undefined =>
  process.platform === 'linux' ? `127.1.${Math.floor(at / 250)}.${1 + (at % 250)}` : undefined;

export function callerAt(at: number, headers: Record<string, string>): Caller {
  const localAddress = addressOf(at);
  const agent = new Agent({ keepAlive: true, ...(localAddress ? { localAddress } : {}) });
  return { agent, headers: { 'content-type': 'application/json', ...headers } };
}

/** Makes one call; null without a response. */
export function callOnce(caller: Caller, method: string, url: string, body?: object): Promise<Reply | null> {
  return new Promise((resolve) => {
    const options = { method, agent: caller.agent, headers: caller.headers, timeout: 10_000 };
    const sent = request(url, options, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.once('error', () => resolve(null));
      reply.once('end', () => {
        try {
          resolve({ status: reply.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) });
        } catch {
          resolve(null);
        }
      });
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(null));
    sent.end(body && JSON.stringify(body));
  });
}
