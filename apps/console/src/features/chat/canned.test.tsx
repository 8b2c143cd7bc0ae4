import { button, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { CannedReplies } from './canned.tsx';

const LIST = 'GET /api/operator/canned';
const SAVE = 'PUT /api/operator/canned/{shortcut}';
const REMOVE = 'DELETE /api/operator/canned/{shortcut}';
const app = await consoleApp();
const { t } = i18n;

test('a ready reply is saved once for two presses, its dialog stays open, and what is changed meanwhile stays', async () => {
  app.reply(LIST, { canned: [] });
  app.reply(SAVE, { message: 'OK' });
  const release = app.hold(SAVE);
  const onClose = vi.fn();
  app.show(<CannedReplies onClose={onClose} />);
  await screen.findByText(t('chats.noCanned'));
  type(new RegExp(t('chats.shortcut')), 'hello');
  type(new RegExp(t('chats.text')), 'Good morning');
  pressTwice(t('chats.saveCanned'));
  await waitFor(() => expect(app.received(SAVE)).toHaveLength(1));
  expect(button(t('btn.close')).disabled).toBe(true);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(onClose).not.toHaveBeenCalled();
  type(new RegExp(t('chats.text')), 'Good morning, how can we help?');
  release();
  await ready(t('chats.saveCanned'));
  expect(screen.getByText('Good morning, how can we help?')).toBeTruthy();
  expect(app.received(SAVE)).toHaveLength(1);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});

test('a ready reply that is being removed locks the dialog and is removed once', async () => {
  app.reply(LIST, { canned: [{ id: 'hello', shortcut: 'hello', text: 'Good morning' }] });
  app.reply(REMOVE, { message: 'OK' });
  const release = app.hold(REMOVE);
  app.show(<CannedReplies onClose={() => undefined} />);
  await screen.findByText('Good morning');
  pressTwice(t('chats.remove'));
  await waitFor(() => expect(app.received(REMOVE)).toHaveLength(1));
  expect(button(t('btn.close')).disabled).toBe(true);
  release();
  await ready(t('chats.remove'));
  expect(app.received(REMOVE)).toHaveLength(1);
});
