import { press } from '@krapao/ui/testing/form.ts';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { changeUnsent, unsentIn } from '../features/chat/unsent.ts';
import { queries } from '../platform/api.ts';
import { i18n } from '../platform/i18n.ts';
import { keepRecent, recentItems } from '../platform/recent.ts';
import { consoleApp, OPERATOR, refusal } from '../testing/console-app.tsx';
import { App } from './app.tsx';

const ME = 'GET /api/operator/me';
const app = await consoleApp();
const { t } = i18n;
const field = new RegExp(t('signIn.name'));

test('an operator who cannot be read is an error, not the sign-in; an ended session is the sign-in', async () => {
  app.refuse(ME, 'INTERNAL_SERVER_ERROR', {}, 503);
  render(<App />);
  await screen.findByText(refusal('INTERNAL_SERVER_ERROR'));
  expect(screen.queryByLabelText(field)).toBe(null);
  app.refuse(ME, 'invalid-token', {}, 401);
  press(t('btn.retry'));
  await screen.findByLabelText(field);
});

test('drafts of conversations, and what was read and opened, are gone when the session ends', async () => {
  vi.stubGlobal(
    'EventSource',
    class {
      close() {}
    },
  );
  history.replaceState(null, '', '/nowhere');
  app.reply(ME, { ...OPERATOR, permissions: [] });
  changeUnsent('7', () => ({ text: 'the money is' }));
  render(<App />);
  await screen.findByText(OPERATOR.name);
  expect(unsentIn('7').text).toBe('the money is');
  queries.setQueryData(['member', '100001'], { name: 'Somchai' });
  keepRecent({ path: '/members/100001', title: 'Somchai', kind: 'member' });
  act(() => {
    queries.setQueryData(['me'], null);
  });
  await screen.findByLabelText(field);
  expect(unsentIn('7').text).toBe('');
  expect(queries.getQueryData(['member', '100001'])).toBeUndefined();
  expect(recentItems()).toEqual([]);
});
