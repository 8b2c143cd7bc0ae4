import { ApiError } from '@krapao/ui/api/api-error.ts';
import { expect, test } from 'vitest';
import { errorText } from './error-text.ts';

const named = (id: string, values: object = {}) => [id, ...Object.values(values)].join(' ');
const limited = (data: Record<string, unknown>) => errorText(named, new ApiError('REQUEST_LIMIT', data, 429));

test('what is limited says when it may be tried again, where the server said so', () => {
  expect(limited({ minutes: 7 })).toBe('error.waitMinutes 7');
  expect(limited({ minutes: 121 })).toBe('error.waitHours 3');
  expect(limited({})).toMatch(/^error\.(REQUEST_LIMIT|generic)/);
});
