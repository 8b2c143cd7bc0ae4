import { pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { CannedReplies } from './canned.tsx';

const LIST = 'GET /api/operator/canned';
const SAVE = 'PUT /api/operator/canned/{shortcut}';
const app = await consoleApp();
const { t } = i18n;

test('a ready reply is saved once for two presses, and what is changed meanwhile stays', async () => {
  app.reply(LIST, { canned: [] });
  app.reply(SAVE, { message: 'OK' });
  const release = app.hold(SAVE);
  app.show(<CannedReplies onClose={() => undefined} />);
  await screen.findByText(t('chats.noCanned'));
  type(new RegExp(t('chats.shortcut')), 'hello');
  type(new RegExp(t('chats.text')), 'Good morning');
  pressTwice(t('chats.saveCanned'));
  await waitFor(() => expect(app.received(SAVE)).toHaveLength(1));
  type(new RegExp(t('chats.text')), 'Good morning, how can we help?');
  release();
  await ready(t('chats.saveCanned'));
  expect(screen.getByText('Good morning, how can we help?')).toBeTruthy();
  expect(app.received(SAVE)).toHaveLength(1);
});
