import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { inSpan } from '../../platform/tracing.ts';

/** What an attempt came to. */
export interface WebhookResponse {
  /** Null: no complete response; `failure` says why. */
  status: number | null;
  failure: string | null;
  latencyMs: number;
  /** The first bytes of the body as text. */
  response: string;
}

/** Sends requests to addresses that operators chose, and never into the server's own network. */
export interface WebhookClient {
  /** Reports whether an address may be stored: HTTPS, no user or fragment, no internal IP address. */
  accepts(url: string): boolean;
  /** Sends one POST. Never throws, follows no redirect, reads the first bytes of the response only. */
  send(url: string, headers: Record<string, string>, body: string): Promise<WebhookResponse>;
}

/** How a name becomes addresses; all of them. */
type Resolve = (
  name: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface WebhookSettings {
  /** Addresses that count as public, such as a receiver in the own network. */
  isAllowed(address: string): boolean;
  allowsHttp: boolean;
  timeoutMs: number;
  resolve?: Resolve;
  /** Name servers, each an address with a port; those of the system by default. */
  nameServers?: readonly string[];
}

const RESPONSE_BYTES_KEPT = 512;
const INTERNAL = 'INTERNAL_ADDRESS';
/** Global unicast: all IPv6 addresses that are routed on the internet are in 2000::/3. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Reports whether an address is one of the internet: not private, loopback, link-local, carrier-grade NAT, metadata
 * service, multicast or reserved, nor IPv6 that leads to an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address)) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return false;
  return plain instanceof ipaddr.IPv4 || plain.match(GLOBAL_UNICAST);
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');
const internalAddress = (): Error => Object.assign(new Error('an internal address'), { code: INTERNAL });

/** How long IPv6 addresses are waited for once the IPv4 ones are there, in ms. */
const IPV6_GRACE_MS = 500;
const never = () => new Promise<never>(() => undefined);

/**
 * Queries the name servers itself, for less than `timeoutMs` with two of them. The system's resolver would occupy a
 * thread that the names of banks and games need, for as long as a receiver's name servers are silent.
 */
function resolverOf({ timeoutMs, nameServers }: WebhookSettings): Resolve {
  return (name, _options, done) => {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 8), tries: 2 });
    if (nameServers) resolver.setServers(nameServers);
    const ipv4 = resolver.resolve4(name);
    const ipv6 = resolver.resolve6(name);
    const late = ipv4.then(() => pause(IPV6_GRACE_MS, []), never);
    Promise.allSettled([ipv4, Promise.race([ipv6, late])]).then(([four, six]) => {
      const found = [
        ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
        ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
      ];
      done(found.length === 0 && four.status === 'rejected' ? four.reason : null, found);
    });
  };
}

/** Resolves a name and refuses it when one of its addresses is internal; the connection uses what was checked. */
function checkedLookup(mayReach: (address: string) => boolean, resolve: Resolve): LookupFunction {
  return (name, options, done) => {
    resolve(name, { all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error || !first) return done(error ?? new Error('no address'), '', 0);
      if (!addresses.every(({ address }) => mayReach(address))) return done(internalAddress(), '', 0);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

/** Reads the first bytes as text and leaves the rest; characters that are no text are replaced. */
async function readStart(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    // Leaving the loop ends the exchange.
    if (bytes >= RESPONSE_BYTES_KEPT) break;
  }
  const text = Buffer.concat(parts).subarray(0, RESPONSE_BYTES_KEPT).toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd');
}

const failureOf = (error: unknown): string => {
  const { name, code } = error as { name: string; code?: string };
  return code ?? name;
};

/** Creates the client; `settings.resolve` replaces the queries of name servers in tests. */
export function webhookClient(settings: WebhookSettings): WebhookClient {
  const mayReach = (address: string) => isPublicAddress(address) || settings.isAllowed(address);
  const lookup = checkedLookup(mayReach, settings.resolve ?? resolverOf(settings));

  async function exchange(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal) {
    const host = withoutBrackets(url.hostname);
    // An address instead of a name is connected to without a lookup.
    if (isIP(host) && !mayReach(host)) throw internalAddress();
    const { request } = url.protocol === 'https:' ? https : http;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers, lookup, signal, agent: false }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
    return { status: response.statusCode ?? null, response: await readStart(response) };
  }

  return {
    accepts(text) {
      const url = URL.parse(text);
      if (!url || url.username || url.password || url.hash) return false;
      if (url.protocol !== 'https:' && !(settings.allowsHttp && url.protocol === 'http:')) return false;
      const host = withoutBrackets(url.hostname);
      return !isIP(host) || mayReach(host);
    },
    async send(text, headers, body) {
      const url = new URL(text);
      const begun = performance.now();
      const signal = AbortSignal.timeout(settings.timeoutMs);
      const result = await inSpan(`POST ${url.host}`, () => exchange(url, headers, body, signal)).then(
        (complete) => ({ ...complete, failure: null }),
        (error: unknown) => {
          const failure = signal.aborted ? 'TIMEOUT' : failureOf(error);
          return { status: null, failure, response: '' };
        },
      );
      return { ...result, latencyMs: Math.round(performance.now() - begun) };
    },
  };
}
