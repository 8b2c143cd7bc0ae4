import { Agent, request } from 'node:http';
import type { FuzzRequest } from './requests.ts';

/** What came back: a status and the answer's text, or the error of a connection that broke. */
export type Reply =
  | { status: number; type: string; text: string; retryAfter: string | undefined }
  | { broken: string };

/** The two origins of a server under test. */
export interface Origins {
  member: string;
  console: string;
}

const TEXT_MAX = 200_000;
const TIMEOUT_MS = 60_000;

/** Sends generated requests over keep-alive connections, `inFlight` of them at once at most. */
export function sender(origins: Origins, inFlight: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const send = (wanted: FuzzRequest): Promise<Reply> =>
    new Promise((resolve) => {
      const origin = new URL(wanted.isConsole ? origins.console : origins.member);
      const length = wanted.body === undefined ? 0 : Buffer.byteLength(wanted.body);
      const call = request(
        {
          agent,
          host: origin.hostname,
          port: origin.port,
          method: wanted.method,
          path: wanted.path,
          headers: { ...wanted.headers, ...(wanted.body === undefined ? {} : { 'content-length': length }) },
          timeout: TIMEOUT_MS,
        },
        (reply) => {
          let text = '';
          reply.setEncoding('utf8');
          reply.on('data', (part: string) => {
            if (text.length < TEXT_MAX) text += part;
          });
          reply.on('end', () =>
            resolve({
              status: reply.statusCode ?? 0,
              type: reply.headers['content-type'] ?? '',
              text,
              retryAfter: reply.headers['retry-after'],
            }),
          );
          reply.on('error', (error) => resolve({ broken: error.message }));
        },
      );
      call.on('timeout', () => call.destroy(new Error('no answer in time')));
      call.on('error', (error) => resolve({ broken: error.message }));
      call.end(wanted.body);
    });
  return { send, close: () => agent.destroy() };
}
