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
  items?: Schema;
  anyOf?: Schema[];
}

/** Passwords are hashed and never stored, so any character may be in them. */
const HASHED = new Set(['password', 'oldPassword', 'newPassword']);
const WITH_NUL = ['\0', 'a\0b', '1\0', '0\x001'];

const takes = (pattern: string, value: string): boolean => new RegExp(pattern, 'u').test(value);

/** Paths of the strings, and of the keys of records, that take a NUL. */
function takingNul(path: string, schema: Schema): string[] {
  const found: string[] = [];
  const isClosed = schema.enum !== undefined || schema.const !== undefined || schema.format !== undefined;
  if (schema.type === 'string' && !isClosed && WITH_NUL.some((value) => takes(schema.pattern ?? '', value)))
    found.push(path);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    if (!HASHED.has(name)) found.push(...takingNul(`${path}.${name}`, field));
  for (const [pattern, field] of Object.entries(schema.patternProperties ?? {})) {
    if (WITH_NUL.some((value) => takes(pattern, value))) found.push(`${path}: its keys`);
    found.push(...takingNul(`${path}.*`, field));
  }
  for (const part of [schema.items, ...(schema.anyOf ?? [])]) if (part) found.push(...takingNul(path, part));
  return found;
}

test.each([
  ['members', CALLS],
  ['operators', OPERATOR_CALLS],
])('no call of %s takes text with NUL, which PostgreSQL refuses', (_who, calls) => {
  expect(Object.keys(calls).length).toBeGreaterThan(50);
  const found = Object.entries(calls).flatMap(([name, { body, query, params }]) =>
    Object.entries({ body, query, params }).flatMap(([part, schema]) =>
      schema ? takingNul(`${name} ${part}`, schema as unknown as Schema) : [],
    ),
  );
  expect(found).toEqual([]);
});
