import { type CallDeclaration, ERROR_CODES } from '@krapao/contract/shared';
import { describe, expect, test } from 'vitest';
import { operatorHelpers } from '../testing/operator.ts';
import { startTestEnv } from '../testing/test-env.ts';
import { OPERATOR_CALLS } from './testing-calls.ts';

const env = await startTestEnv({ jobs: false });
const helpers = operatorHelpers(env);
const admin = await helpers.operator('admin');
// All permissions: the test covers every call of an unlimited caller.
await env.owner.query(
  `update operator_role set permissions = (select array_agg(distinct p) from operator_role r, unnest(r.permissions) p) where code = 'admin'`,
);

const LISTS = Object.values(OPERATOR_CALLS)
  .filter((call) => call.access === 'operator' && call.query !== undefined)
  .map((call) => [`${call.method} ${call.path}`, call] as const);
const fieldsOf = (call: CallDeclaration): string[] =>
  Object.keys((call.query as unknown as { properties: object }).properties);
const pathOf = (call: CallDeclaration): string =>
  call.path.replace('{format}', 'csv').replace(/\{\w+\}/g, '1');

/** Values no list can be held against as a time. */
const NO_TIME = [
  '-1',
  '0',
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '2026-13-01',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '+012026-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T23:59:60Z',
  'infinity',
  'now',
  'Nov 2026',
];
const NUMBERS = ['-1', '0', '1e308', '1e999', 'NaN', 'Infinity', '0x10', '99999999999999999999', '1.00001'];
const TEXTS = [
  "' or 1=1--",
  '%',
  '_',
  '\\',
  '%00',
  '[',
  '(?=',
  '__proto__',
  'x'.repeat(5_000),
  '\ud83d',
  'ก'.repeat(80),
  '9223372036854775808',
  '-9223372036854775809',
];
const HOSTILE = [...NO_TIME, ...NUMBERS, ...TEXTS];

test('the contract declares lists', () => expect(LISTS.length).toBeGreaterThan(30));

describe.each(LISTS)('%s', (_name, call) => {
  test.each(fieldsOf(call))('answers hostile values of %s without a fault', async (field) => {
    for (const value of [...HOSTILE.map(encodeURIComponentOf), '%00', '%ff', `1&${field}=2`, '']) {
      const response = await helpers.call(admin, call.method, `${pathOf(call)}?${field}=${value}`);
      expect([field, value, response.status]).toEqual([
        field,
        value,
        expect.toSatisfy((status) => status < 500),
      ]);
      if (response.status >= 400) expect(ERROR_CODES).toContain(response.body.message);
    }
  });

  const times = fieldsOf(call).filter((field) => ['from', 'to', 'day'].includes(field));
  test.runIf(times.length > 0)('refuses a time the calendar does not have', async () => {
    for (const field of times)
      for (const value of NO_TIME) {
        const path = `${pathOf(call)}?${field}=${encodeURIComponent(value)}`;
        const response = await helpers.call(admin, call.method, path);
        expect([field, value, response.status, response.body?.message]).toEqual([
          field,
          value,
          400,
          'INVALID_REQUEST',
        ]);
      }
  });
});

/** A lone half of a pair has no encoding of its own. */
function encodeURIComponentOf(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
