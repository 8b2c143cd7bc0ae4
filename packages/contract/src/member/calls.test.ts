import { describe, expect, test } from 'vitest';
import { type CallDeclaration, ERROR_CODES } from '../shared/index.ts';
import {
  limits,
  lookups,
  notifications,
  ownData,
  password,
  pin,
  profile,
  qr,
  registration,
  sessions,
  slips,
  statement,
  wallet,
  wheel,
} from './index.ts';

const { readLimits, setLimit, removeLimit, startExclusion } = limits;
const { listStatements } = statement;
const { uploadSlip, listSlips, readSlip, reportPayment } = slips;
const calls: CallDeclaration[] = Object.values({
  ...ownData,
  ...profile,
  ...registration,
  ...lookups,
  ...notifications,
  ...password,
  ...pin,
  ...qr,
  ...sessions,
  ...wheel,
  ...wallet,
  readLimits,
  setLimit,
  removeLimit,
  startExclusion,
  listStatements,
  uploadSlip,
  listSlips,
  readSlip,
  reportPayment,
});

type Schema = {
  additionalProperties?: unknown;
  properties?: Record<string, Schema>;
  type?: string;
  maxLength?: number;
  'x-refusal'?: string;
  items?: Schema;
  anyOf?: Schema[];
};

/** Objects inside a schema that accept undeclared fields. */
function open(schema: Schema, at: string): string[] {
  const inner = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => open(part, `${at}.${name}`)),
    ...(schema.items ? open(schema.items, `${at}[]`) : []),
    ...(schema.anyOf ?? []).flatMap((part) => open(part, at)),
  ];
  return schema.properties && schema.additionalProperties !== false ? [at, ...inner] : inner;
}

describe('every declared call', () => {
  test.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', (name, call) => {
    for (const part of ['params', 'body', 'reply'] as const)
      if (call[part]) expect(open(call[part] as Schema, `${name} ${part}`)).toEqual([]);
    const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys((call.params as Schema | undefined)?.properties ?? {})).toEqual(inPath);
    for (const [field, schema] of Object.entries((call.body as Schema | undefined)?.properties ?? {}))
      if (schema.type === 'string') expect([field, schema.maxLength]).toEqual([field, expect.any(Number)]);
    for (const field of Object.values((call.body as Schema | undefined)?.properties ?? {}))
      if (field['x-refusal']) expect(call.refusals).toContain(field['x-refusal']);
    expect(call.refusals ?? []).toSatisfy((codes: string[]) => new Set(codes).size === codes.length);
    expect(ERROR_CODES).toEqual(expect.arrayContaining([...(call.refusals ?? [])]));
    expect(call.summary).not.toBe('');
    if (call.idempotent) expect([call.method, call.access]).toEqual(['POST', 'member']);
    if (call.sideEffect) expect([call.method, call.access]).toEqual(['GET', 'member']);
    if (call.method === 'GET' || call.method === 'DELETE') expect(call.body).toBeUndefined();
  });

  test('has a method and path of its own', () => {
    expect(new Set(calls.map((call) => `${call.method} ${call.path}`)).size).toBe(calls.length);
  });
});
