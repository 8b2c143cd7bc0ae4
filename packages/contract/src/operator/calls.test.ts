import { describe, expect, test } from 'vitest';
import { type CallDeclaration, ERROR_CODES, OPERATOR_CODES } from '../shared/index.ts';
import {
  account,
  exports,
  members,
  money,
  operators,
  overview,
  PERMISSIONS,
  reconciliation,
  reports,
  slips,
  views,
  withdrawals,
} from './index.ts';

const isCall = (value: unknown): value is CallDeclaration =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
const calls = [
  account,
  overview,
  exports,
  members,
  money,
  reconciliation,
  reports,
  slips,
  operators,
  views,
  withdrawals,
].flatMap((group) => Object.values(group).filter(isCall));
/** What can be called without being signed in: signing in itself. */
const OPEN = ['POST /api/operator/login', 'POST /api/operator/enrolment', 'POST /api/operator/enrol'];

describe("every declared operators' call", () => {
  test.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', (name, call) => {
    expect(call.path).toMatch(/^\/api\/operator\//);
    expect(call.access).toBe(OPEN.includes(name) ? 'public' : 'operator');
    if (call.access === 'operator') expect([null, ...PERMISSIONS]).toContain(call.permission);
    const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys((call.params as { properties?: object } | undefined)?.properties ?? {})).toEqual(
      inPath,
    );
    expect([...ERROR_CODES, ...OPERATOR_CODES]).toEqual(expect.arrayContaining([...(call.refusals ?? [])]));
    for (const part of [call.params, call.query, call.body] as { properties?: object }[]) {
      if (!part) continue;
      expect(part).toMatchObject({ additionalProperties: false });
      for (const [field, schema] of Object.entries(part.properties ?? {}) as [
        string,
        { type: string; maxLength?: number },
      ][])
        if (schema.type === 'string') expect([field, schema.maxLength]).toEqual([field, expect.any(Number)]);
    }
    if (call.method === 'GET' || call.method === 'DELETE') expect(call.body).toBeUndefined();
    else expect(call.query).toBeUndefined();
    expect(call.summary).not.toBe('');
  });

  test('has a method and path of its own', () => {
    expect(new Set(calls.map((call) => `${call.method} ${call.path}`)).size).toBe(calls.length);
  });
});
