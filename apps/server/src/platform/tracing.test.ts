import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { startTestEnv } from '../testing/test-env.ts';

/** A collector that keeps what it is sent. */
const received: string[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    received.push(`${request.url} ${body}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => collector.once('listening', resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
const env = await startTestEnv({ jobs: false, environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
afterAll(() => collector.close());

test('traces of calls, ledger batches and partner calls reach the collector, without names, tokens or amounts', async () => {
  const member = await env.member({ amountMinor: 100_000n });
  await env.call('GET', '/api/wallet/activate/betflix', undefined, { token: member.token });
  await env.call(
    'POST',
    '/api/wallet/transfer',
    { from: 'wallet', to: 'betflix', amount: 123 },
    { token: member.token },
  );
  // Closing sends what still waits.
  await env.app.close();
  const all = received.join('\n');
  expect(all).toContain('/v1/traces');
  for (const name of [
    'POST /api/wallet/transfer',
    'GET /api/wallet/activate/:slotCode',
    'ledger batch',
    'POST 127.0.0.1',
  ])
    expect(all).toContain(name);
  for (const secret of [member.token, member.phone, member.accountNo]) expect(all).not.toContain(secret);
});
