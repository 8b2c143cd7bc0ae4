import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createCallerOf, networkOf, networksOf, proxiesOf } from './caller.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
  }) as unknown as IncomingMessage;

test('the caller is the peer of the connection, or whom a trusted proxy names; other forwarded headers are ignored', () => {
  const direct = createCallerOf(proxiesOf(''));
  expect(direct(from('192.0.2.1', '203.0.113.9'))).toBe('192.0.2.1');
  const behind = createCallerOf(proxiesOf('10.0.0.0/8, 127.0.0.1'));
  expect(behind(from('10.1.2.3', '203.0.113.9'))).toBe('203.0.113.9');
  expect(behind(from('10.1.2.3', '198.51.100.7, 203.0.113.9, 127.0.0.1'))).toBe('203.0.113.9');
  expect(behind(from('192.0.2.1', '203.0.113.9'))).toBe('192.0.2.1');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::5', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['no address', 'no address'],
])('%s is counted as %s', (address, network) => expect(networkOf(address)).toBe(network));

test('limits by address count an IPv6 site beside its networks, with four times the limit', () => {
  expect(networksOf('192.0.2.1')).toEqual([{ network: '192.0.2.1', times: 1 }]);
  expect(networksOf('::ffff:192.0.2.1')).toEqual([{ network: '192.0.2.1', times: 1 }]);
  expect(networksOf('2001:db8:1:2:3:4:5:6')).toEqual([
    { network: '2001:db8:1:2::/64', times: 1 },
    { network: '2001:db8:1::/48', times: 4 },
  ]);
  expect(networksOf('no address')).toEqual([{ network: 'no address', times: 1 }]);
});
