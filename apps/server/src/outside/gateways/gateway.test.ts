import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { paymentGateway } from './gateway.ts';

const payer = { bankCode: '004', accountNo: '1234567890', name: 'Som' };
const transfer = (transferId: string, fields: object = {}) => ({
  transferId,
  amount: '100.00',
  paidAt: '2026-11-30T10:00:00+07:00',
  payer,
  ...fields,
});

test('a transfer in a form that cannot be read is counted, and those beside it are read', async () => {
  const transfers = [
    transfer('T1'),
    transfer('T2', { paidAt: 'yesterday' }),
    transfer('T3', { amount: '100.005' }),
    transfer(''),
  ];
  const payment = {
    paymentId: 'P1',
    reference: 'R1',
    amount: '100.00',
    status: 'PAID',
    qrText: '',
    expiresAt: '2026-11-30T10:15:00+07:00',
    transfers,
  };
  const server = createServer((_request, reply) => reply.end(JSON.stringify(payment)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const gateway = paymentGateway({
    code: 'WW',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'key',
    callbackSecret: 'secret',
    hooksUrl: 'http://127.0.0.1',
    timeoutMs: () => 10_000,
  });
  expect(await gateway.paymentsFor('R1')).toMatchObject({
    outcome: 'ok',
    value: { payments: [{ bankReference: 'T1', amountMinor: 100_00n }], unreadable: 3 },
  });
});
