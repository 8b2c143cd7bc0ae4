import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed } from '../../testing/console-app.tsx';
import { Keys } from './keys.tsx';

const LIST = 'GET /api/operator/keys';
const CREATE = 'POST /api/operator/keys';
const REVOKE = 'DELETE /api/operator/keys/{id}';
const app = await consoleApp();
const { t } = i18n;

const KEY: OperatorApi[typeof LIST]['reply']['keys'][number] = {
  id: 'KY1',
  name: 'bookkeeping',
  permissions: ['deposit.read'],
  createdAt: '2026-11-01T06:00:00.000Z',
  expiresAt: '2126-11-01T06:00:00.000Z',
  revokedAt: null,
  lastUsedAt: '2026-11-20T06:00:00.000Z',
  lastAddress: '203.0.113.7',
};
const SECRET = 'kop_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

const list = (change: Partial<typeof KEY> = {}) =>
  app.reply(LIST, { keys: [{ ...KEY, ...change }], permissions: ['deposit.read', 'withdrawal.read'] });

beforeEach(() => list());

async function show(): Promise<void> {
  app.show(<Keys />, '/me');
  await screen.findByText(KEY.name);
}

test('a key is made with permissions, password and code; a wrong code is typed again, and the key is shown', async () => {
  await show();
  press(t('key.add'));
  await screen.findByRole('dialog');
  type(/^Name/, 'warehouse');
  fireEvent.click(screen.getByRole('option', { name: t('perm.withdrawal.read') }));
  type(/^Password/, 'a long enough password');
  type(new RegExp(t('signIn.code')), '123456');
  app.refuse(CREATE, 'WRONG_CREDENTIAL');
  const send = () => screen.getAllByRole('button', { name: t('key.add') }).at(-1)!;
  send().click();
  await noticed(t('error.WRONG_CREDENTIAL'));
  expect(send()).toHaveProperty('disabled', true);
  type(new RegExp(t('signIn.code')), '654321');
  app.reply(CREATE, { id: 'KY2', key: SECRET, expiresAt: KEY.expiresAt });
  const release = app.hold(CREATE);
  send().click();
  await waitFor(() => expect(app.received(CREATE)).toHaveLength(2));
  const dialog = screen.getByRole('dialog');
  for (const name of [t('btn.cancel'), t('btn.close')])
    expect(within(dialog).getByRole('button', { name })).toHaveProperty('disabled', true);
  fireEvent.keyDown(dialog, { key: 'Escape' });
  expect(screen.getByRole('dialog')).toBe(dialog);
  release();
  await screen.findByText(SECRET);
  expect(app.received(CREATE).at(-1)?.body).toEqual({
    name: 'warehouse',
    permissions: ['withdrawal.read'],
    days: 90,
    password: 'a long enough password',
    code: '654321',
  });
});

test('a key is revoked after a question, and stays in the list as revoked', async () => {
  await show();
  press(t('key.revoke'));
  await screen.findByText(t('key.revokeNote'));
  app.reply(REVOKE, { message: 'OK' });
  list({ revokedAt: '2026-11-23T06:00:00.000Z' });
  screen
    .getAllByRole('button', { name: t('key.revoke') })
    .at(-1)!
    .click();
  await noticed(t('key.revoked'));
  expect(app.received(REVOKE)).toHaveLength(1);
  await waitFor(() => expect(screen.queryByRole('button', { name: t('key.revoke') })).toBeNull());
});
