import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface CallShape {
  body: unknown;
  reply: unknown;
}

/** One request as it arrived. */
export interface Received<Body = unknown> {
  path: string;
  body: Body;
  idempotencyKey: string | undefined;
}

/** The server's statuses of codes that are not its 400, as far as forms are refused with them. */
const STATUSES: Readonly<Record<string, number>> = {
  WRONG_CREDENTIAL: 401,
  UNAUTHORIZED: 403,
  INACTIVE_USER: 403,
  ROW_CHANGED: 409,
  IDEMPOTENCY_CONFLICT: 409,
  REQUEST_LIMIT: 429,
  REQUEST_LIMIT_1MIN: 429,
  OTP_BLOCK: 429,
  PROVIDER_UNAVAILABLE: 503,
};

type Responder = (response: ServerResponse, body: unknown) => void;

/** The server's side of the declared calls: each test says what a call answers and reads what was sent. */
export interface HttpStub<Calls> {
  origin: string;
  /** From now on the call succeeds with this. */
  reply<Name extends keyof Calls & string>(name: Name, reply: ReplyOf<Calls[Name]>): void;
  /** From now on the call succeeds with what this makes of its body. */
  respond<Name extends keyof Calls & string>(
    name: Name,
    replyTo: (body: BodyOf<Calls[Name]>) => ReplyOf<Calls[Name]>,
  ): void;
  /** From now on the call is refused with this code; with the status that the server gives it, unless another is named. */
  refuse(name: keyof Calls & string, code: string, data?: object, status?: number): void;
  /** From now on the connection breaks without an answer. */
  dropConnection(name: keyof Calls & string): void;
  /** From now on the call waits; the function returned lets every waiting one have the answer set by then. */
  hold(name: keyof Calls & string): () => void;
  /** Every request of the call so far. */
  received<Name extends keyof Calls & string>(name: Name): Received<BodyOf<Calls[Name]>>[];
  /**
   * Resolves after requests that are made now, one after the other: what had its last response, and was about to send
   * another call, has sent it by then.
   */
  settled(): Promise<void>;
  /** Calls that no test has given an answer. */
  unanswered: string[];
  reset(): void;
}

type ReplyOf<Call> = Call extends CallShape ? Call['reply'] : never;
type BodyOf<Call> = Call extends CallShape ? Call['body'] : never;

const SETTLED = '/settled';

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

/** "POST /api/x/{id}" as a pattern for a request line. */
const patternOf = (name: string): RegExp => new RegExp(`^${name.replace(/\{\w+\}/g, '[^/]+')}$`);

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return request.headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : text;
}

/** Starts a real HTTP server on a free port that answers the declared calls as the test says. */
export async function startHttpStub<Calls>(): Promise<HttpStub<Calls>> {
  const responses = new Map<string, Responder>();
  const held = new Map<string, { response: ServerResponse; body: unknown }[]>();
  const requests: { name: string; received: Received }[] = [];
  const unanswered: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === SETTLED) return sendJson(response, 200, {});
    const path = request.url?.split('?')[0] ?? '';
    const line = `${request.method} ${path}`;
    const name = [...responses.keys()].find((one) => patternOf(one).test(line)) ?? line;
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    const body = await bodyOf(request);
    requests.push({ name, received: { path: request.url ?? '', body, idempotencyKey } });
    const reply = responses.get(name);
    if (held.has(name)) held.get(name)?.push({ response, body });
    else if (reply) reply(response, body);
    else {
      unanswered.push(line);
      sendJson(response, 404, { message: 'NO_STUB' });
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // It lives as long as the process of its test file.
  server.unref();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    settled: async () => {
      for (let time = 0; time < 3; time++) await (await fetch(`${origin}${SETTLED}`)).json();
    },
    reply: (name, reply) => responses.set(name, (response) => sendJson(response, 200, reply)),
    respond: (name, replyTo) =>
      responses.set(name, (response, body) => sendJson(response, 200, replyTo(body as never))),
    refuse: (name, code, data = {}, status = STATUSES[code] ?? 400) =>
      responses.set(name, (response) => sendJson(response, status, { message: code, data })),
    dropConnection: (name) => responses.set(name, (response) => response.destroy()),
    hold: (name) => {
      held.set(name, []);
      return () => {
        const waiting = held.get(name) ?? [];
        held.delete(name);
        for (const { response, body } of waiting) responses.get(name)?.(response, body);
      };
    },
    received: (name) =>
      requests.filter((request) => request.name === name).map(({ received }) => received) as never,
    unanswered,
    reset: () => {
      responses.clear();
      held.clear();
      requests.length = 0;
      unanswered.length = 0;
    },
  };
}
