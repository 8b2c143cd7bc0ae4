import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { valueText } from './value.ts';

await consoleApp();

test('a count is a bare number, a multiple says what it multiplies, and one day is not plural', () => {
  const text = (unit: Parameters<typeof valueText>[1]['unit'], value: number) =>
    valueText(i18n.t, { kind: 'number', unit }, value);
  expect(text(null, 10_000)).toBe('10,000');
  expect(text('multiple', 3)).toBe('3×');
  expect([text('days', 1), text('days', 30)]).toEqual(['1 day', '30 days']);
});
