import { expect, test } from 'vitest';
import { CALLS, OPERATOR_CALLS } from './testing-calls.ts';

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean;
  items?: Schema;
  anyOf?: Schema[];
}

/** Passwords are hashed and never stored, so any character may be in them. */
const HASHED = new Set(['password', 'oldPassword', 'newPassword']);
const WITH_NUL = ['\0', 'a\0b', '1\0', '0\x001'];

const takes = (pattern: string, value: string): boolean => new RegExp(pattern, 'u').test(value);

/**
 * Paths of the strings, and of the keys of records, that allow NUL. A record refuses a key that does not match its
 * pattern only with `additionalProperties: false`.
 */
function stringsAllowingNul(path: string, schema: Schema): string[] {
  const found: string[] = [];
  const isClosed = schema.enum !== undefined || schema.const !== undefined || schema.format !== undefined;
  if (schema.type === 'string' && !isClosed && WITH_NUL.some((value) => takes(schema.pattern ?? '', value)))
    found.push(path);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    if (!HASHED.has(name)) found.push(...stringsAllowingNul(`${path}.${name}`, field));
  for (const [pattern, field] of Object.entries(schema.patternProperties ?? {})) {
    if (schema.additionalProperties !== false || WITH_NUL.some((value) => takes(pattern, value)))
      found.push(`${path}: its keys`);
    found.push(...stringsAllowingNul(`${path}.*`, field));
  }
  for (const part of [schema.items, ...(schema.anyOf ?? [])])
    if (part) found.push(...stringsAllowingNul(path, part));
  return found;
}

test.each([
  ['members', CALLS],
  ['operators', OPERATOR_CALLS],
])('no request of %s may hold text with NUL, which PostgreSQL cannot store', (_who, calls) => {
  expect(Object.keys(calls).length).toBeGreaterThan(50);
  const found = Object.entries(calls).flatMap(([name, { body, query, params }]) =>
    Object.entries({ body, query, params }).flatMap(([part, schema]) =>
      schema ? stringsAllowingNul(`${name} ${part}`, schema as unknown as Schema) : [],
    ),
  );
  expect(found).toEqual([]);
});
