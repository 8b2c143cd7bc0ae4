import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

/** The proxies named in the settings; none by default. */
export const proxiesOf = (setting: string): string[] =>
  setting
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Returns the caller's address as the trusted proxies report it, for calls and socket handshakes. */
export function createCallerOf(proxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...proxies]);
  return (request) => proxyAddr(request, isTrusted);
}

/**
 * What counts as one caller where calls are counted: an IPv4 address, or the 64 bits of an IPv6 address that a
 * subscriber is given whole (RFC 6177); they have more addresses in them than anybody could count.
 */
export function networkOf(address: string): string {
  if (!isIP(address)) return address;
  const plain = ipaddr.process(address);
  if (!(plain instanceof ipaddr.IPv6)) return plain.toString();
  return `${new ipaddr.IPv6([...plain.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}

/** An IPv6 /48, whose owner may use any of its 65,536 networks. */
const SITE_PARTS = 3;
/** How much more a site may do than one of its networks. */
const SITE_TIMES = 4;

/**
 * What a limit by address counts: the caller's network, and for IPv6 also the /48 around it with four times the limit,
 * because a site of 65,536 networks may be one person's (RFC 6177), or a mobile provider's with many.
 */
export function networksOf(address: string): { network: string; times: number }[] {
  const network = { network: networkOf(address), times: 1 };
  const plain = isIP(address) ? ipaddr.process(address) : null;
  if (!(plain instanceof ipaddr.IPv6)) return [network];
  const words = plain.parts.map((word, at) => (at < SITE_PARTS ? word : 0));
  return [network, { network: `${new ipaddr.IPv6(words)}/48`, times: SITE_TIMES }];
}

export interface AddressList {
  isEmpty: boolean;
  has(address: string): boolean;
}

/** A list of addresses and ranges, separated by spaces. Throws when an entry of the setting named is no address. */
export function addressList(name: string, text: string): AddressList {
  const entries = text.split(/\s+/).filter(Boolean);
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (!isIP(address)) throw new Error(`${name}: ${entry} is no address.`);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return {
    isEmpty: entries.length === 0,
    has(address) {
      const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
      return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
    },
  };
}
