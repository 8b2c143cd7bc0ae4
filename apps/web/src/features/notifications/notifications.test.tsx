import { press } from '@krapao/ui/testing/form.ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { baht, memberApp, text } from '../../testing/member-app.tsx';
import NotificationsSheet from './notifications-sheet.tsx';
import { openNamed } from './open-place.ts';
import type { Notification } from './queries.ts';

const app = await memberApp();
beforeEach(() => app.reply('POST /api/notifications/read', { unread: 0 }));

function show(change: Partial<Notification>): void {
  const one: Notification = {
    ...{
      id: '1',
      kind: 'deposit',
      status: 'SUCCESS',
      subject: 'DP1',
      amount: 500,
      name: null,
      isRead: false,
    },
    createdAt: '2026-11-23T07:00:00.000Z',
    ...change,
  };
  app.reply('POST /api/notifications', { notifications: [one], total: 1, unread: 1 });
  app.show(<NotificationsSheet />);
}

test('said to have arrived though it was refused: a deposit that was refused says so, and leads to its receipt', async () => {
  show({ status: 'FAILED' });
  expect(await screen.findByText(text('notify.depositRefused'))).toBeTruthy();
  expect(screen.getByText(text('notify.depositRefusedSum', { amount: baht(500) }))).toBeTruthy();
  expect(screen.queryByText(text('notify.deposit'))).toBeNull();
  press(new RegExp(text('notify.depositRefused')));
  expect(history.state).toMatchObject({ sheet: 'receipt', arg: 'DP1' });
});

test('a slip that was refused leads to the slips, where its reason is', async () => {
  show({ status: 'FAILED', origin: 'slip', subject: 'SL1', amount: null });
  expect(await screen.findByText(text('slip.refused'))).toBeTruthy();
  press(new RegExp(text('slip.refused')));
  expect(history.state).toMatchObject({ sheet: 'slips' });
});

test('a deposit that was credited says that it is there', async () => {
  show({});
  expect(await screen.findByText(text('notify.deposit'))).toBeTruthy();
  await waitFor(() => expect(app.received('POST /api/notifications/read')).toHaveLength(1));
});

test('the address that a push message about a slip names opens the slips', () => {
  history.replaceState(null, '', '/user/statement?open=slips');
  openNamed();
  expect(history.state).toMatchObject({ sheet: 'slips' });
});
