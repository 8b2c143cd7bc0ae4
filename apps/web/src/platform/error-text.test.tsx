import { ApiError } from '@krapao/ui/api/api-error.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';
import { expect, test } from 'vitest';
import { memberApp } from '../testing/member-app.tsx';
import { errorText } from './error-text.ts';

await memberApp();
const t: Translate = (id, values) => [id, ...Object.entries(values ?? {}).flat()].join(' ');

test('a limit names the wait that the server sent, long ones in hours, and no other figure is taken for it', () => {
  const limit = (data: Record<string, unknown>) => new ApiError('REQUEST_LIMIT', data, 429);
  expect(errorText(t, limit({ minutes: 15 }))).toBe('error.waitMinutes minutes 15');
  expect(errorText(t, limit({ minutes: 1435 }))).toBe('error.waitHours hours 24');
  expect(errorText(t, limit({}), { minutes: 60 })).toMatch(/^error.REQUEST_LIMIT/);
});
