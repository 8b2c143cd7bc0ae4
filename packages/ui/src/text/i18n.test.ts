import { compileMessage } from '@lingui/message-utils/compileMessage';
import { expect, test } from 'vitest';
import { I18n } from './i18n.ts';

function english(messages: Record<string, string>): (id: string, values?: Record<string, unknown>) => string {
  const i18n = new I18n();
  const compiled = Object.entries(messages).map(([id, text]) => [id, compileMessage(text)]);
  i18n.load('en', Object.fromEntries(compiled));
  i18n.activate('en', 'en');
  return i18n.t as (id: string, values?: Record<string, unknown>) => string;
}

test('placeholders are filled and a missing figure leaves no braces', () => {
  const t = english({ a: 'Minimum {min} today' });
  expect(t('a', { min: '100.00' })).toBe('Minimum 100.00 today');
  expect(t('a')).toBe('Minimum  today');
});

test('plurals follow the language', () => {
  const t = english({ a: '{count, plural, one {# minute ago} other {# minutes ago}}' });
  expect(t('a', { count: 1 })).toBe('1 minute ago');
  expect(t('a', { count: 7 })).toBe('7 minutes ago');
});

test('an unknown id is shown as it is', () => {
  expect(english({})('no.such')).toBe('no.such');
});

test('notifies subscribers of a change of language', () => {
  const i18n = new I18n();
  let count = 0;
  const stop = i18n.onChange(() => {
    count += 1;
  });
  i18n.activate('th', 'th');
  stop();
  i18n.activate('en', 'en');
  expect(count).toBe(1);
});
