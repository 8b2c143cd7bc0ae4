import { press } from '@krapao/ui/testing/form.ts';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../platform/i18n.ts';
import { consoleApp, refusal } from '../testing/console-app.tsx';
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
