/** What the tests need around a sandbox: a product that answers confirmations, and callers for each protocol. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Sandbox, startSandbox } from '../app.ts';
import type { SandboxOptions } from '../settings.ts';

export interface Notice {
  body: string;
  json: Record<string, string> | null;
  signature: string;
}

export interface Product {
  url: string;
  notices: Notice[];
  /** What the product answers; null refuses with 500. */
  resCode: string | null;
  stop(): Promise<void>;
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

const parsed = (text: string): Record<string, string> | null => {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    return null;
  }
};

/** A product that only receives confirmations. */
export async function startProduct(): Promise<Product> {
  const product: Product = { url: '', notices: [], resCode: '00', stop: async () => undefined };
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    product.notices.push({
      body,
      json: parsed(body),
      signature: String(request.headers['x-bank-signature'] ?? request.headers['x-gateway-signature']),
    });
    response.statusCode = product.resCode === null ? 500 : 200;
    const received = product.resCode === '00';
    response.end(JSON.stringify({ resCode: product.resCode, resDesc: '', transactionId: '', received }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  product.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  product.stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return product;
}

export interface Reply<B = Record<string, unknown>> {
  status: number;
  body: B;
  text: string;
}

/** One HTTP call; throws when the line is cut. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape.
export async function call<B = any>(url: string, options: RequestInit = {}): Promise<Reply<B>> {
  const reply = await fetch(url, options);
  const text = await reply.text();
  return { status: reply.status, body: parsed(text) as B, text };
}

export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A sandbox in memory, a product beside it, and short names for calling it. */
export async function startTestEnv(options: Partial<SandboxOptions> = {}) {
  const product = await startProduct();
  const sandbox: Sandbox = await startSandbox({ productUrl: product.url, seed: 1, ...options });
  const bankUrl = `${sandbox.url}/outside/bank-a/v1`;
  const keys = { applicationKey: 'sandbox-app', applicationSecret: 'sandbox-secret' };
  const { body } = await call(`${bankUrl}/oauth/token`, json(keys));
  const bearer = { authorization: `Bearer ${body.data.accessToken}` };
  const smsKeys = { api_key: 'sandbox-sms', secret_key: 'sandbox-sms-secret' };
  return {
    product,
    sandbox,
    bearer,
    bank: (path: string, content?: unknown) =>
      call(bankUrl + path, content === undefined ? { headers: bearer } : json(content, bearer)),
    sms: (path: string, content?: unknown) =>
      call(
        `${sandbox.url}/outside/sms/v1${path}`,
        content === undefined ? { headers: smsKeys } : json(content, smsKeys),
      ),
    gateway: (party: 'ww' | 'zapman', path: string, content?: unknown, key = `sandbox-${party}`) =>
      call(
        `${sandbox.url}/outside/gateways/${party}/v1${path}`,
        content === undefined ? { headers: { 'x-api-key': key } } : json(content, { 'x-api-key': key }),
      ),
    game: (
      agent: string,
      path: string,
      form: Record<string, string> = {},
      keys: Record<string, string> = {},
    ) =>
      call(`${sandbox.url}/outside/game-f/${agent}/v4/${path}`, {
        method: 'POST',
        headers: { 'x-api-key': `sandbox-${agent}`, 'x-api-cat': 'sandbox-cat', ...keys },
        body: new URLSearchParams(form),
      }),
    control: (path: string, content?: unknown) =>
      call(`${sandbox.url}/control/${path}`, content === undefined ? {} : json(content)),
    stop: async () => {
      await sandbox.stop();
      await product.stop();
    },
  };
}

export type TestEnv = Awaited<ReturnType<typeof startTestEnv>>;

/** Creates a QR at the bank and answers its text. */
export async function createQr(env: TestEnv, ref1: string, amount = '500.00'): Promise<string> {
  const ppId = '010753600031501';
  const content = { qrType: 'PP', ppType: 'BILLERID', ppId, amount, ref1, ref2: 'R2' };
  return (await env.bank('/payment/qrcode/create', content)).body.data.qrRawData;
}
