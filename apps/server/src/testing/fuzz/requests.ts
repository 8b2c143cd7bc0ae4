import type { CallDeclaration } from '@krapao/contract/shared';
import { MEMBER_CALLS, OPERATOR_CALLS } from './calls.ts';
import type { Random } from './random.ts';
import { fitting, type Pool, spoilt, wireText } from './values.ts';

/** Somebody who calls: a guest, a member by their token, or an operator by their cookie. */
export interface Caller {
  kind: string;
  token?: string;
  cookie?: string;
}

/** One request as it goes over the wire. */
export interface FuzzRequest {
  call: CallDeclaration;
  /** Which of the two origins it goes to. */
  isConsole: boolean;
  caller: Caller;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
const TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
  '',
];
const HEADERS: readonly (readonly [string, string])[] = [
  ['sec-purpose', 'prefetch'],
  ['sec-fetch-site', 'cross-site'],
  ['origin', 'https://elsewhere.example'],
  ['accept-language', 'xx;q=abc'],
  ['authorization', 'Bearer x, Bearer y'],
  ['cookie', 'operator-session=x'],
  ['accept-encoding', 'br;q=1000'],
  ['if-none-match', '*'],
  ['range', 'bytes=0-0'],
];

/** An address of the ranges for documentation, so that limits per address are not all that is tested. */
const addressOf = (random: Random): string =>
  `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${1 + random.below(250)}`;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A form with a small picture or something else where the call takes a file. */
function formOf(call: CallDeclaration, random: Random): { type: string; body: Buffer } {
  const boundary = `fuzz${random.below(1e9)}`;
  const parts: (Buffer | string)[] = [];
  for (const [name, part] of Object.entries(call.multipart ?? {})) {
    if (random.chance(0.1)) continue;
    const file = random.pick(['a.png', 'a.jpg', 'a.svg', 'a.mp4', '../a.png', 'a']);
    const head = part.isFile ? `; filename="${file}"\r\nContent-Type: image/png` : '';
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n`);
    parts.push(part.isFile && random.chance(0.6) ? PIXEL : Buffer.from('not a picture'), '\r\n');
  }
  parts.push(random.chance(0.9) ? `--${boundary}--\r\n` : '');
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

function pathOf(call: CallDeclaration, random: Random, pool: Pool): string {
  const schemas = (call.params as { properties?: Record<string, unknown> } | undefined)?.properties ?? {};
  const path = call.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = fitting(schemas[name] ?? { type: 'string' }, random, pool, name);
    return encodeURIComponent(wireText(random.chance(0.15) ? spoilt(value, random) : value)).slice(0, 3_000);
  });
  if (!call.query) return path;
  const wanted = fitting(call.query, random, pool);
  const query = random.chance(0.3) ? spoilt(wanted, random) : wanted;
  const fields = typeof query === 'object' && query !== null ? Object.entries(query) : [['q', query]];
  const text = fields.map(([name, value]): [string, string] => [String(name), wireText(value)]);
  return `${path}?${new URLSearchParams(text)}`;
}

function bodyOf(
  call: CallDeclaration,
  random: Random,
  pool: Pool,
): { type: string; body: string | Buffer } | null {
  if (call.multipart) return formOf(call, random);
  if (!call.body) return random.chance(0.05) ? { type: 'application/json', body: '{}' } : null;
  const wanted = fitting(call.body, random, pool);
  const value = random.chance(0.45) ? spoilt(wanted, random) : wanted;
  const text = JSON.stringify(value) ?? 'null';
  const body = random.chance(0.02) ? text.slice(0, random.below(text.length + 1)) : text;
  return { type: random.chance(0.02) ? random.pick(TYPES) : 'application/json', body };
}

/** A generated request of somebody; valid in shape about half of the time. */
export function makeRequest(random: Random, pool: Pool, callers: readonly Caller[]): FuzzRequest {
  const caller = random.pick(callers);
  const isConsole = caller.cookie !== undefined ? !random.chance(0.02) : random.chance(0.1);
  const call = random.pick(isConsole ? OPERATOR_CALLS : MEMBER_CALLS);
  const payload = bodyOf(call, random, pool);
  const headers: Record<string, string> = {
    'x-forwarded-for': addressOf(random),
    'x-requested-with': isConsole ? 'console-operator' : 'wallet-user',
    ...(isConsole ? { origin: 'http://localhost', host: 'localhost' } : {}),
    ...(caller.token ? { authorization: `Bearer ${caller.token}` } : {}),
    ...(caller.cookie ? { cookie: caller.cookie } : {}),
    ...(payload?.type ? { 'content-type': payload.type } : {}),
  };
  if (call.idempotent && random.chance(0.5)) headers['idempotency-key'] = `fuzz-key-${random.below(5_000)}`;
  if (random.chance(0.03)) {
    const [name, value] = random.pick(HEADERS);
    headers[name] = value;
  }
  const method = random.chance(0.02) ? random.pick(METHODS) : call.method;
  const path = random.chance(0.01) ? `${call.path}/%ff%00` : pathOf(call, random, pool);
  const hasBody = payload && method !== 'GET' && method !== 'HEAD';
  return { call, isConsole, caller, method, path, headers, body: hasBody ? payload.body : undefined };
}
