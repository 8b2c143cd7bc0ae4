import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** The proxies named in the settings; none by default. */
export const proxiesOf = (setting: string): string[] =>
  setting
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** The address of whoever calls, as the named proxies tell it: of a call and of a socket's handshake alike. */
export function createCallerOf(proxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...proxies]);
  return (request) => proxyAddr(request, isTrusted);
}
