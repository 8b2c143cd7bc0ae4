import { type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed } from '../../testing/console-app.tsx';
import { ChangeChannel } from './questions.tsx';
import type { Channel } from './types.ts';

const CALL = 'PUT /api/operator/deposit-accounts/{id}';
const app = await consoleApp();
const { t } = i18n;
const CHANNEL = {
  id: '4',
  bankCode: 'KBANK',
  accountNo: '1112223334',
  state: 'OPEN',
  currency: 'BAHT',
  ceiling: 50_000,
  version: 2,
} as Channel;

/** Opens the dialog with a reason, and returns its confirmation. */
function open(): HTMLButtonElement {
  app.reply(CALL, { message: 'OK' });
  app.show(<ChangeChannel row={CHANNEL} onClose={() => undefined} />);
  type(new RegExp(t('field.reason')), 'busy month');
  return screen.getByRole<HTMLButtonElement>('button', { name: t('channel.save') });
}

test('a ceiling that cannot be read is not sent as none', async () => {
  const save = open();
  for (const typed of ['50k', '฿50,000', '50.000.000', '๕๐๐๐๐', '50,00']) {
    type(t('channel.ceilingField'), typed);
    await waitFor(() => expect(save.disabled).toBe(true));
  }
  type(t('channel.ceilingField'), '60,000.50');
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  await noticed(t('channel.saved'));
  expect(app.received(CALL)[0]?.body).toMatchObject({ ceiling: 60_000.5 });
});

test('an empty ceiling is none', async () => {
  const save = open();
  type(t('channel.ceilingField'), '');
  fireEvent.click(save);
  await noticed(t('channel.saved'));
  expect(app.received(CALL)[0]?.body).toMatchObject({ ceiling: null });
});
